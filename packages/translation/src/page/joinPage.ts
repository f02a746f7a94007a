import { editFrontmatter } from '@bindery/dialect/page-source';
import { partsOfText, type Part } from '../text/parts.ts';
import { normalized } from './escapeText.ts';
import type { Segment, Slice } from './segment.ts';
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
): Uint8Array {
  const translated = page.segments.flatMap((segment, index) => {
    const text = translationOf(segment, index);
    if (text === undefined || text === segment.text) return [];
    const parts = partsOfText(text);
    return parts && hasPlaceholdersOf(parts, segment) ? [{ segment, parts }] : [];
  });
  if (translated.length === 0) return page.file;
  const body = writeBody(
    page.body,
    translated.filter(({ segment }) => segment.key === undefined),
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
function writeBody(body: string, translated: readonly Translated[]): string {
  const written = (from: number, to: number): string => {
    let result = '';
    let position = from;
    for (let index = firstFrom(translated, from); index < translated.length; index += 1) {
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
      result += body.slice(position, start) + writeSegment(segment, parts, place);
      position = end;
    }
    return result + body.slice(position, to);
  };
  return written(0, body.length);
}

function firstFrom(translated: readonly Translated[], position: number): number {
  let low = 0;
  let high = translated.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((translated[middle]?.segment.range.start ?? 0) < position) low = middle + 1;
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
