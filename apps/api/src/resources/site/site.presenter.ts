import { siteFeatures, type Role, type Site } from '@bindery/contract';
import { hostOfProxy, siteHostProof, type OrganizationRecord, type SiteRecord } from '@bindery/models';
import { ownSiteUrl, previewUrl, siteUrl } from '@bindery/publishing';
import { shownLevel } from '../../permissions/access.ts';
import { sitePermissions } from '../../permissions/site.ts';
import type { Links } from '../../presenters/links.ts';

/**
 * @param role      the role of the caller in the site
 * @param shareKey  the secret of the share link that opened the site: its published URL contains it
 */
export function presentSite(
  site: SiteRecord,
  {
    links,
    role,
    organization,
    shareKey,
  }: { links: Links; role: Role | null; organization: OrganizationRecord; shareKey?: string | undefined },
): Site {
  const {
    _id: id,
    type,
    title,
    icon,
    hostname,
    basename,
    visibility,
    isPublished,
    adaptiveContent,
    agentsContext,
  } = site;
  const proxy = site.proxy ?? site.pendingProxy;
  const permissions = sitePermissions({ role });
  return {
    object: 'site',
    id,
    type,
    appliedType: type,
    title,
    icon,
    hostname,
    basename,
    proxy:
      proxy === undefined
        ? undefined
        : {
            origin: proxy,
            target: ownSiteUrl(site, { links, organization }),
            verification: permissions.edit ? presentVerification(site, proxy) : undefined,
          },
    visibility,
    published: isPublished,
    siteSpaces: site.siteSpaces,
    createdAt: site.createdAt.toISOString(),
    adaptiveContent: adaptiveContent ? { enabled: adaptiveContent.enabled } : undefined,
    agentsContext,
    defaultLevel: shownLevel(site.access, organization),
    features,
    urls: {
      location: links.api(`/orgs/${site.organization}/sites/${id}`),
      app: links.app(`/sites/${id}`),
      published: isPublished ? siteUrl(site, { links, organization, shareKey }) : undefined,
      preview: previewUrl(site, links),
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
