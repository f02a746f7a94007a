import type { ClientSession } from '../database/connection.ts';
import { Lease } from '../job/job.ts';
import { CustomHostname } from './customHostname.ts';
import { SiteHost } from './siteHost.ts';

type Host = { host: string; organization: string };

/**
 * Whether another organization has proven a host: for the proxies of its sites, or as a custom hostname.
 *
 * A host that the operator has listed needs no proof, so it has to be free in both ways: else an organization
 * would get with the one what another uses with the other.
 */
export async function isHeldByOther(
  { host, organization }: Host,
  session: ClientSession | null = null,
): Promise<boolean> {
  const held = { provenAt: { $exists: true }, organization: { $ne: organization } };
  const inProxies = await SiteHost.exists({ host, ...held }).session(session);
  return Boolean(inProxies ?? (await CustomHostname.exists({ hostname: host, ...held }).session(session)));
}

/**
 * The condition on which a transaction may prove a listed host: it is free. The two ways to use a host are
 * two collections, which no index spans: all such transactions write one record, so that MongoDB lets one of
 * them pass at a time.
 */
export function ifListedHostIsFree(host: Host): (session: ClientSession) => Promise<boolean> {
  return async (session) => {
    await Lease.updateOne({ _id: 'listedHosts' }, { $inc: { turns: 1 } }, { upsert: true, session });
    return !(await isHeldByOther(host, session));
  };
}
