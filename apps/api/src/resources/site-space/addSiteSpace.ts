import { invalid } from '@bindery/contract';
import {
  SiteSection,
  type SiteRecord,
  type SiteSectionRecord,
  type SiteSpaceRecord,
  type SpaceRecord,
} from '@bindery/models';
import { changeStructure } from '../site/changeStructure.ts';
import { insertSiteSpaces } from '../site/insertSiteSpaces.ts';

/**
 * Adds a space to a site: to the given section, else to the default section, or to the root of a site without
 * sections.
 *
 * @throws invalid_request when there is no such section, conflict when the space is already there
 */
export async function addSiteSpace(
  { _id }: Pick<SiteRecord, '_id'>,
  { space, sectionId }: { space: Pick<SpaceRecord, '_id'>; sectionId?: string | undefined },
): Promise<SiteSpaceRecord> {
  return changeStructure({ _id }, async (site, session) => {
    const wanted = sectionId ?? site.defaultSection;
    const section =
      wanted === undefined
        ? null
        : await SiteSection.findOne({ _id: wanted, site: site._id })
            .session(session)
            .lean<SiteSectionRecord>();
    if (sectionId !== undefined && !section)
      throw invalid('body.sectionId', 'is not the id of a section of this site.');
    const [added] = await insertSiteSpaces({ site, section: section ?? undefined, spaces: [space] }, session);
    return added as SiteSpaceRecord;
  });
}
