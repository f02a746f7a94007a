import type { SiteSection } from '@bindery/contract';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { pageInOrder } from '../site/pageInOrder.ts';
import { findShareKey } from '../site/shareKey.ts';
import { loadSpacesOf, loadVisibleTree, type SiteReader } from '../site/siteView.ts';
import { presentSiteSection } from '../site/structure.presenter.ts';

/** The sections of a site that the reader sees, including those in groups, in the order of the site. */
export async function pageOfSections(
  reader: SiteReader,
  { shareKey, ...query }: { shareKey?: string | undefined } & PageQuery,
): Promise<Page<SiteSection>> {
  const {
    platform: { config, links },
    site,
    organization,
  } = reader;
  const tree = await loadVisibleTree(reader);
  const { rows, ...page } = pageInOrder(tree.sections, tree, query);
  const shown = new Set(rows.map(({ _id }) => _id));
  const spaces = await loadSpacesOf(
    tree.siteSpaces.filter(({ section }) => section !== undefined && shown.has(section)),
    reader,
  );
  const view = {
    ...tree,
    links,
    site,
    organization,
    spaces,
    shareKey: await findShareKey(config.secrets, { site, shareKey }),
  };
  return { ...page, items: rows.map((section) => presentSiteSection(section, view)) };
}
