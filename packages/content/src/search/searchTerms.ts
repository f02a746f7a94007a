import type { Term } from './postings.ts';
import { folded, normalized } from './textForms.ts';
import { partsOf, queryWords, runsOf, withoutArticle } from './words.ts';

/** One way to read a query: the terms, each in forms that are as good, and whether a page must hold all of them. */
export type Reading = { terms: Term[][]; mustHold: 'all' | 'any' };

/** What a query has beyond does not narrow down what is found. */
const maxTerms = 16;

/**
 * The ways to read a query, from the strictest; the next one is for when nothing was found:
 *
 * 1. every word as it was typed, the last one as the beginning of a word;
 * 2. every word, but without accents and articles, identifiers in their parts, and of words of five letters and more only the first two thirds, so that other
 *    endings and slips of the later letters do not matter;
 * 3. any of these.
 *
 * Without a letter or digit in it there is no way: it finds nothing.
 */
export function readingsOf(query: string): Reading[] {
  const exact = queryWords(query).map((word) => [word]);
  const loose = looseTerms(query);
  const ways: Reading[] = [{ terms: exact, mustHold: 'all' }];
  if (JSON.stringify(exact) !== JSON.stringify(loose)) ways.push({ terms: loose, mustHold: 'all' });
  if (loose.length > 1) ways.push({ terms: loose, mustHold: 'any' });
  return ways.map(({ terms, ...way }) => ({ ...way, terms: terms.slice(0, maxTerms) })).filter(({ terms }) => terms.length > 0);
}

function looseTerms(query: string): Term[][] {
  const terms = new Map<string, Term[]>();
  for (const { kind, text } of runsOf(query)) {
    if (kind === 'cjk') for (const word of queryWords(text)) terms.set(word.text, [word]);
    else for (const part of partsOf(text)) terms.set(part, looseForms(part));
  }
  const [last] = queryWords(query).filter(({ isPrefix }) => isPrefix);
  const lastForms = [...terms.values()].at(-1);
  // What may go on as it was typed may go on here too.
  if (last && lastForms?.length === 1 && lastForms[0]) lastForms[0] = { ...lastForms[0], isPrefix: true };
  return [...terms.values()];
}

function looseForms(word: string): Term[] {
  const plain = withoutArticle(folded(normalized(word)));
  const letters = [...plain];
  if (letters.length < 5 || /\p{N}/u.test(plain)) return [{ text: plain, isPrefix: false }];
  return [{ text: letters.slice(0, Math.max(4, Math.ceil((letters.length * 2) / 3))).join(''), isPrefix: true }];
}
