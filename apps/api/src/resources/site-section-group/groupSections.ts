import { invalid, notFound } from '@bindery/contract';
import {
  SiteSection,
  SiteSectionGroup,
  type SiteSectionGroupRecord,
  type SiteSectionRecord,
} from '@bindery/models';
import { changeStructure } from '../site/changeStructure.ts';
import { moveSections } from './moveSections.ts';

type Group = Pick<SiteSectionGroupRecord, '_id' | 'site'>;

/**
 * Puts a section at the end of a group, also from another group. One that is in it stays where it is.
 *
 * @throws invalid_request when it is no section of the site
 */
export async function addSectionToGroup(
  { _id, site }: Group,
  { sectionId }: { sectionId: string },
): Promise<void> {
  await changeStructure({ _id: site }, async (_site, session) => {
    if (!(await SiteSectionGroup.exists({ _id, site }).session(session)))
      throw notFound('site section group', _id);
    const section = await SiteSection.findOne({ _id: sectionId, site })
      .session(session)
      .lean<SiteSectionRecord>();
    if (!section) throw invalid('body.sectionId', 'is not the id of a section of this site.');
    if (section.group !== _id) await moveSections([section], { group: _id }, session);
  });
}

/** Takes a section out of a group, to the end of the root. One that is not in it stays where it is. */
export async function removeSectionFromGroup(
  { _id, site }: Group,
  { sectionId }: { sectionId: string },
): Promise<void> {
  await changeStructure({ _id: site }, async (_site, session) => {
    const section = await SiteSection.findOne({ _id: sectionId, siblingsOf: _id })
      .session(session)
      .lean<SiteSectionRecord>();
    if (section) await moveSections([section], { group: undefined }, session);
  });
}
