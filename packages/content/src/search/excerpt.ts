import type { FoldedText, Term } from './indexParts.ts';
import { folded, isAscii, normalized } from './textForms.ts';

const maxLength = 300;
/** Number of characters before the match. */
const before = 80;

/** Prepares a text for look-ups, without a second copy of most texts: many are kept in memory. */
export function foldText(text: string): FoldedText {
  return isAscii(text) ? { text } : { text, plain: folded(normalized(text)) };
}

/**
 * Counts the terms in a text, and finds the position of the first.
 *
 * @param anywhere  also match inside words: a part of an identifier has no gap around it
 */
export function findTerms(
  { text, plain = text.toLowerCase() }: FoldedText,
  { terms, anywhere = false }: { terms: readonly (readonly Term[])[]; anywhere?: boolean },
): { found: number; first: number } {
  let found = 0;
  let first = Infinity;
  for (const forms of terms) {
    const place = Math.min(...forms.map((form) => placeOf(plain, form, anywhere)));
    if (place === Infinity) continue;
    found += 1;
    first = Math.min(first, place);
  }
  return { found, first: found === 0 ? 0 : originalPlace(text, { plain, place: first }) };
}

/**
 * Cuts at most 300 characters around a position from a text, on one line, without splitting a character, or a
 * leading word where the script has spaces.
 */
export function excerptAt(text: string, place: number): string {
  const line = text.replaceAll('\n', ' ');
  if (line.length <= maxLength) return line.trim();
  let start = Math.max(0, Math.min(place - before, line.length - maxLength));
  const gap = start === 0 ? -1 : line.lastIndexOf(' ', start + 30);
  if (gap >= start && gap < place) start = gap + 1;
  while (start > 0 && goesOn(line, start)) start -= 1;
  let end = Math.min(line.length, start + maxLength);
  while (end < line.length && end > start && goesOn(line, end)) end -= 1;
  // A single character exceeds the limit: only surrogate pairs are kept together.
  if (end === start) end = Math.min(line.length, start + maxLength);
  return line.slice(start, end).toWellFormed().trim();
}

function placeOf(text: string, { text: word, isPrefix }: Term, anywhere: boolean): number {
  const plain = folded(word);
  const isLoose = anywhere || unspaced.test(plain);
  for (let at = text.indexOf(plain); at >= 0; at = text.indexOf(plain, at + 1)) {
    if (isLoose) return at;
    const isStart = at === 0 || !inWord.test(text.slice(Math.max(0, at - 2), at));
    if (isStart && (isPrefix || !wordGoesOn.test(text.slice(at + plain.length, at + plain.length + 2))))
      return at;
  }
  return Infinity;
}

const unspaced =
  /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
const inWord = /[\p{L}\p{N}\p{M}]$/u;
const wordGoesOn = /^[\p{L}\p{N}]/u;

/** Converts a position in the folded text, whose letters may be longer or shorter than the original ones. */
function originalPlace(text: string, { plain, place }: { plain: string; place: number }): number {
  if (plain.length === text.length || isAscii(text)) return place;
  let seen = 0;
  let original = 0;
  for (const character of text) {
    if (seen >= place) break;
    seen += folded(normalized(character)).length;
    original += character.length;
  }
  return original;
}

/** Tells whether the character at a position combines with the one before it. */
function goesOn(text: string, place: number): boolean {
  const code = text.charCodeAt(place);
  if (code >= 0xdc00 && code <= 0xdfff) return true;
  if (text[place - 1] === '\u200d' || text[place] === '\u200d') return true;
  return /^[\p{M}\p{EMod}]/u.test(text.slice(place, place + 2));
}
