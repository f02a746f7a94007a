import { wordsOfParts, type Part } from './parts.ts';
import { wordSegments } from './wordSegments.ts';

/** A term of the glossary in the two languages of a translation. */
export type Term = { source: string; target: string };

/** Terms by their words. */
export type Glossary = { terms: ReadonlyMap<string, Term>; longest: number };

/** Makes terms ready to be found in many texts. Of terms with the same words, the last one counts. */
export function glossaryOf(terms: Iterable<Term>): Glossary {
  const byWords = new Map<string, Term>();
  let longest = 0;
  for (const term of terms) {
    const words = wordsIn(term.source);
    if (words.length === 0) continue;
    byWords.set(words.join(' '), term);
    longest = Math.max(longest, words.length);
  }
  return { terms: byWords, longest };
}

/**
 * Returns the terms that occur in a segment, in order, each once. Upper and lower case do not matter; of
 * terms at the same place, the longest counts.
 */
export function termsIn(parts: readonly Part[], glossary: Glossary): Term[] {
  if (glossary.longest === 0) return [];
  // No term reaches over an atom.
  const runs = wordsOfParts(parts).split('\n');
  return [...new Set(runs.flatMap((run) => termsOfWords(wordsIn(run), glossary)))];
}

function termsOfWords(words: readonly string[], { terms, longest }: Glossary): Term[] {
  const found: Term[] = [];
  let at = 0;
  while (at < words.length) {
    let length = Math.min(longest, words.length - at);
    let term: Term | undefined;
    while (length > 0 && !(term = terms.get(words.slice(at, at + length).join(' ')))) length -= 1;
    if (term) found.push(term);
    at += Math.max(length, 1);
  }
  return found;
}

function wordsIn(text: string): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of wordSegments(text.normalize('NFC').toLowerCase()))
    if (isWordLike) words.push(segment);
  return words;
}
