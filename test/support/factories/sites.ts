import {
  ShareLink,
  Site,
  SiteRedirect,
  SiteSection,
  SiteSpace,
  type OrganizationRecord,
  type ShareLinkRecord,
  type SiteRecord,
  type SiteRedirectRecord,
  type SiteSectionGroupRecord,
  type SiteSectionRecord,
  type SiteSpaceRecord,
  type SpaceRecord,
} from '@bindery/models';
import { newShareLink, shareKeyOf } from '@bindery/publishing';
import { loadConfig, newId } from '@bindery/runtime';
import { newRedirect } from '../../../apps/api/src/resources/site-redirect/changeRedirects.ts';
import { addGroup } from '../../../apps/api/src/resources/site-section-group/addGroup.ts';
import { addSection } from '../../../apps/api/src/resources/site-section/addSection.ts';
import { addSiteSpace } from '../../../apps/api/src/resources/site-space/addSiteSpace.ts';
import { createSite } from '../../../apps/api/src/resources/site/createSite.ts';
import { publishSite } from '../../../apps/api/src/resources/site/updateSite.ts';

/**
 * Creates a site; fields that creation cannot set are written afterwards, and `isPublished` like publishing.
 */
export async function buildSite(
  organization: OrganizationRecord,
  {
    title = 'Site',
    spaces = [],
    type,
    visibility,
    createdBy = 'nobody',
    isPublished = false,
    ...fields
  }: Partial<SiteRecord> & { spaces?: SpaceRecord[] } = {},
): Promise<SiteRecord> {
  const site = await createSite({ organization, createdBy, title, type, visibility, spaces });
  if (Object.keys(fields).length > 0) await Site.updateOne({ _id: site._id }, { $set: fields });
  if (isPublished) return publishSite(site, { isPublished });
  return { ...site, ...fields };
}

/** Adds a space to a site; other fields are written afterwards. */
export async function buildSiteSpace(
  site: SiteRecord,
  { space, section, ...fields }: Partial<Omit<SiteSpaceRecord, 'space'>> & { space: SpaceRecord },
): Promise<SiteSpaceRecord> {
  const siteSpace = await addSiteSpace(site, { space, sectionId: section });
  if (Object.keys(fields).length > 0)
    await writeStructure(site, async () => SiteSpace.updateOne({ _id: siteSpace._id }, { $set: fields }));
  return { ...siteSpace, ...fields };
}

/** Adds a section with a space to a site; other fields are written afterwards. */
export async function buildSection(
  site: SiteRecord,
  { space, title, icon, ...fields }: Partial<SiteSectionRecord> & { space: SpaceRecord },
): Promise<SiteSectionRecord> {
  const section = await addSection(site, { space, title, icon });
  if (Object.keys(fields).length > 0)
    await writeStructure(site, async () => SiteSection.updateOne({ _id: section._id }, { $set: fields }));
  return { ...section, ...fields };
}

/** Changes the structure of a site in the database, and counts the change. */
export async function writeStructure(
  { _id }: Pick<SiteRecord, '_id'>,
  write: () => Promise<unknown>,
): Promise<void> {
  await write();
  await Site.updateOne({ _id }, { $inc: { structureVersion: 1 } });
}

export async function buildSectionGroup(
  site: SiteRecord,
  { title = 'Group', sections = [] }: { title?: string; sections?: SiteSectionRecord[] } = {},
): Promise<SiteSectionGroupRecord> {
  return addGroup(site, { title, sections: sections.map(({ _id }) => _id) });
}

/** Creates a secret link that opens a site, sealed with the key of the tests' environment. */
export async function buildShareLink(
  site: SiteRecord,
  { name = 'Link', ...fields }: Partial<ShareLinkRecord> = {},
): Promise<ShareLinkRecord & { key: string }> {
  const { secrets } = loadConfig(process.env);
  const link = { ...newShareLink(secrets, site, { name, createdBy: 'nobody' }), ...fields };
  await ShareLink.create(link);
  return { ...link, key: shareKeyOf(secrets, link) };
}

/** Creates a redirect from a path of a site, by default live and to an external page. */
export async function buildSiteRedirect(
  site: SiteRecord,
  {
    source = `/${newId()}`,
    destination = { kind: 'external', url: 'https://example.org/new' },
    ...fields
  }: Partial<SiteRedirectRecord> = {},
): Promise<SiteRedirectRecord> {
  const redirect = {
    ...newRedirect({ site }, { source, destination, captureWildcard: false, draft: false }),
    ...fields,
  };
  await SiteRedirect.create(redirect);
  return redirect;
}
