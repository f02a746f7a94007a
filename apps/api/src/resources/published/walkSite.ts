import type { SiteRecord, SiteSectionRecord, SiteSpaceRecord } from '@bindery/models';

/** What a visitor sees of a site, in display order. */
export type SiteParts = {
  site: Pick<SiteRecord, 'defaultSiteSpace' | 'defaultSection'>;
  sections: readonly Pick<SiteSectionRecord, '_id' | 'path' | 'defaultSiteSpace'>[];
  siteSpaces: readonly Pick<SiteSpaceRecord, '_id' | 'path' | 'section' | 'space'>[];
};

export type SiteMatch = {
  section?: SiteParts['sections'][number];
  siteSpace: SiteParts['siteSpaces'][number];
  /** Segments of the path that lead to the site space. */
  used: number;
  /** No longer path would lead to another site space. */
  isComplete: boolean;
};

/**
 * Finds the site space that a path leads to: a section by its path, then a variant by its path, each time the
 * default where the path names none.
 *
 * Where the default is one that the visitor does not see, the first that it sees takes its place.
 * @param path  decoded segments behind the site's own URL, those of the page included
 */
export function walkSite(
  { site, sections, siteSpaces }: SiteParts,
  path: readonly string[],
): SiteMatch | undefined {
  const inSections = sections.length > 0;

  const named = inSections ? sections.find((section) => section.path === path[0]) : undefined;
  const section = named ?? sections.find(({ _id }) => _id === site.defaultSection) ?? sections[0];
  if (inSections && !section) return undefined;
  const afterSection = named ? 1 : 0;

  const variants = siteSpaces.filter((siteSpace) => siteSpace.section === section?._id);
  const namedVariant = variants.find((siteSpace) => siteSpace.path === path[afterSection]);
  const defaultId = section ? section.defaultSiteSpace : site.defaultSiteSpace;
  const siteSpace = namedVariant ?? variants.find(({ _id }) => _id === defaultId) ?? variants[0];
  if (!siteSpace) return undefined;

  const used = afterSection + (namedVariant ? 1 : 0);
  const hasMoreVariants = !namedVariant && variants.length > 1;
  const hasMoreSections = inSections && !named && !namedVariant && sections.length > 1;
  return {
    ...(section && { section }),
    siteSpace,
    used,
    // What follows is no part of the site, or there is no other part that could follow.
    isComplete: path.length > used || !(hasMoreVariants || hasMoreSections),
  };
}
