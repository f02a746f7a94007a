import { PageDocument, type PageDocumentRecord } from '@bindery/models';
import type { PageSource } from '@bindery/dialect/frontmatter';
import { contentKey, insertIgnoringDuplicates } from './nodes.ts';
import { storedDocuments } from './storedContent.ts';

const perQuery = 200;

/** Stores the sources that the organization does not have; those that it has stay (`StoredItems`). @returns how many were new */
export async function storeDocuments(organization: string, sources: Iterable<{ hash: string; source: PageSource }>): Promise<number> {
  const all = new Map<string, PageSource>();
  for (const { hash, source } of sources) all.set(contentKey(organization, hash), source);
  const keys = [...all.keys()];
  let written = 0;
  for (let start = 0; start < keys.length; start += perQuery) {
    const batch = keys.slice(start, start + perQuery);
    const stored = await storedDocuments().keep(batch);
    const records = batch
      .filter((key) => !stored.has(key))
      .map((key): PageDocumentRecord => {
        const source = all.get(key) as PageSource;
        return { _id: key, frontmatter: Buffer.from(source.frontmatter), body: Buffer.from(source.body) };
      });
    if (records.length > 0)
      written += await insertIgnoringDuplicates(
        () => PageDocument.collection.insertMany(records as never[], { ordered: false }),
        records.length,
      );
  }
  return written;
}

/** Those of the hashes under which the organization has a document: they stay, as if they were stored now. */
export async function keepDocuments(organization: string, hashes: readonly string[]): Promise<Set<string>> {
  const kept = await storedDocuments().keep(hashes.map((hash) => contentKey(organization, hash)));
  return new Set([...kept].map((key) => key.slice(organization.length + 1)));
}

/** A page's source; undefined when the organization has none under this hash. */
export async function findDocument(organization: string, hash: string): Promise<PageSource | undefined> {
  const [record] = await loadDocuments(organization, [hash]).then((found) => [...found.values()]);
  return record;
}

/** Several sources, by hash. */
export async function loadDocuments(organization: string, hashes: readonly string[]): Promise<Map<string, PageSource>> {
  const found = new Map<string, PageSource>();
  for (let start = 0; start < hashes.length; start += perQuery) {
    const keys = hashes.slice(start, start + perQuery).map((hash) => contentKey(organization, hash));
    // The driver's own reader: mongoose would copy each buffer once more.
    const records = PageDocument.collection.find<{ _id: string; frontmatter: { buffer: Uint8Array }; body: { buffer: Uint8Array } }>({
      _id: { $in: keys },
    } as never);
    for await (const record of records) {
      found.set(record._id.slice(organization.length + 1), { frontmatter: record.frontmatter.buffer, body: record.body.buffer });
    }
  }
  return found;
}

/** A page's body as text; bytes that are no UTF-8 are shown as replacement characters and stay as they are in the store. */
export function markdownOf({ body }: PageSource): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
}
