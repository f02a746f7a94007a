import { siteFeatures, type Role, type Site } from '@bindery/contract';
import { hostOfProxy, siteHostProof, type OrganizationRecord, type SiteRecord } from '@bindery/models';
import { shownLevel } from '../../permissions/access.ts';
import { sitePermissions } from '../../permissions/site.ts';
import { apiUrl, appUrl } from '../../platform.ts';
import { ownSiteUrl, previewUrl, siteUrl } from './siteUrl.ts';

/**
 * @param role      what the caller may do in the site
 * @param shareKey  the secret of a share link with which the site was opened: its URL holds it
 */
export function presentSite(
  site: SiteRecord,
  { role, organization, shareKey }: { role: Role | null; organization: OrganizationRecord; shareKey?: string | undefined },
): Site {
  const { _id: id, type, title, icon, hostname, basename, visibility, isPublished, adaptiveContent, agentsContext } = site;
  const proxy = site.proxy ?? site.pendingProxy;
  const permissions = sitePermissions({ role });
  return {
    object: 'site',
    id,
    type,
    appliedType: type,
    title,
    ...(icon && { icon }),
    ...(hostname !== undefined && { hostname }),
    basename,
    ...(proxy !== undefined && {
      proxy: {
        origin: proxy,
        target: ownSiteUrl(site, organization),
        ...(permissions.edit && { verification: presentVerification(site, proxy) }),
      },
    }),
    visibility,
    published: isPublished,
    siteSpaces: site.siteSpaces,
    createdAt: site.createdAt.toISOString(),
    ...(adaptiveContent && { adaptiveContent: { enabled: adaptiveContent.enabled } }),
    agentsContext,
    defaultLevel: shownLevel(site.access, organization),
    features,
    urls: {
      location: apiUrl(`/orgs/${site.organization}/sites/${id}`),
      app: appUrl(`/sites/${id}`),
      ...(isPublished && { published: siteUrl(site, organization, { shareKey }) }),
      preview: previewUrl(site),
    },
    permissions,
  };
}

function presentVerification(
  { organization, pendingProxy }: SiteRecord,
  proxy: string,
): NonNullable<NonNullable<Site['proxy']>['verification']> {
  const host = hostOfProxy(proxy);
  const { name, value, path } = siteHostProof({ host, organization });
  return {
    status: pendingProxy === undefined ? 'verified' : 'pending',
    record: { type: 'TXT', name, value },
    url: `https://${host}${path}`,
  };
}

/** No feature depends on the type, so every site has all of them. */
const features = siteFeatures.map((feature) => ({ id: feature, plan: 'basic' as const, frozen: false }));
