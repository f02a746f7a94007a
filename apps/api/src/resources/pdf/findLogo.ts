import { Site, SiteSpace, type SiteRecord, type SiteSpaceRecord, type SpaceRecord } from '@bindery/models';
import { contentTypeOf } from '@bindery/content';
import { effectiveCustomization } from '@bindery/publishing';
import { readFileUrl } from '../../presenters/fileUrl.ts';
import type { Platform } from '../../platform.ts';

const maxSites = 20;
/** Media types that every version of Chromium shows. */
const shownTypes = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/svg+xml']);

/**
 * Finds the logo for the cover of a space: that of the oldest published site that shows the space, if it is a
 * file of the organization. Others would have to be fetched.
 */
export async function findLogo(
  { _id: space, organization }: SpaceRecord,
  { config }: Pick<Platform, 'config'>,
): Promise<{ blob: string; type: string } | undefined> {
  const siteSpaces = await SiteSpace.find({ space }).limit(maxSites).lean<SiteSpaceRecord[]>();
  if (siteSpaces.length === 0) return undefined;
  const sites = await Site.find({ _id: { $in: siteSpaces.map(({ site }) => site) }, isPublished: true })
    .sort({ createdAt: 1, _id: 1 })
    .lean<SiteRecord[]>();
  for (const site of sites) {
    const { logo } = effectiveCustomization(
      site,
      siteSpaces.find((each) => each.site === site._id),
    ).header;
    const file = logo && readFileUrl(config, logo.light);
    const type = file && contentTypeOf(file.name);
    if (file?.organization === organization && type !== undefined && shownTypes.has(type))
      return { blob: file.blob, type };
  }
  return undefined;
}
