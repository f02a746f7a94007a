import type { ClientSession } from './connection.ts';
import { Site, SiteSpace, type SiteRecord, type SiteSpaceRecord, type SiteVisibility } from './site.ts';
import { Space } from './space.ts';

const fromMostOpen: readonly SiteVisibility[] = ['public', 'unlisted', 'share-link', 'visitor-auth'];

/**
 * Works out anew how open these spaces are through the published sites that they are on; in every transaction that publishes a site or not,
 * changes its visibility, or puts a space onto it or takes it off.
 *
 * Each of the spaces is written even when nothing changes: of two transactions that change two sites of one space at once, neither sees what the
 * other does, and the count makes the later one start again.
 */
export async function refreshSpaceVisibility(spaceIds: readonly string[], session: ClientSession): Promise<void> {
  const ids = [...new Set(spaceIds)];
  if (ids.length === 0) return;
  const placed = await SiteSpace.find({ space: { $in: ids } }, { space: 1, site: 1 })
    .session(session)
    .lean<SiteSpaceRecord[]>();
  const sites = await Site.find({ _id: { $in: [...new Set(placed.map(({ site }) => site))] }, isPublished: true }, { visibility: 1 })
    .session(session)
    .lean<SiteRecord[]>();
  const openness = new Map(sites.map(({ _id, visibility }) => [_id, visibility]));
  const spacesOf = Map.groupBy(ids, (id) => {
    const found = placed.flatMap(({ space, site }) => (space === id ? [openness.get(site)] : []));
    return fromMostOpen.find((visibility) => found.includes(visibility));
  });
  for (const [visibility, spaces] of spacesOf) {
    const change = visibility ? { $set: { siteVisibility: visibility } } : { $unset: { siteVisibility: 1 } };
    await Space.updateMany({ _id: { $in: spaces } }, { ...change, $inc: { siteVisibilityVersion: 1 } }, { session });
  }
}
