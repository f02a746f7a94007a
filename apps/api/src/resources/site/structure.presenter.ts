import type { SiteSection, SiteSectionGroup, SiteSpace, SiteStructure } from '@bindery/contract';
import type { SiteSectionGroupRecord, SiteSectionRecord, SiteSpaceRecord } from '@bindery/models';
import { compareCursors, sectionPath, siteSpacePath, siteUrl } from '@bindery/publishing';
import type { SiteView } from './siteView.ts';

/** Presents the sections and groups of a site; of a site without sections its site spaces. */
export function presentStructure(view: SiteView): SiteStructure {
  if (view.sections.length === 0)
    return { type: 'siteSpaces', structure: presentSiteSpaces(view.siteSpaces, view) };
  const groups = view.groups.map((group) => ({
    place: view.placeOf(group._id),
    shown: presentSiteSectionGroup(group, view),
  }));
  const sections = view.sections
    .filter(({ group }) => group === undefined)
    .map((section) => ({ place: view.placeOf(section._id), shown: presentSiteSection(section, view) }));
  const inOrder = [...groups, ...sections].toSorted((a, b) => compareCursors(a.place, b.place));
  return { type: 'sections', structure: inOrder.map(({ shown }) => shown) };
}

/** Skips site spaces without a space: purging a space removes its site spaces a moment later. */
export function presentSiteSpaces(siteSpaces: readonly SiteSpaceRecord[], view: SiteView): SiteSpace[] {
  return siteSpaces
    .filter(({ space }) => view.spaces.has(space))
    .map((siteSpace) => presentSiteSpace(siteSpace, view));
}

export function presentSiteSpace(siteSpace: SiteSpaceRecord, view: SiteView): SiteSpace {
  const { _id: id, path, section, condition } = siteSpace;
  const space = view.spaces.get(siteSpace.space);
  if (!space) throw new Error(`The space of the site space ${id} was not loaded.`);
  const place = section === undefined ? view.site : view.sections.find(({ _id }) => _id === section);
  return {
    object: 'site-space',
    id,
    path,
    section,
    space,
    title: space.title,
    default: place?.defaultSiteSpace === id,
    condition,
    draft: false,
    hasAdvancedCustomizationFeature: true,
    urls: publishedAt(view, () => siteSpacePath({ ...view, siteSpace })),
  };
}

export function presentSiteSection(section: SiteSectionRecord, view: SiteView): SiteSection {
  const { _id: id, title, description, icon, path, condition, group } = section;
  return {
    object: 'site-section',
    id,
    title,
    description,
    icon,
    default: view.site.defaultSection === id,
    draft: false,
    path,
    condition,
    sectionGroup: group,
    siteSpaces: presentSiteSpaces(
      view.siteSpaces.filter((siteSpace) => siteSpace.section === id),
      view,
    ),
    urls: publishedAt(view, () => sectionPath(view.site, section)),
  };
}

export function presentSiteSectionGroup(
  { _id: id, title, icon }: SiteSectionGroupRecord,
  view: SiteView,
): SiteSectionGroup {
  const sections = view.sections
    .filter(({ group }) => group === id)
    .map((section) => presentSiteSection(section, view));
  return {
    object: 'site-section-group',
    id,
    title,
    icon,
    draft: false,
    sections,
    children: sections,
  };
}

function publishedAt(
  { links, site, organization, shareKey }: SiteView,
  path: () => string,
): { published?: string } {
  return site.isPublished ? { published: siteUrl(site, { links, organization, shareKey }) + path() } : {};
}
