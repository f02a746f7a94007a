import type { CardFont, CardFonts } from './cardFonts.ts';

/** A text of a card. `font`: of a text that the font of cards does not have. */
export type CardText = { text: string; font?: CardFont | undefined };

/** Longer texts do not fit on a card; nothing behind this is read. */
const mostCharacters = 300;
/** Signs, controls and marks of direction, which no card shows. */
const left =
  /[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}[\p{C}--[\u200C\u200D]]\u20E3\uFE00-\uFE0F]/gv;
/** They join or part the letters of some scripts. */
const joiners = /[\u200C\u200D]/g;
/** Joiners without a letter on each side, such as those of an emoji. */
const strayJoiners = /(?<![\p{L}\p{M}])[\u200C\u200D]|[\u200C\u200D](?![\p{L}\p{M}])/gu;
/** The characters of the font: Latin, Greek and Cyrillic letters, punctuation, and currency signs. */
const drawable =
  /^[\u0020-\u024F\u0370-\u052F\u1E00-\u1FFF\u2010-\u2027\u2030-\u203A\u20A0-\u20BF\u2116\u2122]*$/;

/**
 * A text as a card shows it: in one line, without emoji and marks of direction. Empty when no font has all
 * its characters, because boxes in their place would say nothing.
 */
export function cardTextOf(
  text: string,
  { language, fonts }: { language: string; fonts: CardFonts },
): CardText {
  const start = text.slice(0, mostCharacters).normalize('NFC').replaceAll(/\s+/g, ' ');
  const plain = start.replaceAll(left, '').replaceAll(strayJoiners, '').replaceAll(/ +/g, ' ').trim();
  const own = plain.replaceAll(joiners, '');
  if (drawable.test(own)) return { text: own };
  const font = fonts.find(plain, { language, isOwn: (rest) => drawable.test(rest) });
  return font ? { text: plain, font } : { text: '' };
}

/**
 * Breaks a text into lines, by the usual widths of its characters.
 *
 * @param size  of the font, in pixels
 * @param space  the width of a line, in pixels
 * @param most  the number of lines; the last one ends with `…` where the text does not
 */
export function linesOf(
  text: string,
  { size, space, most }: { size: number; space: number; most: number },
): string[] {
  const fits = (line: string) => widthOf(line) * size <= space;
  const lines: string[] = [];
  let line = '';
  for (const { text: part, isSpaced } of partsOf(text, fits)) {
    const longer = `${line}${isSpaced && line !== '' ? ' ' : ''}${part}`;
    if (fits(longer)) line = longer;
    else {
      if (line !== '') lines.push(line);
      line = part;
    }
  }
  if (line !== '') lines.push(line);
  if (lines.length <= most) return lines;
  let last = lines[most - 1] ?? '';
  while (!fits(`${last}…`)) last = [...last].slice(0, -1).join('');
  return [...lines.slice(0, most - 1), `${last.trimEnd()}…`];
}

/** Scripts that put no spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u;
/** No line begins with such a sign. */
const clinging = /^[\p{M}\p{Pe}\p{Pf}\p{Po}\u30FC]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** The parts of a text between which a line may end. `isSpaced`: a space stands before the part. */
function* partsOf(
  text: string,
  fits: (text: string) => boolean,
): Generator<{ text: string; isSpaced: boolean }> {
  for (const word of text.split(' ')) {
    const pieces = wordsIn(word).flatMap((part) => piecesOf(part, fits));
    for (const [index, piece] of pieces.entries()) yield { text: piece, isSpaced: index === 0 };
  }
}

function wordsIn(text: string): string[] {
  if (!unspaced.test(text)) return [text];
  const words: string[] = [];
  for (const { segment } of segmenter.segment(text)) {
    if (words.length > 0 && clinging.test(segment)) words.push(`${words.pop()}${segment}`);
    else words.push(segment);
  }
  return words;
}

/** A word that is wider than a line, in pieces that are not. */
function piecesOf(word: string, fits: (text: string) => boolean): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const character of word) {
    if (piece !== '' && !fits(piece + character)) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return piece === '' ? pieces : [...pieces, piece];
}

/** The width of a text in a font of the size 1, a little more rather than less. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += widthOfCharacter(character);
  return width;
}

function widthOfCharacter(character: string): number {
  if (/[ ijlI.,:;'!|]/.test(character)) return 0.3;
  if (/[\p{M}\u200C\u200D]/u.test(character)) return 0;
  if (/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u30FC\u3000-\u303F\uFF00-\uFF60]/u.test(character))
    return 1;
  if (/[mwMW@%—…ЖМФШЩЮжмфшщю]/.test(character)) return 0.92;
  return /\p{Lu}/u.test(character) ? 0.66 : 0.57;
}
