import { invalid } from '@bindery/contract';
import {
  positionAtEnd,
  SiteSection,
  SiteSectionGroup,
  type SiteRecord,
  type SiteSectionGroupRecord,
  type SiteSectionRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { changeStructure, requireRoom } from '../site/changeStructure.ts';
import { sectionModels } from '../site/moveInStructure.ts';
import { moveSections } from './moveSections.ts';

export type NewGroup = { title: string; icon?: string | undefined; sections?: readonly string[] | undefined };

/**
 * Adds a group at the end of a site's root and moves these sections into it, in the given order, even out of
 * other groups.
 *
 * @throws invalid_request when one of them is not a section of the site, or is listed twice
 */
export async function addGroup(
  { _id }: Pick<SiteRecord, '_id'>,
  { title, icon, sections: ids = [] }: NewGroup,
): Promise<SiteSectionGroupRecord> {
  return changeStructure({ _id }, async (site, session) => {
    requireRoom('groups', (await SiteSectionGroup.countDocuments({ siblingsOf: _id }).session(session)) + 1);
    const found = await SiteSection.find({ _id: { $in: ids }, site: _id })
      .session(session)
      .lean<SiteSectionRecord[]>();
    const byId = new Map(found.map((section) => [section._id, section]));
    const sections = ids.map((id, index) => {
      const section = byId.get(id);
      if (!section) throw invalid(`body.sections[${index}]`, 'is not the id of a section of this site.');
      if (ids.indexOf(id) !== index) throw invalid(`body.sections[${index}]`, 'stands there twice.');
      return section;
    });
    const group: SiteSectionGroupRecord = {
      _id: newId(),
      organization: site.organization,
      site: _id,
      title,
      icon,
      siblingsOf: _id,
      position: await positionAtEnd(sectionModels, _id, session),
      createdAt: new Date(),
    };
    await SiteSectionGroup.create([group], { session });
    await moveSections(sections, { group: group._id }, session);
    return group;
  });
}
