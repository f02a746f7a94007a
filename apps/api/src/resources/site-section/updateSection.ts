import { invalid, type UpdateSiteSection } from '@bindery/contract';
import { SiteSection, SiteSpace, type SiteSectionRecord } from '@bindery/models';
import { changeRecord } from '../../records/changeRecord.ts';
import { givenFields, noneIfEmpty } from '../../records/givenFields.ts';
import { changeStructure } from '../site/changeStructure.ts';
import { givenPath, pathTaken } from '../site/paths.ts';

/**
 * @returns the changed record
 * @throws conflict when another section of the site has the path; invalid_request when the default site space
 *   is not in the section
 */
export async function updateSection(
  section: SiteSectionRecord,
  { title, path, defaultSiteSpace, condition, icon, description }: UpdateSiteSection,
): Promise<SiteSectionRecord> {
  const { _id, site } = section;
  return changeStructure({ _id: site }, async (_site, session) => {
    const newPath = path === undefined ? undefined : givenPath(path);
    if (
      newPath !== undefined &&
      (await SiteSection.exists({ site, path: newPath, _id: { $ne: _id } }).session(session))
    )
      throw pathTaken(newPath);
    if (
      defaultSiteSpace !== undefined &&
      !(await SiteSpace.exists({ _id: defaultSiteSpace, siblingsOf: _id }).session(session))
    )
      throw invalid('body.defaultSiteSpace', 'is not the id of a site space of this section.');
    const fields = givenFields({
      ...{ title: title?.trim(), path: newPath, defaultSiteSpace, condition, icon },
      description: noneIfEmpty(description),
    });
    return changeRecord<SiteSectionRecord>(SiteSection, section, fields, { session });
  });
}
