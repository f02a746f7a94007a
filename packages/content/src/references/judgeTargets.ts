import { documentOf, type LinkSource } from './linkSources.ts';
import { factsKey, loadFacts, type DocumentOf } from './loadFacts.ts';
import type { DocumentFacts } from './documentFacts.ts';
import type { RevisionReferences } from './referenceContext.ts';
import { createResolver } from './createResolver.ts';
import type { LinkTarget } from './resolveLinks.ts';

/** The linked spaces that the caller may see, each with the relevant content. */
export type SeenSpaces = ReadonlyMap<string, RevisionReferences>;

/** Tells whether a target in content exists; undefined for a target outside of content. */
export type IsThere = (target: LinkTarget) => boolean | undefined;

/**
 * Creates the function that tells whether targets exist: pages, their anchors, files and reusable contents of
 * the visible spaces. Loads the documents of all pages whose anchors are needed at once.
 */
export async function judgeTargets(targets: readonly LinkTarget[], seen: SeenSpaces): Promise<IsThere> {
  const anchors = await loadAnchors(targets, seen);
  const fileIds = new Map<string, ReadonlySet<string>>();
  const contentIds = new Map<string, ReadonlySet<string>>();
  for (const [space, { files, reusableContents }] of seen) {
    fileIds.set(space, new Set(files.map(({ id }) => id)));
    contentIds.set(space, new Set(reusableContents.map(({ id }) => id)));
  }
  return (target) => {
    switch (target.kind) {
      case 'page': {
        const found = seen.get(target.space)?.tree.page(target.page);
        if (!found || target.anchor === undefined) return found !== undefined;
        return anchors.get(`${target.space} ${target.page}`)?.has(target.anchor) ?? true;
      }
      case 'file':
        return fileIds.get(target.space)?.has(target.id) ?? false;
      case 'reusable-content':
        return contentIds.get(target.space)?.has(target.id) ?? false;
      case 'missing':
        return false;
      case 'url':
      case 'user':
      case 'space':
      case 'collection':
      case 'openapi':
        return undefined;
    }
  };
}

/**
 * Loads the anchors of pages, by space and page: those of their own headings, and of included contents. The
 * anchors of computed pages are unknown.
 */
async function loadAnchors(
  targets: readonly LinkTarget[],
  seen: SeenSpaces,
): Promise<Map<string, ReadonlySet<string>>> {
  const anchors = new Map<string, ReadonlySet<string>>();
  const wanted = Map.groupBy(
    targets.filter((target) => target.kind === 'page' && target.anchor !== undefined),
    (target) => (target as Extract<LinkTarget, { kind: 'page' }>).space,
  );
  for (const [space, ofSpace] of wanted) {
    const references = seen.get(space);
    if (!references) continue;
    const pages = new Set(ofSpace.map((target) => (target as Extract<LinkTarget, { kind: 'page' }>).page));
    const sources = [...pages].flatMap((id): LinkSource[] => {
      const page = references.tree.page(id)?.page;
      return page && (page.type === 'document' || page.type === 'group') ? [{ page }] : [];
    });
    const factsOf = await loadFactsOfIncluded(references, sources);
    for (const source of sources) {
      const found = new Set<string>();
      collectAnchors(source, { references, factsOf, found, visited: new Set() });
      anchors.set(`${space} ${source.page?.id}`, found);
    }
  }
  return anchors;
}

type FactsOf = (source: LinkSource) => DocumentFacts | undefined;

/** Loads the facts of pages, and of every reusable content of their space if any page includes one. */
async function loadFactsOfIncluded(
  { organization, reusableContents }: RevisionReferences,
  sources: readonly LinkSource[],
): Promise<FactsOf> {
  const facts = await loadFacts(organization, documentsOf(sources));
  const hasIncludes = facts.values().some(({ links }) => links.some(({ use }) => use === 'reusable-content'));
  const included = hasIncludes
    ? await loadFacts(
        organization,
        documentsOf(reusableContents.map((reusableContent) => ({ reusableContent }))),
      )
    : new Map<string, DocumentFacts>();
  return (source) => {
    const document = documentOf(source);
    return document && (facts.get(factsKey(document)) ?? included.get(factsKey(document)));
  };
}

type Collecting = {
  references: RevisionReferences;
  factsOf: FactsOf;
  found: Set<string>;
  visited: Set<string>;
};

function collectAnchors(source: LinkSource, collecting: Collecting): void {
  const { references, factsOf, found, visited } = collecting;
  const facts = factsOf(source);
  if (!facts) return;
  for (const anchor of facts.anchors) found.add(anchor);
  const resolve = createResolver({ ...references, from: source });
  for (const { target, use } of facts.links) {
    const ref = use === 'reusable-content' ? resolve(target, use) : undefined;
    if (ref?.kind !== 'reusable-content' || visited.has(ref.reusableContent)) continue;
    visited.add(ref.reusableContent);
    const reusableContent = references.reusableContents.find(({ id }) => id === ref.reusableContent);
    if (reusableContent) collectAnchors({ reusableContent }, collecting);
  }
}

function documentsOf(sources: readonly LinkSource[]): DocumentOf[] {
  return sources.flatMap((source) => documentOf(source) ?? []);
}
