import { accessBelow } from '../access/access.ts';
import type { ClientSession } from '../database/connection.ts';
import { Grant, type GrantRecord } from '../access/grant.ts';
import { Site, type SiteRecord } from '../site/site.ts';

/** Recomputes the access of these sites. Call `lockTree` first. */
export async function refreshSiteAccess(ids: readonly string[], session: ClientSession): Promise<void> {
  const sites = await Site.find({ _id: { $in: ids } }, { defaultLevel: 1 })
    .session(session)
    .lean<SiteRecord[]>();
  const grants = await Grant.find({ target: { $in: ids } })
    .session(session)
    .lean<GrantRecord[]>();
  const grantsOf = Map.groupBy(grants, ({ target }) => target);
  if (sites.length === 0) return;
  await Site.bulkWrite(
    sites.map(({ _id, defaultLevel }) => ({
      updateOne: {
        filter: { _id },
        update: {
          $set: { access: accessBelow(undefined, { defaultLevel, grants: grantsOf.get(_id) ?? [] }) },
        },
      },
    })),
    { session },
  );
}
