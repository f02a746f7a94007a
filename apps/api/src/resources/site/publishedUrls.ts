import {
  Site,
  SiteSection,
  SiteSpace,
  type SiteRecord,
  type SiteSectionRecord,
  type SiteSpaceRecord,
  type SpaceRecord,
} from '@bindery/models';
import { siteSpacePath, siteUrl, type SiteUrlContext } from '@bindery/publishing';

/**
 * The URLs of these spaces on published sites, by space id: on the most open site, and of several on the one
 * to which the space was added first. Spaces on no published site have no entry. Takes three queries for any
 * number of spaces, and none if no space is published.
 */
export async function findPublishedUrls(
  spaces: readonly Pick<SpaceRecord, '_id' | 'siteVisibility'>[],
  { links, organization }: SiteUrlContext,
): Promise<Map<string, string>> {
  const published = new Map(
    spaces.flatMap(({ _id, siteVisibility }) => (siteVisibility ? [[_id, siteVisibility]] : [])),
  );
  if (published.size === 0) return new Map();
  const placed = await SiteSpace.find({ space: { $in: [...published.keys()] } }).lean<SiteSpaceRecord[]>();
  const siteIds = [...new Set(placed.map(({ site }) => site))];
  const [sites, sections] = await Promise.all([
    Site.find({ _id: { $in: siteIds }, organization: organization._id, isPublished: true }).lean<
      SiteRecord[]
    >(),
    SiteSection.find({ site: { $in: siteIds } }, { site: 1, path: 1, defaultSiteSpace: 1 }).lean<
      SiteSectionRecord[]
    >(),
  ]);
  const siteById = new Map(sites.map((site) => [site._id, site]));
  const sectionsOf = Map.groupBy(sections, ({ site }) => site);
  const urls = new Map<string, string>();
  for (const siteSpace of placed.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())) {
    const site = siteById.get(siteSpace.site);
    if (!site || site.visibility !== published.get(siteSpace.space) || urls.has(siteSpace.space)) continue;
    urls.set(
      siteSpace.space,
      siteUrl(site, { links, organization }) +
        siteSpacePath({ site, sections: sectionsOf.get(site._id) ?? [], siteSpace }),
    );
  }
  return urls;
}
