import {
  positionBetween,
  SiteSection,
  SiteSectionGroup,
  type Sibling,
  type SiteSectionGroupRecord,
  type SiteSectionRecord,
} from '@bindery/models';
import { changeStructure } from '../site/changeStructure.ts';
import { sectionModels } from '../site/moveInStructure.ts';

/** Removes a group. Its sections take its place at the root, in the same order. */
export async function removeGroup({
  _id,
  site,
}: Pick<SiteSectionGroupRecord, '_id' | 'site'>): Promise<void> {
  await changeStructure({ _id: site }, async (_site, session) => {
    const group = await SiteSectionGroup.findOneAndDelete(
      { _id, site },
      { session },
    ).lean<SiteSectionGroupRecord>();
    if (!group) return;
    const sections = await SiteSection.find({ siblingsOf: _id })
      .sort({ position: 1 })
      .session(session)
      .lean<SiteSectionRecord[]>();
    let end: string | undefined;
    for (const model of sectionModels) {
      const next = await model
        .findOne({ siblingsOf: site, position: { $gt: group.position } })
        .sort({ position: 1 })
        .session(session)
        .lean<Sibling>();
      if (next && (end === undefined || next.position < end)) end = next.position;
    }
    // The position of the group itself is free, and follows the item before it.
    let last = group.position;
    for (const section of sections) {
      last = positionBetween(last, end);
      await SiteSection.updateOne(
        { _id: section._id },
        { $set: { siblingsOf: site, position: last }, $unset: { group: 1 }, $inc: { version: 1 } },
        { session },
      );
    }
  });
}
