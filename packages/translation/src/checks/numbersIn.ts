/**
 * Returns the numbers of a text, sorted, in the digits 0 to 9 and without separators: `3,50` and `٣٫٥٠` are
 * `350`.
 *
 * @param hasSpaces  whether a space separates thousands, as in `1 000`
 */
export function numbersIn(text: string, hasSpaces: boolean): string[] {
  const separated = hasSpaces
    ? /\p{Nd}{1,3}(?:[ \u00a0\u2009\u202f]\p{Nd}{3})+(?!\p{Nd})|\p{Nd}+(?:[.,'’\u066b\u066c]\p{Nd}+)*/gu
    : /\p{Nd}+(?:[.,'’\u066b\u066c]\p{Nd}+)*/gu;
  return Array.from(text.matchAll(separated), ([number]) => Array.from(number, digitOf).join('')).toSorted();
}

const isDigit = (point: number) => point >= 0 && /\p{Nd}/u.test(String.fromCodePoint(point));

/** The digits of a script follow each other, and begin with its zero. */
function digitOf(character: string): string {
  const point = character.codePointAt(0) as number;
  if (!isDigit(point)) return '';
  let value = 0;
  while (isDigit(point - value - 1)) value += 1;
  return String(value % 10);
}
