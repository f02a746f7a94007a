import {
  positionAtEnd,
  SiteSection,
  SiteSectionGroup,
  type ClientSession,
  type SiteSectionRecord,
} from '@bindery/models';
import { sectionModels } from '../site/moveInStructure.ts';

/**
 * Moves sections to the end of a group, or of the root of their site, in the given order: a change of these
 * sections and of each group that loses or gets one. Call it in a transaction that has written the site.
 */
export async function moveSections(
  sections: readonly Pick<SiteSectionRecord, '_id' | 'site' | 'group'>[],
  { group }: { group: string | undefined },
  session: ClientSession,
): Promise<void> {
  for (const { _id, site } of sections) {
    const siblingsOf = group ?? site;
    const place = { siblingsOf, position: await positionAtEnd(sectionModels, siblingsOf, session) };
    const change =
      group === undefined ? { $set: place, $unset: { group: 1 } } : { $set: { ...place, group } };
    await SiteSection.updateOne({ _id }, { ...change, $inc: { version: 1 } }, { session });
  }
  const groups = new Set([group, ...sections.map((section) => section.group)]);
  const changed = { _id: { $in: [...groups].filter((id) => id !== undefined) } };
  await SiteSectionGroup.updateMany(changed, { $inc: { version: 1 } }, { session });
}
