import { wordsOfParts, type Part } from './parts.ts';
import { wordSegments } from './wordSegments.ts';

/** Counts the words of a segment, without those that its placeholders stand for. */
export function countWords(parts: readonly Part[]): number {
  let count = 0;
  for (const { isWordLike } of wordSegments(wordsOfParts(parts))) if (isWordLike) count += 1;
  return count;
}
