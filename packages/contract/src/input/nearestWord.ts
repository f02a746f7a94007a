/** Longer words are not compared, because the work grows with the product of both lengths. */
const maxLength = 64;

/**
 * Finds the word that the caller probably meant: one that differs only in case, hyphens or underscores, or by
 * a few letters. Undefined when no word is near.
 */
export function nearestWord(given: string, words: readonly string[]): string | undefined {
  if (given.length > maxLength) return undefined;
  const plain = plainOf(given);
  const [nearest] = words
    .filter((word) => word.length <= maxLength)
    .map((word) => ({ word, distance: distanceBetween(plain, plainOf(word)) }))
    .filter(
      ({ word, distance }) =>
        distance <= Math.max(1, Math.floor(Math.min(word.length, given.length) / 3)) &&
        distance < word.length,
    )
    .toSorted((a, b) => a.distance - b.distance);
  return nearest?.word;
}

function plainOf(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/g, '');
}

/** The number of letters to add, remove, replace or swap with the next one (optimal string alignment). */
function distanceBetween(a: string, b: string): number {
  const lines = [Array.from({ length: b.length + 1 }, (_empty, i) => i)];
  const at = (row: number, column: number) => lines[row]?.[column] ?? 0;
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row];
    lines.push(line);
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      line.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(a.length, b.length);
}
