import { setImmediate } from 'node:timers/promises';
import type { RevisionRecord } from '@bindery/models';
import { LRUCache } from 'lru-cache';
import { hashOfJson } from '../store/hash.ts';
import { documentOf, sourcesOf, type LinkSource } from './linkSources.ts';
import { factsKey, loadFacts } from './loadFacts.ts';
import { lookupInMaps } from './lookupInMaps.ts';
import { loadReferenceContext, type RevisionReferences } from './referenceContext.ts';
import { resolveLinks, type Link } from './resolveLinks.ts';

export type SourceLinks = { source: LinkSource; links: readonly Link[] };

/** All links of a revision; those into other spaces are unresolved. */
export type RevisionLinks = { references: RevisionReferences; sources: readonly SourceLinks[] };

type Options = {
  /** Origin of the application. */
  appUrl: string;
  /** Aborts between documents that need parsing; the facts computed so far are stored. */
  signal?: AbortSignal;
};

/** Maximum number of links in the cache. */
const maxCached = 1_000_000;
/** Number of sources after which other work gets a turn. */
const perTurn = 200;

const revisions = new LRUCache<string, RevisionLinks>({
  maxSize: maxCached,
  sizeCalculation: ({ sources }) => sources.reduce((size, { links }) => size + 2 + links.length, 1),
});

/**
 * The resolved links of a space's documents, valid while its pages and files keep their ids, paths and files.
 */
const resolved = new LRUCache<string, ReadonlyMap<string, readonly Link[]>>({ max: 100 });

/**
 * Loads the links of every page and reusable content of a revision.
 *
 * After an edit that moves and renames nothing, only changed documents are processed; after a move, all links
 * are looked up again, but no document is parsed.
 */
export async function loadRevisionLinks(
  revision: RevisionRecord,
  { appUrl, signal }: Options,
): Promise<RevisionLinks> {
  const { organization, space } = revision;
  const key = [organization, space, revision.pages, revision.files, revision.reusableContents, appUrl].join(
    ' ',
  );
  const known = revisions.get(key);
  if (known) return known;
  const references = await loadReferenceContext(revision);
  const all = [...sourcesOf(references)];
  const addressing = [organization, space, appUrl, addressesOf(references)].join(' ');
  const before = resolved.get(addressing);
  const fresh = all.filter((source) => !before?.has(linksKey(source)));
  const facts = await loadFacts(
    organization,
    fresh.flatMap((source) => documentOf(source) ?? []),
    { signal },
  );
  const context = { ...references, tree: lookupInMaps(references.tree), appUrl };
  const now = new Map<string, readonly Link[]>();
  const sources: SourceLinks[] = [];
  for (const [index, source] of all.entries()) {
    const sourceKey = linksKey(source);
    const document = documentOf(source);
    const links =
      before?.get(sourceKey) ??
      resolveLinks(source, document && facts.get(factsKey(document)), { ...context, from: source });
    now.set(sourceKey, links);
    sources.push({ source, links });
    if (index % perTurn === perTurn - 1) await setImmediate();
  }
  const links = { references, sources };
  resolved.set(addressing, now);
  revisions.set(key, links);
  return links;
}

/** Loads the links of one page or reusable content, at a cost proportional to its content. */
export async function loadLinksOf(
  source: LinkSource,
  references: RevisionReferences,
  { appUrl }: Options,
): Promise<readonly Link[]> {
  const document = documentOf(source);
  const facts = await loadFacts(references.organization, document ? [document] : []);
  return resolveLinks(source, document && facts.get(factsKey(document)), {
    ...references,
    from: source,
    appUrl,
  });
}

/** All data that links are looked up by: while it is unchanged, links keep their targets. */
function addressesOf({ tree, files, reusableContents }: RevisionReferences): string {
  const ofItem = ({
    id,
    git,
    ...item
  }: {
    id: string;
    git?: { path: string };
    name?: string;
    title?: string;
  }) => [id, git?.path, item.name ?? item.title];
  return hashOfJson([
    Array.from(tree.all(), ({ page }) => [
      page.id,
      page.type,
      'path' in page ? page.path : '',
      page.type === 'document' ? (page.git?.path ?? '') : '',
    ]),
    files.map(ofItem),
    reusableContents.map(ofItem),
  ]);
}

function linksKey({ page, reusableContent }: LinkSource): string {
  if (reusableContent) return `content ${reusableContent.id} ${reusableContent.document}`;
  if (page.type === 'document')
    return `page ${page.id} ${page.document ?? ''} ${JSON.stringify([page.title, page.cover ?? ''])}`;
  const shown = page.type === 'computed' ? page.computed : '';
  return `page ${page.id} ${JSON.stringify(page.type === 'link' ? page.target : shown)}`;
}
