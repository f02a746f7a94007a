import {
  positionAtEnd,
  Site,
  SiteSection,
  SiteSpace,
  type ClientSession,
  type SiteRecord,
  type SiteSectionRecord,
  type SpaceRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { insertSiteSpaces } from '../site/insertSiteSpaces.ts';
import { changeStructure, requireRoom } from '../site/changeStructure.ts';
import { sectionModels } from '../site/moveInStructure.ts';
import { freePath } from '../site/paths.ts';

export type NewSection = {
  space: Pick<SpaceRecord, '_id' | 'title'>;
  title?: string | undefined;
  icon?: string | undefined;
};

/**
 * Adds a section with one space to a site, at the end of the root. The first section of a site becomes its
 * default, unless spaces are at the root: these are moved into a default section first, which gets the title
 * of the site.
 */
export async function addSection(
  { _id }: Pick<SiteRecord, '_id'>,
  { space, title, icon }: NewSection,
): Promise<SiteSectionRecord> {
  return changeStructure({ _id }, async (site, session) => {
    const paths = await SiteSection.find({ site: site._id }, { path: 1 })
      .session(session)
      .lean<SiteSectionRecord[]>();
    const taken = new Set(paths.map(({ path }) => path));
    const hasRootSpaces = site.defaultSiteSpace !== undefined;
    requireRoom('sections', paths.length + (hasRootSpaces ? 2 : 1));
    if (hasRootSpaces) taken.add((await gatherRootSpaces(site, session)).path);
    const section = await insertSection(site, { title: title ?? titleOf(space, site), icon, taken }, session);
    const isFirst = site.defaultSection === undefined && !hasRootSpaces;
    if (isFirst)
      await Site.updateOne({ _id: site._id }, { $set: { defaultSection: section._id } }, { session });
    const [siteSpace] = await insertSiteSpaces({ site, section, spaces: [space] }, session);
    return { ...section, defaultSiteSpace: siteSpace?._id };
  });
}

/** The site spaces keep their order and their default in the new section. */
async function gatherRootSpaces(site: SiteRecord, session: ClientSession): Promise<SiteSectionRecord> {
  const { defaultSiteSpace } = site;
  const section = await insertSection(
    site,
    { title: site.title, taken: new Set(), defaultSiteSpace },
    session,
  );
  await SiteSpace.updateMany(
    { siblingsOf: site._id },
    { $set: { section: section._id, siblingsOf: section._id }, $inc: { version: 1 } },
    { session },
  );
  await Site.updateOne(
    { _id: site._id },
    { $set: { defaultSection: section._id }, $unset: { defaultSiteSpace: 1 } },
    { session },
  );
  return section;
}

async function insertSection(
  { _id: site, organization }: SiteRecord,
  {
    title,
    icon,
    taken,
    defaultSiteSpace,
  }: {
    title: string;
    icon?: string | undefined;
    taken: ReadonlySet<string>;
    defaultSiteSpace?: string | undefined;
  },
  session: ClientSession,
): Promise<SiteSectionRecord> {
  const section: SiteSectionRecord = {
    _id: newId(),
    organization,
    site,
    title,
    icon,
    path: freePath(title, { taken, empty: 'section' }),
    defaultSiteSpace,
    siblingsOf: site,
    position: await positionAtEnd(sectionModels, site, session),
    createdAt: new Date(),
  };
  await SiteSection.create([section], { session });
  return section;
}

/** A section requires a longer title than a space may have. */
function titleOf(space: Pick<SpaceRecord, 'title'>, site: Pick<SiteRecord, 'title'>): string {
  return [...space.title].length >= 2 ? space.title : site.title;
}
