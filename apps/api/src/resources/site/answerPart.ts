import {
  notFound,
  type SiteSection,
  type SiteSectionGroup,
  type SiteSpace,
  type SiteStructureItem,
  type SiteStructureItemPointer,
} from '@bindery/contract';
import { Site, type SiteRecord, type SiteSpaceRecord } from '@bindery/models';
import { loadSiteTree, type SiteTree } from '@bindery/publishing';
import { loadSpacesOf, type SiteReader, type SiteView } from './siteView.ts';
import { presentSiteSection, presentSiteSectionGroup, presentSiteSpace } from './structure.presenter.ts';

/** Presents a site space after a change. @throws not_found when it has been deleted */
export async function answerSiteSpace(reader: SiteReader, id: string): Promise<SiteSpace> {
  const view = await loadPart(reader, ({ siteSpaces }) => siteSpaces.filter(({ _id }) => _id === id));
  return presentSiteSpace(found(view.siteSpaces, { what: 'site space', id }), view);
}

/** Presents a section after a change. */
export async function answerSection(reader: SiteReader, id: string): Promise<SiteSection> {
  const view = await loadPart(reader, ({ siteSpaces }) => siteSpaces.filter(({ section }) => section === id));
  return presentSiteSection(found(view.sections, { what: 'site section', id }), view);
}

/** Presents a section group after a change. */
export async function answerGroup(reader: SiteReader, id: string): Promise<SiteSectionGroup> {
  const view = await loadPart(reader, ({ sections, siteSpaces }) => {
    const inGroup = new Set(sections.filter(({ group }) => group === id).map(({ _id }) => _id));
    return siteSpaces.filter(({ section }) => section !== undefined && inGroup.has(section));
  });
  return presentSiteSectionGroup(found(view.groups, { what: 'site section group', id }), view);
}

export async function answerItem(
  reader: SiteReader,
  { type, id }: SiteStructureItemPointer,
): Promise<SiteStructureItem> {
  const answer = {
    'site-space': answerSiteSpace,
    'site-section': answerSection,
    'site-section-group': answerGroup,
  }[type];
  return answer(reader, id);
}

/** Loads the current site with the spaces of the chosen site spaces only. */
async function loadPart(
  reader: SiteReader,
  choose: (tree: SiteTree) => SiteSpaceRecord[],
): Promise<SiteView> {
  const [site, tree] = await Promise.all([
    Site.findById(reader.site._id).lean<SiteRecord>(),
    loadSiteTree(reader.site._id),
  ]);
  if (!site) throw notFound('site', reader.site._id);
  return {
    ...tree,
    links: reader.platform.links,
    site,
    organization: reader.organization,
    spaces: await loadSpacesOf(choose(tree), reader),
  };
}

function found<R extends { _id: string }>(
  records: readonly R[],
  { what, id }: { what: string; id: string },
): R {
  const record = records.find(({ _id }) => _id === id);
  if (!record) throw notFound(what, id);
  return record;
}
