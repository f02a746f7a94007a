import { exactBytes, exactText } from '../exactText.ts';

/** A line of a file without its ending, and that ending; the last line may have none. */
export type Line = { text: string; ending: string };

/** Splits bytes where CommonMark ends lines. Preserves bytes that are not UTF-8. */
export function linesOf(bytes: Uint8Array): Line[] {
  const lines: Line[] = [];
  const text = exactText(bytes);
  let start = 0;
  for (const { index, 0: ending } of text.matchAll(/\r\n?|\n/g)) {
    lines.push({ text: text.slice(start, index), ending });
    start = index + ending.length;
  }
  if (start < text.length) lines.push({ text: text.slice(start), ending: '' });
  return lines;
}

/** Joins lines. A line that ended the file without an ending gets one if it is not last any more. */
export function bytesOf(lines: readonly Line[], ending: string): Uint8Array {
  const last = lines.length - 1;
  return exactBytes(
    lines
      .map((line, index) => line.text + (line.ending === '' && index < last ? ending : line.ending))
      .join(''),
  );
}

/** Replaces the prefix of a line; a line without that prefix stays. */
export function withPrefix(line: Line, { from, to }: { from: string; to: string }): Line {
  return from === to || !line.text.startsWith(from)
    ? line
    : { ...line, text: to + line.text.slice(from.length) };
}

export function isBlank({ text }: Line): boolean {
  return /^[ \t]*$/.test(text);
}

export function hasText(lines: readonly Line[]): boolean {
  return lines.some((line) => !isBlank(line));
}

/** Counts the columns of a text, with a tab stop at every fourth. */
export function widthOf(text: string): number {
  let column = 0;
  for (const letter of text) column += letter === '\t' ? 4 - (column % 4) : 1;
  return column;
}
