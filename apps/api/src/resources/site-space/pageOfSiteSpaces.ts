import type { SiteSpace } from '@bindery/contract';
import type { Page, PageQuery } from '../../http/answer/paging.ts';
import { pageInOrder } from '../site/pageInOrder.ts';
import { findShareKey } from '../site/shareKey.ts';
import { loadSpacesOf, loadVisibleTree, type SiteReader } from '../site/siteView.ts';
import { presentSiteSpaces } from '../site/structure.presenter.ts';

/** The site spaces that the reader of a site sees, in the order of the site. */
export async function pageOfSiteSpaces(
  reader: SiteReader,
  {
    shareKey,
    default: isDefault,
    ...query
  }: { shareKey?: string | undefined; default?: boolean | undefined } & PageQuery,
): Promise<Page<SiteSpace>> {
  const {
    platform: { config, links },
    site,
    organization,
  } = reader;
  const tree = await loadVisibleTree(reader);
  const defaults = new Set([site, ...tree.sections].map(({ defaultSiteSpace }) => defaultSiteSpace));
  const matching =
    isDefault === undefined
      ? tree.siteSpaces
      : tree.siteSpaces.filter(({ _id }) => defaults.has(_id) === isDefault);
  const { rows, ...page } = pageInOrder(matching, tree, query);
  const spaces = await loadSpacesOf(rows, reader);
  return {
    ...page,
    items: presentSiteSpaces(rows, {
      ...tree,
      links,
      site,
      organization,
      spaces,
      shareKey: await findShareKey(config.secrets, { site, shareKey }),
    }),
  };
}
