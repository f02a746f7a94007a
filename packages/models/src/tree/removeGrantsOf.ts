import type { ClientSession } from '../database/connection.ts';
import { Grant, type GrantRecord } from '../access/grant.ts';
import { holdTree, refreshAccess } from './refreshAccess.ts';
import { refreshSiteAccess } from './refreshSiteAccess.ts';

/**
 * Removes all grants of a user or a team in an organization. Call it early in a transaction of `changeTree`.
 */
export async function removeGrantsOf(
  granted: Pick<GrantRecord, 'principal' | 'organization'>,
  session: ClientSession,
): Promise<void> {
  const grants = await Grant.find(granted).session(session).lean<GrantRecord[]>();
  const targetsOf = (areSites: boolean) =>
    grants.filter(({ targetType }) => (targetType === 'site') === areSites).map(({ target }) => target);
  const [content, sites] = [targetsOf(false), targetsOf(true)];
  if (content.length > 0) await holdTree(content, session);
  await Grant.deleteMany(granted, { session });
  if (content.length > 0) await refreshAccess(content, session);
  if (sites.length > 0) await refreshSiteAccess(sites, session);
}
