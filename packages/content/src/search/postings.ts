import { IndexedPage, type IndexedPageRecord } from '@bindery/models';
import { LRUCache } from 'lru-cache';
import { computedPostings } from './computedPages.ts';
import type { Posting, Term } from './indexParts.ts';
import { maxQueryMs, type SearchedSpaces } from './indexState.ts';

/** Keyed by the state of the space's index. */
const known = new LRUCache<string, Posting[]>({
  maxSize: 1_000_000,
  sizeCalculation: (postings) => 10 + postings.length,
});

/** Finds the postings of a term in these spaces. */
export async function findPostings(state: SearchedSpaces, term: Term): Promise<Map<string, Posting[]>> {
  const found = await indexedPostings(state, term);
  for (const { _id, computed } of state.spaces)
    if (computed) found.set(_id, [...(found.get(_id) ?? []), ...computedPostings(computed, term)]);
  return found;
}

async function indexedPostings({ spaces }: SearchedSpaces, term: Term): Promise<Map<string, Posting[]>> {
  const found = new Map<string, Posting[]>();
  const keyOf = ({ _id, version }: { _id: string; version: number }) =>
    `${_id}:${version}:${term.isPrefix ? '^' : ''}${term.text}`;
  const missing = spaces.filter((space) => {
    const postings = known.get(keyOf(space));
    if (postings) found.set(space._id, postings);
    return postings === undefined;
  });
  if (missing.length === 0) return found;
  for (const space of missing) found.set(space._id, []);
  const range = rangeOf(term);
  const records = IndexedPage.collection.find(
    { space: { $in: missing.map(({ _id }) => _id) }, words: { $elemMatch: range } },
    {
      // The words of a page are sorted by descending weight, and MongoDB returns the first match.
      projection: { _id: 0, space: 1, page: 1, audience: 1, conditions: 1, words: { $elemMatch: range } },
      hint: { space: 1, words: 1 },
      maxTimeMS: maxQueryMs,
      batchSize: 5_000,
    },
  );
  for (const {
    space,
    page,
    words,
    audience,
    conditions,
  } of (await records.toArray()) as unknown as Found[]) {
    const [word = ''] = words;
    const end = word.lastIndexOf(' ');
    found.get(space)?.push({
      page,
      weight: Number(word.slice(end + 1)),
      isWhole: end === term.text.length,
      audience,
      conditions,
    });
  }
  for (const space of missing) known.set(keyOf(space), found.get(space._id) ?? []);
  return found;
}

type Found = Pick<IndexedPageRecord, 'space' | 'page' | 'words' | 'audience' | 'conditions'>;

/**
 * The range of index entries that a term matches, each a word with its weight after a space. Compared by
 * bytes, so no character is special.
 */
function rangeOf({ text, isPrefix }: Term): { $gte: string; $lt: string } {
  return isPrefix ? { $gte: text, $lt: `${text}\u{10ffff}` } : { $gte: `${text} `, $lt: `${text}!` };
}
