import { invalid, notFound, type UpdateSiteSection } from '@bindery/contract';
import { SiteSection, SiteSpace, type SiteSectionRecord } from '@bindery/models';
import { givenFields, noneIfEmpty, settingOf } from '../../records/givenFields.ts';
import { changeStructure } from '../site/changeStructure.ts';
import { givenPath, pathTaken } from '../site/paths.ts';

/**
 * @throws conflict when another section of the site has the path; invalid_request when the default site space
 *   is not in the section
 */
export async function updateSection(
  { _id, site }: Pick<SiteSectionRecord, '_id' | 'site'>,
  { title, path, defaultSiteSpace, condition, icon, description }: UpdateSiteSection,
): Promise<void> {
  await changeStructure({ _id: site }, async (_site, session) => {
    if (!(await SiteSection.exists({ _id, site }).session(session))) throw notFound('site section', _id);
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
    await SiteSection.updateOne({ _id }, settingOf(fields), { session });
  });
}
