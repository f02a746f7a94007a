import { newId } from '@bindery/runtime';
import type { ClientSession } from '../database/connection.ts';
import { writeOutboxEvents } from '../job/outbox.ts';
import { Site, SiteSpace, type SiteRecord, type SiteSpaceRecord, type SiteVisibility } from './site.ts';
import { Space, type SpaceRecord } from '../space/space.ts';

const fromMostOpen: readonly SiteVisibility[] = ['public', 'unlisted', 'share-link', 'visitor-auth'];

/** The visibility of a space in the API. */
export function visibilityOf({ siteVisibility, parent }: Pick<SpaceRecord, 'siteVisibility' | 'parent'>) {
  return siteVisibility ?? (parent === undefined ? 'private' : 'in-collection');
}

type Placed = Pick<SpaceRecord, '_id' | 'organization' | 'parent' | 'siteVisibility' | 'isDeleted'>;

/**
 * Notifies webhooks of a changed visibility of a space, in the transaction that changes it. A deleted space
 * has none.
 */
export async function tellVisibility(before: Placed, after: Placed, session: ClientSession): Promise<void> {
  const data = { previousVisibility: visibilityOf(before), visibility: visibilityOf(after) };
  if (after.isDeleted || data.visibility === data.previousVisibility) return;
  await writeOutboxEvents([{ _id: newId(), type: 'space_visibility_updated', space: after, data }], session);
}

/**
 * Recomputes the visibility of these spaces from the published sites that they are on. Call it in each
 * transaction that publishes or unpublishes a site, changes its visibility, or adds or removes a space.
 *
 * Writes each space even when nothing changes: when two transactions change two sites of one space, neither
 * sees the other's changes, and the counter makes the later one start again.
 */
export async function refreshSpaceVisibility(
  spaceIds: readonly string[],
  session: ClientSession,
): Promise<void> {
  const ids = [...new Set(spaceIds)];
  if (ids.length === 0) return;
  const placed = await SiteSpace.find({ space: { $in: ids } }, { space: 1, site: 1 })
    .session(session)
    .lean<SiteSpaceRecord[]>();
  const sites = await Site.find(
    { _id: { $in: [...new Set(placed.map(({ site }) => site))] }, isPublished: true },
    { visibility: 1 },
  )
    .session(session)
    .lean<SiteRecord[]>();
  const before = await Space.find(
    { _id: { $in: ids } },
    { organization: 1, parent: 1, siteVisibility: 1, isDeleted: 1 },
  )
    .session(session)
    .lean<Placed[]>();
  const openness = new Map(sites.map(({ _id, visibility }) => [_id, visibility]));
  const spacesOf = Map.groupBy(before, ({ _id }) => {
    const found = placed.flatMap(({ space, site }) => (space === _id ? [openness.get(site)] : []));
    return fromMostOpen.find((visibility) => found.includes(visibility));
  });
  for (const [visibility, spaces] of spacesOf) {
    const change = visibility ? { $set: { siteVisibility: visibility } } : { $unset: { siteVisibility: 1 } };
    await Space.updateMany(
      { _id: { $in: spaces.map(({ _id }) => _id) } },
      { ...change, $inc: { siteVisibilityVersion: 1 } },
      { session },
    );
    for (const space of spaces) {
      const { siteVisibility: _before, ...place } = space;
      await tellVisibility(space, { ...place, siteVisibility: visibility }, session);
    }
  }
}
