import type { OrganizationRecord, SiteRecord, SiteSectionRecord, SiteSpaceRecord } from '@bindery/models';
import { appUrl } from '../../platform.ts';

export type AddressedSite = Pick<SiteRecord, '_id' | 'basename' | 'hostname' | 'proxy' | 'isPublished'>;
export type AddressedOrganization = Pick<OrganizationRecord, '_id' | 'hostname'>;

/** Where a site is, or would be when it were published: its custom hostname, else its proxy, else a path of the application's origin. */
export function siteUrl(
  site: AddressedSite,
  organization: AddressedOrganization,
  { shareKey }: { shareKey?: string | undefined } = {},
): string {
  const base = site.hostname
    ? `https://${site.hostname}`
    : site.proxy === undefined
      ? ownSiteUrl(site, organization)
      : `https://${site.proxy}`;
  return shareKey === undefined ? base : `${base}/${shareKey}`;
}

/** Where the platform itself serves a site: what a proxy has to ask. */
export function ownSiteUrl({ basename }: Pick<SiteRecord, 'basename'>, { _id, hostname }: AddressedOrganization): string {
  return appUrl(`/${hostname ?? _id}/${encodeURIComponent(basename)}`);
}

/** Where members look at a site, published or not. */
export function previewUrl({ _id }: Pick<SiteRecord, '_id'>): string {
  return appUrl(`/sites/${_id}/preview`);
}

/** A site space among the sections of its site; a site without sections has none. */
type SiteSpaceInSite = {
  site: Pick<SiteRecord, 'defaultSiteSpace' | 'defaultSection'>;
  sections: readonly Pick<SiteSectionRecord, '_id' | 'path' | 'defaultSiteSpace'>[];
  siteSpace: Pick<SiteSpaceRecord, '_id' | 'path' | 'section'>;
};

/**
 * The path of a site space below the URL of its site, with a slash before each segment: that of its section, then its own.
 *
 * What is a default is left out: the default site space of the default section is at the site's own URL. Only where the path that is left would be
 * that of another section, the default section is named too.
 */
export function siteSpacePath({ site, sections, siteSpace }: SiteSpaceInSite): string {
  const section = sections.find(({ _id }) => _id === siteSpace.section);
  const isDefault = siteSpace._id === (section ?? site).defaultSiteSpace;
  const isSectionNamed =
    section && (section._id !== site.defaultSection || (!isDefault && sections.some(({ path }) => path === siteSpace.path)));
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
