import { siteFeatures, type Role, type Site } from '@bindery/contract';
import type { OrganizationRecord, SiteRecord } from '@bindery/models';
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
  const { _id: id, type, title, icon, hostname, basename, proxy, visibility, isPublished, adaptiveContent, agentsContext } = site;
  return {
    object: 'site',
    id,
    type,
    appliedType: type,
    title,
    ...(icon && { icon }),
    ...(hostname !== undefined && { hostname }),
    basename,
    ...(proxy !== undefined && { proxy: { origin: proxy, target: ownSiteUrl(site, organization) } }),
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
    permissions: sitePermissions({ role }),
  };
}

/** No feature depends on the type, so every site has all of them. */
const features = siteFeatures.map((feature) => ({ id: feature, plan: 'basic' as const, frozen: false }));
