import { emojiCode } from '@bindery/dialect/source';
import { oneLine } from '../text/oneLine.ts';
import { escapedMarkdown, unattached } from './escapeText.ts';
import type { Piece } from './pieces.ts';
import type { Slice } from './segment.ts';

/**
 * Matches emoji, templates and addresses, which engines must not see.
 *
 * A function, since V8 compiles the class of emoji for 25 ms, which no process should wait for at its start.
 */
const untranslated = () =>
  /\p{RGI_Emoji}|:[a-z0-9_+\-]{1,50}:|\{\{[^\{\}\n]{0,200}\}\}|\{%[^%\n]{0,500}%\}|(?:https?:\/\/|www\.)[^\s<>"]+|(?<![\w.+\-])[\w.+\-]+@[\w\-]{1,63}(?:\.[\w\-]{1,63}){1,8}/giv;

type TextPlace = {
  slice: Slice;
  /** The page's text; absent for the value of an attribute, whose atoms have no place of their own. */
  source?: string;
  /** The text stands in Markdown, where an address might become a link. */
  isMarkdown?: boolean;
};

/**
 * Splits text, as a reader sees it, at emoji, templates and addresses. They become atoms if the source shows
 * them as the text does.
 */
export function textPieces(text: string, { slice, source, isMarkdown }: TextPlace): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let start = slice.start;
  const addText = (to: number, end: number) => {
    if (to > from) pieces.push({ kind: 'text', text: oneLine(text.slice(from, to)), slice: { start, end } });
  };
  for (const { 0: found, index } of text.matchAll(untranslated())) {
    const isEmoji = found.startsWith(':');
    if (isEmoji && emojiCode(found.slice(1, -1)) === undefined) continue;
    const isAddress = /^(?:http|www|[\w.+-]+@)/i.test(found);
    if (source === undefined) {
      addText(index, start);
      pieces.push({ kind: 'atom', slice: { ...slice, text: found }, isWord: true });
    } else {
      const place = isEmoji
        ? placeIn(source, { start, end: slice.end }, [found, found.replaceAll('_', String.raw`\_`)])
        : placeIn(source, { start, end: slice.end }, [found]);
      if (!place) continue;
      addText(index, place.start);
      // The parser found no link here, and none may come about elsewhere.
      const written =
        isAddress && isMarkdown ? { ...place, text: escapedMarkdown(found, unattached) } : place;
      pieces.push({ kind: 'atom', slice: written, isWord: isAddress || found.startsWith('{') });
      start = place.end;
    }
    from = index + found.length;
  }
  addText(text.length, slice.end);
  return pieces;
}

/** Finds the first of the spellings in a range of the source; with the backslash that escapes it. */
function placeIn(source: string, { start, end }: Slice, spellings: readonly string[]): Slice | undefined {
  for (const spelling of spellings) {
    const at = source.indexOf(spelling, start);
    if (at < 0 || at + spelling.length > end) continue;
    const isEscaped = /^[{:]/.test(spelling) && backslashesBefore(source, { start, end: at }) % 2 === 1;
    return { start: isEscaped ? at - 1 : at, end: at + spelling.length };
  }
  return undefined;
}

function backslashesBefore(source: string, { start, end }: Slice): number {
  let count = 0;
  while (end - count > start && source[end - count - 1] === '\\') count += 1;
  return count;
}
