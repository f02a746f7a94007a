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
 * Adds a section at the end of a group, even from another group. A section that is already in it keeps its
 * position.
 *
 * @throws invalid_request when it is not a section of the site
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

/** Moves a section from a group to the end of the root. A section that is not in the group stays in place. */
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
