import type { Marker } from './segment.ts';

/** One end of a formatted text, while it is written. */
export type MarkerEnd = { id: number; side: 'open' | 'close'; marker: Marker; raw: string };

const elements: Readonly<Record<Marker, string>> = { strong: 'strong', emphasis: 'em', delete: 'del' };

/**
 * Writes formatting that Markdown would not recognize as HTML: an asterisk counts only beside a space, or
 * between a letter and punctuation on the right sides, which texts without spaces do not have.
 *
 * @param items   the source of a segment in order; ends of formatted texts are changed in place
 * @param before  the character before the segment
 * @param after   the character after it
 */
export function fitMarkers(
  items: ({ raw: string } | MarkerEnd)[],
  { before, after }: { before: string; after: string },
): void {
  let isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (const [index, item] of items.entries()) {
      if (!('marker' in item) || item.raw.startsWith('<')) continue;
      const left = lastOf(items.slice(0, index)) ?? before;
      const right = firstOf(items.slice(index + 1)) ?? after;
      if (counts(item, left, right)) continue;
      for (const other of items)
        if ('marker' in other && other.id === item.id)
          other.raw = `<${other.side === 'close' ? '/' : ''}${elements[other.marker]}>`;
      isChanged = true;
    }
  }
}

type Item = { raw: string };

function lastOf(items: readonly Item[]): string | undefined {
  const raw = items.findLast((item) => item.raw !== '')?.raw;
  return raw === undefined ? undefined : [...raw.slice(-2)].at(-1);
}

function firstOf(items: readonly Item[]): string | undefined {
  const raw = items.find((item) => item.raw !== '')?.raw;
  return raw === undefined ? undefined : String.fromCodePoint(raw.codePointAt(0) as number);
}

const isSpace = (letter: string) => letter === '' || /\s/.test(letter);
const isPunctuation = (letter: string) => /[\p{P}\p{S}]/u.test(letter);

/** The rules of CommonMark for delimiter runs, and no other run beside this one. */
function counts({ side, raw }: MarkerEnd, left: string, right: string): boolean {
  const delimiter = raw[0] as string;
  if (left === delimiter || right === delimiter) return false;
  const [inner, outer] = side === 'open' ? [right, left] : [left, right];
  if (isSpace(inner)) return false;
  const isFlanking = !isPunctuation(inner) || isSpace(outer) || isPunctuation(outer);
  return isFlanking && (delimiter !== '_' || isSpace(outer) || isPunctuation(outer));
}
