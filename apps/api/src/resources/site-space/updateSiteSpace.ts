import { notFound } from '@bindery/contract';
import { refreshSpaceVisibility, SiteSpace, type SiteSpaceRecord, type SpaceRecord } from '@bindery/models';
import { changeRecord } from '../../records/changeRecord.ts';
import { givenFields } from '../../records/givenFields.ts';
import { changeStructure } from '../site/changeStructure.ts';
import { givenPath, pathKey, pathTaken } from '../site/paths.ts';
import { alreadyThere } from '../site/insertSiteSpaces.ts';

export type SiteSpaceChange = {
  path?: string | undefined;
  /** null removes the condition. */
  condition?: string | null | undefined;
  /** The space to show from now on; path, condition and position stay the same. */
  space?: Pick<SpaceRecord, '_id'> | undefined;
};

/**
 * @returns the changed record
 * @throws conflict when a sibling has the path or shows the space
 */
export async function updateSiteSpace(
  { _id, site: siteId }: Pick<SiteSpaceRecord, '_id' | 'site'>,
  { path, condition, space }: SiteSpaceChange,
): Promise<SiteSpaceRecord> {
  return changeStructure({ _id: siteId }, async (_site, session) => {
    const current = await SiteSpace.findOne({ _id, site: siteId }).session(session).lean<SiteSpaceRecord>();
    if (!current) throw notFound('site space', _id);
    const isTaken = async (fields: Partial<SiteSpaceRecord>) =>
      SiteSpace.exists({ siblingsOf: current.siblingsOf, ...fields, _id: { $ne: _id } }).session(session);
    const newPath = path === undefined ? undefined : givenPath(path);
    if (newPath !== undefined) {
      const siblings = await SiteSpace.find(
        { siblingsOf: current.siblingsOf, _id: { $ne: _id } },
        { path: 1 },
      )
        .session(session)
        .lean();
      if (siblings.some((sibling) => pathKey(sibling.path) === pathKey(newPath))) throw pathTaken(newPath);
    }
    if (space && (await isTaken({ space: space._id }))) throw alreadyThere();
    const fields = givenFields({ path: newPath, space: space?._id, condition });
    const changed = await changeRecord<SiteSpaceRecord>(SiteSpace, current, fields, { session });
    if (space && space._id !== current.space)
      await refreshSpaceVisibility([current.space, space._id], session);
    return changed;
  });
}
