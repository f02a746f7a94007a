import { editFrontmatter } from '@bindery/dialect/page-source';
import { partsOfText, type Part } from '../text/parts.ts';
import { normalized } from './escapeText.ts';
import type { Insertions, Segment, Slice } from './segment.ts';
import type { SegmentedPage } from './segmentPage.ts';
import { plainOf, writeSegment } from './writeSegment.ts';

/**
 * Writes translations into a page's file, and keeps every other byte. A segment keeps its source without a
 * translation, with its own text as translation, or if the translation lacks placeholders or has others.
 *
 * @param translationOf  returns the translation of a segment, with its placeholders (see `textOfParts`)
 */
export function joinPage(
  page: SegmentedPage,
  translationOf: (segment: Segment, index: number) => string | undefined,
  insertions: Insertions = new Map(),
): Uint8Array {
  const translated = page.segments.flatMap((segment, index) => {
    const text = translationOf(segment, index);
    if (text === undefined || text === segment.text) return [];
    const parts = partsOfText(text);
    return parts && hasPlaceholdersOf(parts, segment) ? [{ segment, parts }] : [];
  });
  if (translated.length === 0 && insertions.size === 0) return page.file;
  const body = writeBody(
    page.body,
    translated.filter(({ segment }) => segment.key === undefined),
    insertions,
  );
  const values = Object.fromEntries(
    translated.flatMap(({ segment, parts }) =>
      segment.key ? [[segment.key, normalized(plainOf(segment, parts))]] : [],
    ),
  );
  const eol = /\r?\n/.exec(page.body)?.[0] ?? '\n';
  const frontmatter = editFrontmatter(page.frontmatter, values, eol);
  return concatenated(frontmatter, new TextEncoder().encode(body));
}

/** Tells whether parts have the placeholders of a segment, once each. That they nest is certain. */
function hasPlaceholdersOf(parts: readonly Part[], { placeholders }: Segment): boolean {
  const wanted = placeholders.map(({ kind }, index) => `${kind === 'pair' ? 'open' : 'atom'} ${index + 1}`);
  const found = parts.flatMap((part) =>
    typeof part === 'string' || part.tag === 'close' ? [] : [`${part.tag} ${part.id}`],
  );
  return found.length === wanted.length && wanted.every((each) => found.includes(each));
}

type Translated = { segment: Segment; parts: readonly Part[] };

/** Replaces the ranges of segments. The range of a text may contain others, such as those of images. */
function writeBody(body: string, translated: readonly Translated[], insertions: Insertions): string {
  const starts = translated.map(({ segment }) => segment.range.start);
  const positions = [...insertions.keys()];
  const copied = (from: number, to: number): string => {
    let result = '';
    let position = from;
    for (let index = firstFrom(positions, from); index < positions.length; index += 1) {
      const at = positions[index] as number;
      if (at >= to) break;
      result += body.slice(position, at) + insertions.get(at);
      position = at;
    }
    return result + body.slice(position, to);
  };
  const written = (from: number, to: number): string => {
    let result = '';
    let position = from;
    for (let index = firstFrom(starts, from); index < translated.length; index += 1) {
      const { segment, parts } = translated[index] as Translated;
      const { start, end } = segment.range;
      if (start >= to) break;
      if (start < position || end > to) continue;
      const sliceOf = ({ text, ...slice }: Slice) => text ?? written(slice.start, slice.end);
      const place = {
        sliceOf,
        before: body.slice(Math.max(0, start - 2), start),
        after: body.slice(end, end + 20),
      };
      result += copied(position, start) + writeSegment(segment, parts, place);
      position = end;
    }
    return result + copied(position, to);
  };
  return written(0, body.length) + (insertions.get(body.length) ?? '');
}

/** The index of the first number that is not below a position. */
function firstFrom(starts: readonly number[], position: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function concatenated(one: Uint8Array, other: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}
