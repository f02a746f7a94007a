import { IndexedPage, type IndexedPageRecord } from '@bindery/models';
import { LRUCache } from 'lru-cache';
import { foldText } from './excerpt.ts';
import type { StoredPage } from './indexParts.ts';
import { maxQueryMs, type SearchedSpaces } from './indexState.ts';
import type { RankedPage } from './rankPages.ts';

/** Limits the bytes of the pages in memory: about 4,000 pages of 10 kB. */
const maxBytes = 48_000_000;

/** Keyed by the state of the space's index. */
const known = new LRUCache<string, StoredPage>({
  maxSize: maxBytes,
  // A character outside of ASCII makes its text take two bytes for each, and a folded copy of it.
  sizeCalculation: ({ sections }) =>
    sections.reduce(
      (size, { body: { text, plain } }) =>
        size + 300 + (plain === undefined ? text.length : 2 * (text.length + plain.length)),
      500,
    ),
});

type IndexedPlace = Pick<RankedPage, 'space' | 'page' | 'isInParts'>;

/** Returns the id of the record with the sections of a page that the searcher may see. */
export function recordId({ space, page, isInParts }: IndexedPlace): string {
  return isInParts ? `${space}:${page}:0` : `${space}:${page}`;
}

/**
 * Loads records of the index, or computed pages, by `recordId`; omits records removed since the search.
 */
export async function loadIndexedPages(
  { spaces }: SearchedSpaces,
  pages: readonly IndexedPlace[],
): Promise<Map<string, StoredPage>> {
  const versionOf = new Map(spaces.map(({ _id, version }) => [_id, version]));
  const computedOf = new Map(spaces.map(({ _id, computed }) => [_id, computed?.pages]));
  const keyOf = (space: string, id: string) => `${versionOf.get(space)}:${id}`;
  const found = new Map<string, StoredPage>();
  const missing: string[] = [];
  for (const page of pages) {
    const id = recordId(page);
    const record = computedOf.get(page.space)?.get(page.page) ?? known.get(keyOf(page.space, id));
    if (record) found.set(id, record);
    else missing.push(id);
  }
  if (missing.length === 0) return found;
  const records = IndexedPage.collection.find({ _id: { $in: missing } } as never, {
    projection: { words: 0 },
    maxTimeMS: maxQueryMs,
  });
  for (const record of (await records.toArray()) as unknown as IndexedPageRecord[]) {
    const sections = record.sections.map(({ title, text, ...more }) => ({
      ...more,
      title: foldText(title),
      body: foldText(text),
    }));
    const page = { ...record, sections };
    found.set(record._id, page);
    known.set(keyOf(record.space, record._id), page);
  }
  return found;
}
