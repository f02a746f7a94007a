import type { Term } from './indexParts.ts';
import { folded, normalized } from './textForms.ts';
import { partsOf, queryWords, runsOf, withoutArticle } from './words.ts';

/** A reading of a query: its terms, each in equivalent forms, and whether a page must contain all of them. */
export type Reading = { terms: Term[][]; mustHold: 'all' | 'any' };

/** Further terms of a query do not narrow the results. */
const maxTerms = 16;

/**
 * Lists the readings of a query, from the strictest; each is tried when the previous one finds nothing:
 *
 * 1. every word as typed, the last one as a prefix;
 * 2. every word, but without accents and articles, identifiers in their parts, and words of five letters and
 *    more by their first two thirds, so that other endings and typos in later letters do not matter;
 * 3. any of these.
 *
 * A query without a letter or digit has no reading, and finds nothing.
 */
export function readingsOf(query: string): Reading[] {
  const exact = queryWords(query).map((word) => [word]);
  const loose = looseTerms(query);
  const ways: Reading[] = [{ terms: exact, mustHold: 'all' }];
  if (JSON.stringify(exact) !== JSON.stringify(loose)) ways.push({ terms: loose, mustHold: 'all' });
  if (loose.length > 1) ways.push({ terms: loose, mustHold: 'any' });
  return ways
    .map(({ terms, ...way }) => ({ ...way, terms: terms.slice(0, maxTerms) }))
    .filter(({ terms }) => terms.length > 0);
}

function looseTerms(query: string): Term[][] {
  const terms = new Map<string, Term[]>();
  for (const { kind, text } of runsOf(query)) {
    if (kind === 'cjk') for (const word of queryWords(text)) terms.set(word.text, [word]);
    else for (const part of partsOf(text)) terms.set(part, looseForms(part));
  }
  const [last] = queryWords(query).filter(({ isPrefix }) => isPrefix);
  const lastForms = [...terms.values()].at(-1);
  // A term that is a prefix in the strict reading is one here too.
  if (last && lastForms?.length === 1 && lastForms[0]) lastForms[0] = { ...lastForms[0], isPrefix: true };
  return [...terms.values()];
}

function looseForms(word: string): Term[] {
  const plain = withoutArticle(folded(normalized(word)));
  const letters = [...plain];
  if (letters.length < 5 || /\p{N}/u.test(plain)) return [{ text: plain, isPrefix: false }];
  return [
    { text: letters.slice(0, Math.max(4, Math.ceil((letters.length * 2) / 3))).join(''), isPrefix: true },
  ];
}
