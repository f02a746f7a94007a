import { insertIgnoringDuplicates, PageDocument, type PageDocumentRecord } from '@bindery/models';
import type { PageSource } from '@bindery/dialect/frontmatter';
import { chunksOf } from '@bindery/runtime';
import { contentKey } from './nodes.ts';
import { storedDocuments } from './storedContent.ts';

const perQuery = 200;

/**
 * Stores the sources that the organization does not have, and keeps the others (`StoredItems`).
 *
 * @returns the number of new sources
 */
export async function storeDocuments(
  organization: string,
  sources: Iterable<{ hash: string; source: PageSource }>,
): Promise<number> {
  const all = new Map<string, PageSource>();
  for (const { hash, source } of sources) all.set(contentKey(organization, hash), source);
  let written = 0;
  for (const batch of chunksOf([...all.keys()], perQuery)) {
    const stored = await storedDocuments().keep(batch);
    const records = batch
      .filter((key) => !stored.has(key))
      .map((key): PageDocumentRecord => {
        const source = all.get(key) as PageSource;
        return { _id: key, frontmatter: Buffer.from(source.frontmatter), body: Buffer.from(source.body) };
      });
    written += await insertIgnoringDuplicates(PageDocument.collection, records);
  }
  return written;
}

/**
 * Returns the hashes under which the organization has a document, and keeps these documents as if they were
 * stored now.
 */
export async function keepDocuments(organization: string, hashes: readonly string[]): Promise<Set<string>> {
  const kept = await storedDocuments().keep(hashes.map((hash) => contentKey(organization, hash)));
  return new Set([...kept].map((key) => key.slice(organization.length + 1)));
}

/** Loads a page's source; undefined if the organization has none under this hash. */
export async function findDocument(organization: string, hash: string): Promise<PageSource | undefined> {
  const [record] = await loadDocuments(organization, [hash]).then((found) => [...found.values()]);
  return record;
}

/** Loads several sources, by hash. */
export async function loadDocuments(
  organization: string,
  hashes: readonly string[],
): Promise<Map<string, PageSource>> {
  const found = new Map<string, PageSource>();
  for (const some of chunksOf(hashes, perQuery)) {
    const keys = some.map((hash) => contentKey(organization, hash));
    // Uses the driver's reader, because mongoose would copy each buffer once more.
    const records = PageDocument.collection.find<{
      _id: string;
      frontmatter: { buffer: Uint8Array };
      body: { buffer: Uint8Array };
    }>({
      _id: { $in: keys },
    } as never);
    for await (const record of records) {
      found.set(record._id.slice(organization.length + 1), {
        frontmatter: record.frontmatter.buffer,
        body: record.body.buffer,
      });
    }
  }
  return found;
}

/**
 * Decodes a page's body; bytes that are not UTF-8 appear as replacement characters, but stay in the store.
 */
export function markdownOf({ body }: PageSource): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
}
