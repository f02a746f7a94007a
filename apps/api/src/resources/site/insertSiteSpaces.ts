import { ApiError } from '@bindery/contract';
import {
  positionBetween,
  refreshSpaceVisibility,
  Site,
  SiteSection,
  SiteSpace,
  Space,
  type ClientSession,
  type SiteRecord,
  type SiteSectionRecord,
  type SiteSpaceRecord,
  type SpaceRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { requireRoom } from './changeStructure.ts';
import { freePath } from './paths.ts';

export type SiteSpaceInsertion = {
  site: Pick<SiteRecord, '_id' | 'organization' | 'siteSpaces' | 'defaultSiteSpace'>;
  /** Absent for the root of a site without sections. */
  section?: Pick<SiteSectionRecord, '_id' | 'defaultSiteSpace'> | undefined;
  spaces: readonly Pick<SpaceRecord, '_id'>[];
};

/**
 * Adds spaces at the end of a section or of the root, in the given order; the first space of an empty section
 * or root becomes its default. Call it in a transaction that has written the site.
 *
 * @throws conflict when one of them is already there or has been deleted, or when the site is full
 */
export async function insertSiteSpaces(
  { site, section, spaces }: SiteSpaceInsertion,
  session: ClientSession,
): Promise<SiteSpaceRecord[]> {
  requireRoom('siteSpaces', site.siteSpaces + spaces.length);
  const siblingsOf = section?._id ?? site._id;
  const siblings = await SiteSpace.find({ siblingsOf }, { path: 1, space: 1, position: 1 })
    .sort({ position: 1 })
    .session(session)
    .lean<SiteSpaceRecord[]>();
  const ids = spaces.map(({ _id }) => _id);
  if (siblings.some(({ space }) => ids.includes(space))) throw alreadyThere();
  const found = await Space.find(
    { _id: { $in: ids }, organization: site.organization, isDeleted: false },
    { title: 1 },
  )
    .session(session)
    .lean<SpaceRecord[]>();
  const titles = new Map(found.map(({ _id, title }) => [_id, title]));
  const taken = new Set(siblings.map(({ path }) => path));
  let last = siblings.at(-1)?.position;
  const inserted = ids.map((space): SiteSpaceRecord => {
    const title = titles.get(space);
    if (title === undefined)
      throw new ApiError('conflict', 'The space has been deleted or transferred to another organization.');
    const path = freePath(title, { taken, empty: 'space' });
    taken.add(path);
    last = positionBetween(last, undefined);
    return {
      _id: newId(),
      organization: site.organization,
      site: site._id,
      section: section?._id,
      space,
      path,
      siblingsOf,
      position: last,
      createdAt: new Date(),
    };
  });
  const [first] = inserted;
  if (!first) return [];
  await SiteSpace.insertMany(inserted, { session });
  const isFirst = (section ?? site).defaultSiteSpace === undefined;
  const asDefault = isFirst && { $set: { defaultSiteSpace: first._id } };
  await Site.updateOne(
    { _id: site._id },
    { $inc: { siteSpaces: inserted.length }, ...(!section && asDefault) },
    { session },
  );
  if (section)
    await SiteSection.updateOne({ _id: section._id }, { ...asDefault, $inc: { version: 1 } }, { session });
  await refreshSpaceVisibility(ids, session);
  return inserted;
}

/** The error for a space that is already in the section or at the root. */
export function alreadyThere(): ApiError {
  return new ApiError('conflict', 'The space is already in this section of the site, or at its root.');
}
