import type { OrganizationRecord, SiteRecord, SiteSectionRecord, SiteSpaceRecord } from '@bindery/models';
import type { AppLinks } from './appLinks.ts';

export type AddressedSite = Pick<SiteRecord, '_id' | 'basename' | 'hostname' | 'proxy' | 'isPublished'>;
export type AddressedOrganization = Pick<OrganizationRecord, '_id' | 'hostname'>;
export type SiteUrlContext = { links: AppLinks; organization: AddressedOrganization };

/**
 * The URL of a site, published or not: its custom hostname, else its proxy, else a path below the URL of
 * sites.
 */
export function siteUrl(
  site: AddressedSite,
  { links, organization, shareKey }: SiteUrlContext & { shareKey?: string | undefined },
): string {
  const host = site.hostname || site.proxy;
  const base = host === undefined ? ownSiteUrl(site, { links, organization }) : `https://${host}`;
  return shareKey === undefined ? base : `${base}/${shareKey}`;
}

/** The URL at which the platform itself serves a site: proxies forward to it. */
export function ownSiteUrl(
  { basename }: Pick<SiteRecord, 'basename'>,
  { links, organization }: SiteUrlContext,
): string {
  return links.site(`/${organization.hostname ?? organization._id}/${encodeURIComponent(basename)}`);
}

/** The URL at which members see a site, published or not. */
export function previewUrl({ _id }: Pick<SiteRecord, '_id'>, links: AppLinks): string {
  return links.site(`/sites/${_id}/preview`);
}

/** A site space among the sections of its site; a site without sections has none. */
type SiteSpaceInSite = {
  site: Pick<SiteRecord, 'defaultSiteSpace' | 'defaultSection'>;
  sections: readonly Pick<SiteSectionRecord, '_id' | 'path' | 'defaultSiteSpace'>[];
  siteSpace: Pick<SiteSpaceRecord, '_id' | 'path' | 'section'>;
};

/**
 * The path of a site space below the URL of its site, with a slash before each segment: that of its section,
 * then its own.
 *
 * Defaults are left out: the default site space of the default section has the site's own URL. The default
 * section is named only where the remaining path would name another section.
 */
export function siteSpacePath({ site, sections, siteSpace }: SiteSpaceInSite): string {
  const section = sections.find(({ _id }) => _id === siteSpace.section);
  const isDefault = siteSpace._id === (section ?? site).defaultSiteSpace;
  const isSectionNamed =
    section &&
    (section._id !== site.defaultSection ||
      (!isDefault && sections.some(({ path }) => path === siteSpace.path)));
  return `${isSectionNamed ? segment(section.path) : ''}${isDefault ? '' : segment(siteSpace.path)}`;
}

/** The path of a section below the URL of its site. */
export function sectionPath(
  { defaultSection }: Pick<SiteRecord, 'defaultSection'>,
  section: Pick<SiteSectionRecord, '_id' | 'path'>,
): string {
  return section._id === defaultSection ? '' : segment(section.path);
}

function segment(path: string): string {
  return `/${encodeURIComponent(path)}`;
}
