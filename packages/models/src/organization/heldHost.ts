import { CustomHostname } from './customHostname.ts';
import { SiteHost } from './siteHost.ts';

/**
 * Whether another organization has proven a host: for the proxies of its sites, or as a custom hostname.
 *
 * A host that the operator has listed needs no proof, so it has to be free in both ways: else an organization
 * would get with the one what another uses with the other.
 */
export async function isHeldByOther({
  host,
  organization,
}: {
  host: string;
  organization: string;
}): Promise<boolean> {
  const held = { provenAt: { $exists: true }, organization: { $ne: organization } };
  const found = await Promise.all([
    SiteHost.exists({ host, ...held }),
    CustomHostname.exists({ hostname: host, ...held }),
  ]);
  return found.some((claim) => claim !== null);
}
