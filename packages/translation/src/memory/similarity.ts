/** Longer texts are compared by their beginnings. */
const maxWords = 200;

/**
 * Tells how similar two texts are: 1 for equal words, 0 for texts without a common one. It is the part of the
 * words of the longer text that need not be inserted, removed or replaced.
 */
export function similarity(one: string, other: string): number {
  return similarityOfWords(wordsToCompare(one), wordsToCompare(other));
}

/** As `similarity`, of the words of both texts. */
export function similarityOfWords(words: readonly string[], others: readonly string[]): number {
  const longer = Math.max(words.length, others.length);
  return longer === 0 ? 1 : 1 - distance(words, others) / longer;
}

/** The words of a text that count; at most 200. */
export function wordsToCompare(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, maxWords);
}

/** The number of words that differ, after Levenshtein. */
function distance(words: readonly string[], others: readonly string[]): number {
  let row = Uint16Array.from({ length: others.length + 1 }, (_, index) => index);
  let next = new Uint16Array(row.length);
  for (let at = 0; at < words.length; at += 1) {
    let last = (next[0] = at + 1);
    for (let index = 0; index < others.length; index += 1) {
      const replaced = (row[index] as number) + (words[at] === others[index] ? 0 : 1);
      last = Math.min(replaced, (row[index + 1] as number) + 1, last + 1);
      next[index + 1] = last;
    }
    [row, next] = [next, row];
  }
  return row[others.length] as number;
}
