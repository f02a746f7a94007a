import type { SiteSectionGroup } from '@bindery/contract';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { pageInOrder } from '../site/pageInOrder.ts';
import { loadSpacesOf, loadVisibleTree, type SiteReader } from '../site/siteView.ts';
import { presentSiteSectionGroup } from '../site/structure.presenter.ts';

/** The groups of a site with their sections, in the order of the site. */
export async function pageOfGroups(reader: SiteReader, query: PageQuery): Promise<Page<SiteSectionGroup>> {
  const { platform, site, organization } = reader;
  const tree = await loadVisibleTree(reader);
  const { rows, ...page } = pageInOrder(tree.groups, tree, query);
  const shown = new Set(rows.map(({ _id }) => _id));
  const sections = new Set(
    tree.sections.filter(({ group }) => group !== undefined && shown.has(group)).map(({ _id }) => _id),
  );
  const spaces = await loadSpacesOf(
    tree.siteSpaces.filter(({ section }) => section !== undefined && sections.has(section)),
    reader,
  );
  return {
    ...page,
    items: rows.map((group) =>
      presentSiteSectionGroup(group, { ...tree, links: platform.links, site, organization, spaces }),
    ),
  };
}
