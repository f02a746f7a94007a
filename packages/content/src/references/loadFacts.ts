import { DocumentLinks, type DocumentLinksRecord } from '@bindery/models';
import { LRUCache } from 'lru-cache';
import { factsOnThread } from '../parser-threads/factsOnThread.ts';
import { withoutTitle } from '@bindery/dialect/syntax';
import { loadDocuments, markdownOf } from '../store/documents.ts';
import type { PageSource } from '@bindery/dialect/frontmatter';
import { chunksOf } from '@bindery/runtime';
import { sha256 } from '../store/hash.ts';
import { contentKey } from '../store/nodes.ts';
import { factsFormat, noFacts, type DocumentFacts } from './documentFacts.ts';
import { storeFacts } from './storeFacts.ts';

/** The document of a page, without the title line, or of a reusable content, which has none. */
export type DocumentOf = { hash: string } & ({ of: 'page'; title: string } | { of: 'reusable-content' });

/** Maximum number of links and anchors in the cache. */
const maxCached = 300_000;
const perQuery = 500;
/** The documents of a batch are stored together: their time is lost when the process ends. */
const perBatch = 25;
/** Batches in work at once: those that the threads parse, and one that is being loaded or stored. */
const batchesAtOnce = 3;

const cache = new LRUCache<string, DocumentFacts>({
  maxSize: maxCached,
  sizeCalculation: ({ links, anchors }) => 5 + links.length + anchors.length,
});

/**
 * Loads the facts of documents, by `factsKey`. Each document is parsed once for an organization; its facts
 * are stored for later calls. Several documents are parsed at once, on other threads.
 *
 * @param signal  aborts between two batches of documents; the facts computed so far are stored
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
  const keep = (facts: ReadonlyMap<string, DocumentFacts>) => {
    for (const [key, each] of facts) {
      found.set(key, each);
      wanted.delete(key);
      cache.set(contentKey(organization, key), each);
    }
  };
  for (const keys of chunksOf([...wanted.keys()], perQuery)) keep(await findFacts(organization, keys));

  const batches = batchesOf([...wanted.values()]);
  const work = async () => {
    for (const batch of batches) {
      signal?.throwIfAborted();
      // Another process may have read them since: the worker reads the pages of an import as well.
      const stored = await findFacts(organization, batch.map(factsKey));
      keep(stored);
      keep(
        await readFacts(
          organization,
          batch.filter((document) => !stored.has(factsKey(document))),
        ),
      );
    }
  };
  await Promise.all(Array.from({ length: batchesAtOnce }, work));
  return found;
}

/** The key includes the title, because one source may be the document of pages with different titles. */
export function factsKey(document: DocumentOf): string {
  return `${document.hash}:${document.of === 'page' ? sha256(document.title).slice(0, 16) : 'content'}`;
}

/** The text that the facts of a document are read from. */
function textOf(document: DocumentOf, source: PageSource): string {
  const markdown = markdownOf(source);
  return document.of === 'page' ? withoutTitle(markdown, document.title) : markdown;
}

/**
 * Yields the documents in batches, from a random one onward: so several processes that read the same space at
 * once share the work. An error of one reader ends the batches of all.
 */
function* batchesOf(documents: readonly DocumentOf[]): Generator<DocumentOf[]> {
  const start = Math.floor(Math.random() * documents.length);
  yield* chunksOf([...documents.slice(start), ...documents.slice(0, start)], perBatch);
}

async function findFacts(organization: string, keys: readonly string[]): Promise<Map<string, DocumentFacts>> {
  const ids = keys.map((key) => contentKey(organization, key));
  const records = await DocumentLinks.find({ _id: { $in: ids }, format: factsFormat }).lean<
    DocumentLinksRecord[]
  >();
  return new Map(
    records.map(({ _id, links, anchors, spaces = [], chains = [] }) => [
      _id.slice(organization.length + 1),
      { links, anchors, spaces, chains },
    ]),
  );
}

/** Reads and stores facts. A document that takes too long to parse has no links. */
async function readFacts(
  organization: string,
  documents: readonly DocumentOf[],
): Promise<Map<string, DocumentFacts>> {
  if (documents.length === 0) return new Map();
  const sources = await loadDocuments(
    organization,
    documents.map(({ hash }) => hash),
  );
  const texts = documents.map((document) => {
    const source = sources.get(document.hash);
    if (!source) throw new Error(`The document ${document.hash} is missing.`);
    return textOf(document, source);
  });
  const read = await factsOnThread(texts, organization);
  const facts = new Map(documents.map((document, at) => [factsKey(document), read[at] ?? noFacts]));
  await storeFacts(organization, facts);
  return facts;
}
