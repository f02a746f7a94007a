import {
  crossSpaces,
  groupLinks,
  isInApplication,
  judgeTargets,
  loadLinksOf,
  loadReferenceContext,
  loadRevisionLinks,
  spacesNamed,
  type PageItem,
  type RevisionReferences,
  type SourceLinks,
  type TargetLinks,
} from '@bindery/content';
import type { LinkStatus } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';
import { LRUCache } from 'lru-cache';
import { findNamedObjects, type NamedObjects } from './findNamedObjects.ts';
import type { LinkedContent, LinkViewer } from './link.scope.ts';
import { loadSeenSpaces, type SeenSpace } from './seenSpaces.ts';
import { joinSpecLinks, judgeSpecParts, type JudgedLink } from './specLinks.ts';

/** Links with their targets; targets that the caller may not see count as missing. */
export type JudgedLinks = { links: JudgedLink[]; seen: ReadonlyMap<string, SeenSpace>; named: NamedObjects };

/**
 * The status is undefined for targets outside of content: it depends on more than the content of the visible
 * spaces, so it is computed for each caller.
 */
type KnownLink = TargetLinks & { known: LinkStatus | undefined };

/**
 * Limits the occurrences in the cache, which saves paging through a large space from computing its links for
 * each page.
 */
const maxCached = 500_000;
const cache = new LRUCache<string, KnownLink[]>({
  maxSize: maxCached,
  sizeCalculation: (links) => links.reduce((size, { places }) => size + 1 + places.length, 1),
});

/** The links of content, or of one page in it: each target once, with its status. */
export async function judgedLinks(
  viewer: LinkViewer,
  linked: LinkedContent,
  { page, signal }: { page?: PageItem | undefined; signal: AbortSignal },
): Promise<JudgedLinks> {
  const { appUrl } = viewer.platform.links;
  const references = await loadReferenceContext(linked.revision);
  const sources: readonly SourceLinks[] = page
    ? [{ source: { page }, links: await loadLinksOf({ page }, references, { appUrl }) }]
    : (await loadRevisionLinks(linked.revision, { appUrl, signal })).sources;
  const seen = await loadSeenSpaces(viewer, linked, spacesNamed(sources));

  const others = Array.from(seen.values(), ({ revision }) => contentOf(revision)).toSorted();
  const key = [appUrl, page?.id, contentOf(linked.revision), ...others].join(' ');
  const links = cache.get(key) ?? (await knownLinks(sources, references, { seen, appUrl }));
  cache.set(key, links);
  const targets = links.map(({ target }) => target);
  const named = await findNamedObjects(viewer, targets);
  const hasSpecPart = await judgeSpecParts(viewer, { targets, specs: named.specs });
  const isThere = ({ target }: TargetLinks) =>
    target.kind === 'space' ? seen.has(target.id) : named.has(target) && hasSpecPart(target);
  const judged = links.map(({ known, ...link }): JudgedLink => ({
    ...link,
    status: known ?? (isThere(link) ? 'ok' : 'broken'),
  }));
  return {
    links: joinSpecLinks(judged, ({ target }) => named.has(target) && !hasSpecPart(target)),
    seen,
    named,
  };
}

/** A key that is equal for equal content of the same space, which has the same links. */
function contentOf({ organization, space, pages, files, reusableContents }: RevisionRecord): string {
  return [organization, space, pages, files, reusableContents].join(' ');
}

async function knownLinks(
  sources: readonly SourceLinks[],
  references: RevisionReferences,
  { seen, appUrl }: { seen: ReadonlyMap<string, SeenSpace>; appUrl: string },
): Promise<KnownLink[]> {
  const spaces = new Map(
    Array.from(
      seen,
      ([
        id,
        {
          references: { tree },
        },
      ]) => [id, tree],
    ),
  );
  const links = groupLinks(crossSpaces(sources, references, { spaces, appUrl }));
  const isThere = await judgeTargets(
    links.map(({ target }) => target),
    new Map(Array.from(seen, ([id, space]) => [id, space.references])),
  );
  return links.map((link) => {
    const { target } = link;
    if (target.kind === 'url')
      return { ...link, known: isInApplication(target.url, appUrl) ? 'in-app' : 'ok' };
    const found = isThere(target);
    if (found === undefined) return { ...link, known: undefined };
    return { ...link, known: found ? 'ok' : 'broken' };
  });
}
