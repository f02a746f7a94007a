/** Longer texts do not fit on a card; nothing behind this is read. */
const mostCharacters = 300;
/** Signs, controls and marks of direction, which no card shows. */
const left = /[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}\p{C}\u20E3\uFE00-\uFE0F]/gu;
/** The characters of the font: Latin, Greek and Cyrillic letters, punctuation, and currency signs. */
const drawable =
  /^[\u0020-\u024F\u0370-\u052F\u1E00-\u1FFF\u2010-\u2027\u2030-\u203A\u20A0-\u20BF\u2116\u2122]*$/;

/**
 * A text as a card shows it: in one line, without emoji and marks of direction. Empty when it has characters
 * that the font of cards does not have, because boxes in their place would say nothing.
 */
export function plainText(text: string): string {
  const start = text.slice(0, mostCharacters).normalize('NFC').replaceAll(/\s+/g, ' ');
  const plain = start.replaceAll(left, '').replaceAll(/ +/g, ' ').trim();
  return drawable.test(plain) ? plain : '';
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
  for (const word of text.split(' ').flatMap((long) => piecesOf(long, fits))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (fits(longer)) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  if (line !== '') lines.push(line);
  if (lines.length <= most) return lines;
  let last = lines[most - 1] ?? '';
  while (!fits(`${last}…`)) last = last.slice(0, -1);
  return [...lines.slice(0, most - 1), `${last.trimEnd()}…`];
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
  if (/[mwMW@%—…ЖМФШЩЮжмфшщю]/.test(character)) return 0.92;
  return /\p{Lu}/u.test(character) ? 0.66 : 0.57;
}
