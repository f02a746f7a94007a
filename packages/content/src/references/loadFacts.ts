import { setImmediate } from 'node:timers/promises';
import { emptyDocument } from '@bindery/contract';
import { DocumentLinks, insertIgnoringDuplicates, type DocumentLinksRecord } from '@bindery/models';
import { LRUCache } from 'lru-cache';
import { parseOnThread } from '../parser-threads/parseOnThread.ts';
import { parseForVisitors } from '../parser-threads/parseForVisitors.ts';
import { withoutTitle } from '@bindery/dialect/syntax';
import { loadDocuments, markdownOf } from '../store/documents.ts';
import type { PageSource } from '@bindery/dialect/frontmatter';
import { chunksOf } from '@bindery/runtime';
import { sha256 } from '../store/hash.ts';
import { contentKey } from '../store/nodes.ts';
import { factsFormat, factsOf, type DocumentFacts } from './documentFacts.ts';

/** The document of a page, without the title line, or of a reusable content, which has none. */
export type DocumentOf = { hash: string } & ({ of: 'page'; title: string } | { of: 'reusable-content' });

/** Maximum number of links and anchors in the cache. */
const maxCached = 300_000;
const perQuery = 500;
const perParse = 50;

const cache = new LRUCache<string, DocumentFacts>({
  maxSize: maxCached,
  sizeCalculation: ({ links, anchors }) => 5 + links.length + anchors.length,
});

/**
 * Loads the facts of documents, by `factsKey`. Each document is parsed once for an organization; its facts
 * are stored for later calls.
 *
 * @param signal  aborts between two documents; the facts computed so far are stored
 */
export async function loadFacts(
  organization: string,
  documents: readonly DocumentOf[],
  { signal }: { signal?: AbortSignal } = {},
): Promise<Map<string, DocumentFacts>> {
  const found = new Map<string, DocumentFacts>();
  const wanted = new Map<string, DocumentOf>();
  for (const document of documents) {
    const key = factsKey(document);
    const known = cache.get(contentKey(organization, key));
    if (known) found.set(key, known);
    else wanted.set(key, document);
  }
  const keep = (key: string, facts: DocumentFacts) => {
    found.set(key, facts);
    wanted.delete(key);
    cache.set(contentKey(organization, key), facts);
  };
  for (const keys of chunksOf([...wanted.keys()], perQuery)) {
    const ids = keys.map((key) => contentKey(organization, key));
    const records = await DocumentLinks.find({ _id: { $in: ids }, format: factsFormat }).lean<
      DocumentLinksRecord[]
    >();
    for (const { _id, links, anchors, spaces = [], chains = [] } of records)
      keep(_id.slice(organization.length + 1), { links, anchors, spaces, chains });
  }
  for (const batch of chunksOf([...wanted.values()], perParse)) {
    const sources = await loadDocuments(
      organization,
      batch.map(({ hash }) => hash),
    );
    const made = new Map<string, DocumentFacts>();
    for (const document of batch) {
      signal?.throwIfAborted();
      const source = sources.get(document.hash);
      if (!source) throw new Error(`The document ${document.hash} is missing.`);
      made.set(factsKey(document), await readFacts(document, source, organization));
      // Yields to other work of the process.
      await setImmediate();
    }
    await storeFacts(organization, made);
    for (const [key, facts] of made) keep(key, facts);
  }
  return found;
}

/** The key includes the title, because one source may be the document of pages with different titles. */
export function factsKey(document: DocumentOf): string {
  return `${document.hash}:${document.of === 'page' ? sha256(document.title).slice(0, 16) : 'content'}`;
}

/** A document that takes too long to parse has no links. */
async function readFacts(of: DocumentOf, source: PageSource, organization: string): Promise<DocumentFacts> {
  const markdown = markdownOf(source);
  const text = of.of === 'page' ? withoutTitle(markdown, of.title) : markdown;
  const document = await parseOnThread(text, organization);
  return document
    ? factsOf(document, (await parseForVisitors(text, document, organization)) ?? emptyDocument)
    : factsOf(emptyDocument);
}

async function storeFacts(organization: string, made: ReadonlyMap<string, DocumentFacts>): Promise<void> {
  const records = [...made].map(([key, { links, anchors, spaces, chains }]): DocumentLinksRecord => ({
    _id: contentKey(organization, key),
    organization,
    format: factsFormat,
    links: [...links],
    anchors: [...anchors],
    chains: chains.length > 0 ? chains.map((chain) => [...chain]) : undefined,
    spaces: spaces.length > 0 ? [...spaces] : undefined,
  }));
  // Replaces facts in an earlier format.
  await DocumentLinks.deleteMany({
    _id: { $in: records.map(({ _id }) => _id) },
    format: { $ne: factsFormat },
  });
  await insertIgnoringDuplicates(DocumentLinks.collection, records);
}
