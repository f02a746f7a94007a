import type { SiteRecord, SiteSectionRecord, SiteSpaceRecord } from '@bindery/models';

/** The parts of a site that a visitor sees, in display order. */
export type SiteParts = {
  site: Pick<SiteRecord, 'defaultSiteSpace' | 'defaultSection'>;
  sections: readonly Pick<SiteSectionRecord, '_id' | 'path' | 'defaultSiteSpace'>[];
  siteSpaces: readonly Pick<SiteSpaceRecord, '_id' | 'path' | 'section' | 'space'>[];
};

export type SiteMatch = {
  section?: SiteParts['sections'][number];
  siteSpace: SiteParts['siteSpaces'][number];
  /** Number of path segments that lead to the site space. */
  used: number;
  /** Whether no longer path could lead to another site space. */
  isComplete: boolean;
};

/**
 * Finds the site space that a path leads to: a section by its path, then a variant by its path, and the
 * default where the path names none.
 *
 * If the visitor cannot see the default, the first visible one is used instead.
 * @param path  decoded segments after the site's own URL, including those of the page
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
    section,
    siteSpace,
    used,
    // The next segment is not part of the site, or no other part could follow.
    isComplete: path.length > used || !(hasMoreVariants || hasMoreSections),
  };
}
