import type { RevisionRecord } from '@bindery/models';
import { documentOf, ownReferences, sourcesOf } from './linkSources.ts';
import { factsKey, loadFacts } from './loadFacts.ts';
import { placesOf, type LinkOccurrence } from './groupLinks.ts';
import { lookupInMaps } from './lookupInMaps.ts';
import { loadReferenceContext, type RevisionReferences } from './referenceContext.ts';
import { resolveLinks, type LinkTarget } from './resolveLinks.ts';
import type { RevisionLinks } from './revisionLinks.ts';
import { spaceNamedIn } from './spaceUrl.ts';

/** The object whose backlinks are listed. */
export type LinkedItem = { kind: 'page' | 'file'; id: string };

/**
 * Lists the occurrences in a space that refer to a page, regardless of the anchor, or to a file of that
 * space.
 */
export function placesThatReferTo(
  { kind, id }: LinkedItem,
  { references: { space }, sources }: RevisionLinks,
): LinkOccurrence[] {
  return sources.flatMap(({ source, links }) => {
    const blocks = links
      .filter(({ target }) => target.kind === kind && target.space === space && idOf(target) === id)
      .map((link) => link.blocks);
    return distinctPlaces(blocks.flatMap((ofLink) => placesOf(source, ofLink)));
  });
}

/**
 * Lists the occurrences in another space that refer to a page.
 *
 * @param documents  keys of the facts of all documents that mention the page's space
 * @param into       the content that contains the page
 */
export async function placesInOtherSpace(
  page: string,
  {
    revision,
    documents,
    into,
    appUrl,
  }: { revision: RevisionRecord; documents: ReadonlySet<string>; into: RevisionReferences; appUrl: string },
): Promise<LinkOccurrence[]> {
  const references = await loadReferenceContext(revision);
  const mentioning = [...sourcesOf(references)].filter((source) => {
    const document = documentOf(source);
    return (
      (document && documents.has(factsKey(document))) ||
      ownReferences(source).some(({ ref }) => 'space' in ref && ref.space === into.space)
    );
  });
  const facts = await loadFacts(
    revision.organization,
    mentioning.flatMap((source) => documentOf(source) ?? []),
  );
  const context = {
    ...references,
    tree: mentioning.length < worthMaps ? references.tree : lookupInMaps(references.tree),
    appUrl,
    spaces: new Map([[into.space, lookupInMaps(into.tree)]]),
  };
  return mentioning.flatMap((source) => {
    const document = documentOf(source);
    const own = document && facts.get(factsKey(document));
    const links = own?.links.filter(({ target }) => spaceNamedIn(target) === into.space) ?? [];
    const resolved = resolveLinks(source, { links, chains: [] }, { ...context, from: source });
    const found = resolved.filter(
      ({ target }) => target.kind === 'page' && target.space === into.space && target.page === page,
    );
    return distinctPlaces(found.flatMap(({ blocks }) => placesOf(source, blocks)));
  });
}

/** Number of pages from which putting a whole tree into maps pays off. */
const worthMaps = 20;

function idOf(target: LinkTarget): string | undefined {
  if (target.kind === 'page') return target.page;
  return 'id' in target ? target.id : undefined;
}

/** A block may refer to the same page twice: with an anchor and without. */
function distinctPlaces(places: readonly LinkOccurrence[]): LinkOccurrence[] {
  return [...new Map(places.map((place) => [place.block ?? '', place])).values()];
}
