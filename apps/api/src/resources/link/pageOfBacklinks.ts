import {
  findMentions,
  loadReferenceContext,
  loadRevisionLinks,
  placesInOtherSpace,
  placesThatReferTo,
  recordMentions,
  withoutMentions,
  type LinkedItem,
  type LinkOccurrence,
} from '@bindery/content';
import type { ContentLocation } from '@bindery/contract';
import { Space, type SpaceRecord } from '@bindery/models';
import { withinTime } from '@bindery/publishing';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { visibleTo } from '../../permissions/access.ts';
import { cutByKey } from './cutByKey.ts';
import type { LinkedContent, LinkViewer } from './link.scope.ts';
import { createLocations } from './locations.ts';
import { loadMainRevisions } from '../../records/mainRevisions.ts';
import { loadSeenSpaces } from './seenSpaces.ts';

type Backlink = { space: string; place: LinkOccurrence };

/**
 * The references to a page, with any anchor, or to a file: first from the same content in the order of its
 * tree, then from the main content of other spaces, ordered by their ids. References that the caller may not
 * see are neither listed nor counted.
 */
export async function pageOfBacklinks(
  viewer: LinkViewer,
  linked: LinkedContent,
  { item, ...query }: PageQuery & { item: LinkedItem },
): Promise<Page<ContentLocation>> {
  return withinTime(async (signal) => {
    const { appUrl } = viewer.platform.links;
    const own = placesThatReferTo(item, await loadRevisionLinks(linked.revision, { appUrl, signal }));
    const backlinks: Backlink[] = own.map((place) => ({ space: viewer.space._id, place }));
    // Other spaces can refer to pages, but not to files.
    if (item.kind === 'page') backlinks.push(...(await fromOtherSpaces(viewer, linked, item.id, signal)));
    const { items, next } = cutByKey(backlinks, query, keyOf);
    const seen = await loadSeenSpaces(viewer, linked, [...new Set(backlinks.map(({ space }) => space))]);
    const locations = await createLocations(viewer, linked, seen);
    // A space may have been deleted since the links were read.
    const shown = items.filter(({ space }) => seen.has(space));
    return {
      count: backlinks.length,
      next,
      items: shown.map(({ space, place }) => locations.ofPlace(space, place)),
    };
  });
}

async function fromOtherSpaces(
  viewer: LinkViewer,
  { revision }: LinkedContent,
  page: string,
  signal: AbortSignal,
): Promise<Backlink[]> {
  const { space: own, organization, member } = viewer;
  const filter = { organization: organization._id, isDeleted: false, ...visibleTo(member) };
  const visible = await Space.find(filter, { revision: 1 }).lean<Pick<SpaceRecord, '_id' | 'revision'>[]>();
  const others = visible.filter(({ _id }) => _id !== own._id);
  const changed = await withoutMentions(organization._id, others);
  for (const main of (await loadMainRevisions(changed)).values()) {
    signal.throwIfAborted();
    await recordMentions(main, { signal });
  }
  const { spaces, documents } = await findMentions(organization._id, {
    of: own._id,
    among: others.map(({ _id }) => _id),
  });
  const mentioning = others
    .filter(({ _id }) => spaces.includes(_id))
    .toSorted((a, b) => (a._id < b._id ? -1 : 1));
  const { appUrl } = viewer.platform.links;
  const into = await loadReferenceContext(revision);
  const found: Backlink[] = [];
  for (const [space, main] of await loadMainRevisions(mentioning)) {
    const places = await placesInOtherSpace(page, { revision: main, documents, into, appUrl });
    found.push(...places.map((place) => ({ space, place })));
  }
  return found;
}

function keyOf({ space, place: { source, block } }: Backlink): string {
  return [space, source.page?.id ?? source.reusableContent?.id, block].join(' ');
}
