import { wordsOfParts, type Part } from './parts.ts';

// The language changes nothing, as long as words are found by a dictionary where no spaces part them.
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** Counts the words of a segment. What its placeholders stand for does not count. */
export function countWords(parts: readonly Part[]): number {
  let count = 0;
  for (const { isWordLike } of segmenter.segment(wordsOfParts(parts))) if (isWordLike) count += 1;
  return count;
}
