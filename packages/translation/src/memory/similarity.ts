/** Longer texts are compared by their beginnings. */
const maxWords = 200;

/**
 * Tells how similar two texts are: 1 for equal words, 0 for texts without a common one. It is the part of the
 * words of the longer text that need not be inserted, removed or replaced.
 */
export function similarity(one: string, other: string): number {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  const longer = Math.max(words.length, others.length);
  return longer === 0 ? 1 : 1 - distance(words, others) / longer;
}

function wordsOf(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, maxWords);
}

/** The number of words that differ, after Levenshtein. */
function distance(words: readonly string[], others: readonly string[]): number {
  let row = Array.from({ length: others.length + 1 }, (_, index) => index);
  for (const [at, word] of words.entries()) {
    const next = [at + 1];
    for (const [index, other] of others.entries())
      next.push(
        Math.min(
          (row[index] as number) + (word === other ? 0 : 1),
          (row[index + 1] as number) + 1,
          (next[index] as number) + 1,
        ),
      );
    row = next;
  }
  return row[others.length] as number;
}
