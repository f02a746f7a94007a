import type { Part } from '../text/parts.ts';
import { escapedHtmlText, escapedMarkdown, normalized, valueWriter } from './escapeText.ts';
import { fitMarkers, type MarkerEnd } from './markers.ts';
import type { Placeholder, Segment, Slice } from './segment.ts';

type Surroundings = {
  /** Returns the source of a slice, with the translations inside of it. */
  sliceOf: (slice: Slice) => string;
  /** The source before and after the segment. */
  before: string;
  after: string;
};

/**
 * Writes a translation as the source at the place of its segment. Its words are text there, whatever they
 * look like; its placeholders are those of the segment.
 *
 * @param parts  with the placeholders of the segment, once each, nested
 */
export function writeSegment(segment: Segment, parts: readonly Part[], place: Surroundings): string {
  const lines = parts.map((part) => (typeof part === 'string' ? normalized(part) : part));
  const fitting = outsideOfMarkers(lines, segment.placeholders).map(trimmedPart);
  const writeValue = valueWriter(segment.form);
  if (writeValue) return writeValue(plainOf(segment, fitting));
  const items = itemsOf(segment, fitting, place);
  writeAddresses(items, place);
  partCode(items);
  fitMarkers(items, { before: place.before.slice(-1), after: place.after.slice(0, 1) });
  return items.map(({ raw }) => raw).join('');
}

function trimmedPart(part: Part, index: number, parts: readonly Part[]): Part {
  if (typeof part !== 'string') return part;
  const start = index === 0 ? part.trimStart() : part;
  return index === parts.length - 1 ? start.trimEnd() : start;
}

/** Returns the value of a segment without markup, unescaped. */
export function plainOf({ placeholders }: Segment, parts: readonly Part[]): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      const placeholder = placeholders[part.id - 1];
      return placeholder?.kind === 'atom' ? (placeholder.slice.text ?? '') : '';
    })
    .join('')
    .trim();
}

/** Moves spaces at the ends of formatted texts out of them: Markdown takes `** a**` for asterisks. */
function outsideOfMarkers(parts: readonly Part[], placeholders: readonly Placeholder[]): Part[] {
  const moved = [...parts];
  const isMarker = (part: Part | undefined, tag: 'open' | 'close') => {
    if (part === undefined || typeof part === 'string' || part.tag !== tag) return false;
    const placeholder = placeholders[part.id - 1];
    return placeholder?.kind === 'pair' && placeholder.marker !== undefined;
  };
  for (let index = moved.length - 1; index > 0; index -= 1) {
    const text = moved[index];
    const open = moved[index - 1];
    if (typeof text !== 'string' || !isMarker(open, 'open') || !/^\s/.test(text)) continue;
    moved.splice(index - 1, 2, ' ', open as Part, text.trimStart());
  }
  for (let index = 0; index + 1 < moved.length; index += 1) {
    const text = moved[index];
    const close = moved[index + 1];
    if (typeof text !== 'string' || !isMarker(close, 'close') || !/\s$/.test(text)) continue;
    moved.splice(index, 2, text.trimEnd(), close as Part, ' ');
  }
  return moved.filter((part) => part !== '');
}

type Item = ({ raw: string } | MarkerEnd) & { isAddress?: true };

function itemsOf(segment: Segment, parts: readonly Part[], { sliceOf }: Surroundings): Item[] {
  const { placeholders, form } = segment;
  const placeholderOf = (part: Part | undefined) =>
    part === undefined || typeof part === 'string' ? undefined : placeholders[part.id - 1];
  const isBreak = (part: Part | undefined) => {
    const placeholder = placeholderOf(part);
    return placeholder?.kind === 'atom' && placeholder.isBreak === true;
  };
  return parts.flatMap((part, index): Item | Item[] => {
    const [before, after] = [parts[index - 1], parts[index + 1]];
    if (typeof part === 'string') {
      if (form === 'html') return { raw: escapedHtmlText(part) };
      const begun = isBreak(before) ? part.trimStart() : part;
      const text = isBreak(after) ? begun.trimEnd() : begun;
      const raw = escapedMarkdown(text, {
        beginsLine: index === 0 || isBreak(before),
        endsSegment: index === parts.length - 1,
        isBehind: before !== undefined && !/^\s/.test(text),
        isBefore: after !== undefined && !/\s$/.test(text),
      });
      return { raw };
    }
    const placeholder = placeholderOf(part);
    if (!placeholder) return { raw: '' };
    if (placeholder.kind === 'atom') {
      // At an end, Markdown would take the break for a backslash or for nothing.
      if (placeholder.isBreak && (index === 0 || index === parts.length - 1)) return { raw: '<br>' };
      const { slice, formatted, isAddress } = placeholder;
      if (!formatted) return { raw: sliceOf(slice), isAddress };
      const { open, close, marker } = formatted;
      return [
        { raw: sliceOf(open), id: part.id, side: 'open', marker },
        { raw: sliceOf({ start: open.end, end: close.start }) },
        { raw: sliceOf(close), id: part.id, side: 'close', marker },
      ];
    }
    const side = part.tag === 'close' ? 'close' : 'open';
    const raw = sliceOf(placeholder[side]);
    return placeholder.marker ? { raw, id: part.id, side, marker: placeholder.marker } : { raw };
  });
}

/** Puts a space between code and code, or formulas, which would become one. */
function partCode(items: Item[]): void {
  for (const [index, item] of items.entries()) {
    const before = items[index - 1]?.raw ?? '';
    if (/^[`$]/.test(item.raw) && before.endsWith(item.raw[0] as string)) item.raw = ` ${item.raw}`;
  }
}

/** Puts brackets around a bare address where the text beside it would become a part of it. */
function writeAddresses(items: Item[], { before, after }: Surroundings): void {
  for (const [index, item] of items.entries()) {
    if (!item.isAddress) continue;
    const left = index === 0 ? before.slice(-1) : (items[index - 1]?.raw ?? '').slice(-1);
    const right = items
      .slice(index + 1)
      .map(({ raw }) => raw)
      .join('')
      .concat(after)
      .slice(0, 20);
    const mayStay =
      /^$|[\s(*_~]/.test(left) &&
      /^(?:[?!.,:*_~'")]*(?:\s|$|<)|\s*\|)/.test(right) &&
      !(item.raw.includes('(') && right.startsWith(')'));
    if (mayStay) continue;
    item.raw = /^www\./i.test(item.raw) ? `[${item.raw}](http://${item.raw})` : `<${item.raw}>`;
  }
}
