import { IndexedPage, type IndexedPageRecord } from '@bindery/models';
import { LRUCache } from 'lru-cache';
import { foldText, type FoldedText } from './excerpt.ts';
import { maxQueryMs, type SearchedSpaces } from './indexState.ts';

/** What a search shows of a page, ready to be looked through. */
export type StoredPage = Omit<IndexedPageRecord, 'words' | 'sections'> & {
  sections: { id: string; title: FoldedText; body: FoldedText }[];
};

/** By the state of the space's index. */
const known = new LRUCache<string, StoredPage>({
  maxSize: 32_000_000,
  sizeCalculation: ({ sections }) => sections.reduce((size, { body }) => size + 200 + 2 * body.text.length, 500),
});

/** Pages of the index by their ids, `<space>:<page>`; those that are gone by now are left out. */
export async function loadIndexedPages(
  { spaces }: SearchedSpaces,
  pages: readonly { space: string; page: string }[],
): Promise<Map<string, StoredPage>> {
  const versionOf = new Map(spaces.map(({ _id, version }) => [_id, version]));
  const keyOf = (space: string, id: string) => `${versionOf.get(space)}:${id}`;
  const found = new Map<string, StoredPage>();
  const missing: string[] = [];
  for (const { space, page } of pages) {
    const id = `${space}:${page}`;
    const record = known.get(keyOf(space, id));
    if (record) found.set(id, record);
    else missing.push(id);
  }
  if (missing.length === 0) return found;
  const records = IndexedPage.collection.find({ _id: { $in: missing } } as never, { projection: { words: 0 }, maxTimeMS: maxQueryMs });
  for (const record of (await records.toArray()) as unknown as IndexedPageRecord[]) {
    const sections = record.sections.map(({ id, title, text }) => ({ id, title: foldText(title), body: foldText(text) }));
    const page = { ...record, sections };
    found.set(record._id, page);
    known.set(keyOf(record.space, record._id), page);
  }
  return found;
}
