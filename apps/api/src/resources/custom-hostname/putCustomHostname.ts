import { forbidden, hostnameProblem, invalid, type Role } from '@bindery/contract';
import {
  claimHostname,
  CustomHostname,
  Site,
  type CustomHostnameRecord,
  type SiteRecord,
} from '@bindery/models';
import type { Config } from '@bindery/runtime';
import type { Actor } from '../../http/actor.ts';
import { roleInSite } from '../../permissions/access.ts';
import { sitePermissions } from '../../permissions/site.ts';
import { findOwnMembers } from '../../records/ownMember.ts';

/**
 * Claims a hostname for a site of which the caller is an admin.
 *
 * @throws invalid_request for a name that cannot be the hostname of a site, and for a site that the caller
 *   does not see; forbidden without `site.admin` there, and at the site that has the hostname now
 */
export async function putCustomHostname(
  hostname: string,
  { actor, siteId, config }: { actor: Actor; siteId: string; config: Config },
): Promise<CustomHostnameRecord> {
  const problem = hostnameProblem(hostname) ?? ownHostProblem(hostname, config);
  if (problem !== undefined) throw invalid('path.hostname', `${problem}.`);
  const site = await Site.findById(siteId).lean<SiteRecord>();
  const role = site && (await ownRole(actor, site));
  if (!site || !role) throw invalid('body.target.site', 'is not the id of a site that you may see.');
  if (!sitePermissions({ role }).admin) throw forbidden('site.admin');
  const { organization } = site;
  const known = await CustomHostname.findOne({ hostname, organization }).lean<CustomHostnameRecord>();
  const former = known && known.site !== site._id ? await Site.findById(known.site).lean<SiteRecord>() : null;
  if (former && !sitePermissions({ role: await ownRole(actor, former) }).admin) throw forbidden('site.admin');
  return claimHostname({ hostname, organization, site: site._id, createdBy: actor.user.id });
}

async function ownRole(actor: Actor, { organization, access }: SiteRecord): Promise<Role | null> {
  const [member] = await findOwnMembers(actor, [organization]);
  return member ? roleInSite({ member, access }) : null;
}

/** A host below one of the platform's own belongs to its operator, who may list it as proven. */
function ownHostProblem(hostname: string, { api, sites, hostnames }: Config): string | undefined {
  const own = [api.publicUrl, api.appUrl, sites.url].map((url) => new URL(url).hostname);
  const isOwn = [...own, hostnames.cname].some((host) => hostname === host);
  const isBelow = own.some((host) => hostname.endsWith(`.${host}`)) && !api.provenHosts.includes(hostname);
  return isOwn || isBelow ? 'is a host of the platform itself, or below one' : undefined;
}
