import { HostnameParam, notFound, type Role } from '@bindery/contract';
import { CustomHostname, Site, type CustomHostnameRecord, type SiteRecord } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import { root } from '../../http/scope.ts';
import { roleInSite } from '../../permissions/access.ts';
import { qualified } from '../../permissions/role.ts';
import { sitePermissions } from '../../permissions/site.ts';
import { findOwnMembers } from '../../records/ownMember.ts';
import { versionOf } from '../../records/versionOf.ts';

/** The hostname of a site that the caller may see; those of other organizations do not exist. */
export const inCustomHostname = root.scope({
  name: 'CustomHostname',
  path: '/custom-hostnames/:hostname',
  params: { hostname: HostnameParam },
  load: async ({ actor, params }) => {
    const found = await findOwnHostname(actor, params.hostname);
    if (!found) throw notFound('custom hostname', params.hostname);
    return found;
  },
  permissions: ({ role }) => qualified('site', sitePermissions({ role })),
  version: ({ claim }) => versionOf(CustomHostname, { _id: claim._id }),
});

/**
 * Finds the claim to a hostname that the caller sees. Of claims of several organizations of the caller, the
 * proven one, else the oldest.
 */
export async function findOwnHostname(
  actor: Actor,
  hostname: string,
): Promise<{ claim: CustomHostnameRecord; site: SiteRecord; role: Role } | undefined> {
  const members = await findOwnMembers(actor);
  const organizations = members.map(({ organization }) => organization);
  const claims = await CustomHostname.find({ hostname, organization: { $in: organizations } })
    .sort({ provenAt: -1, createdAt: 1 })
    .lean<CustomHostnameRecord[]>();
  for (const claim of claims) {
    const site = await Site.findById(claim.site).lean<SiteRecord>();
    const member = members.find(({ organization }) => organization === claim.organization);
    const role = site && member ? roleInSite({ member, access: site.access }) : null;
    if (site && role) return { claim, site, role };
  }
  return undefined;
}
