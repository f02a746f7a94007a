import {
  removeSiteSpaces,
  Site,
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  type SiteSectionRecord,
  type SiteSpaceRecord,
} from '@bindery/models';
import { loadSiteTree } from '@bindery/publishing';
import { changeStructure } from '../site/changeStructure.ts';

/**
 * Removes a section with its site spaces; the spaces themselves stay. When it was the default, the next
 * section in display order becomes the default; after the last one, the first.
 */
export async function removeSection({
  _id,
  site: siteId,
  group,
}: Pick<SiteSectionRecord, '_id' | 'site' | 'group'>): Promise<void> {
  await changeStructure({ _id: siteId }, async (site, session) => {
    const siteSpaces = await SiteSpace.find({ siblingsOf: _id }, { _id: 1 })
      .session(session)
      .lean<SiteSpaceRecord[]>();
    const { sections } = await loadSiteTree(siteId, session);
    await removeSiteSpaces({ siteSpaces: siteSpaces.map((siteSpace) => siteSpace._id) }, session);
    await SiteSection.deleteOne({ _id }, { session });
    if (group !== undefined)
      await SiteSectionGroup.updateOne({ _id: group }, { $inc: { version: 1 } }, { session });
    if (site.defaultSection !== _id) return;
    const place = sections.findIndex((section) => section._id === _id);
    const next = sections[place + 1] ?? sections.find((section) => section._id !== _id);
    const change = next ? { $set: { defaultSection: next._id } } : { $unset: { defaultSection: 1 } };
    await Site.updateOne({ _id: siteId }, change, { session });
  });
}
