import { cutPage, type Page, type PageCursor, type PageQuery } from '../../http/answer/paging.ts';
import { compareCursors, type SiteTree } from './siteTree.ts';

/**
 * One page of things that are in display order already.
 *
 * Their order is that of several records (a site space stands where its section stands), so no index has it;
 * but a structure is small and read with one query for each kind. The next page begins behind the place of
 * the last item, whatever was added, moved or removed meanwhile.
 */
export function pageInOrder<Item extends { _id: string }>(
  items: readonly Item[],
  { placeOf }: Pick<SiteTree, 'placeOf'>,
  { limit, after }: PageQuery,
): Omit<Page<Item>, 'items'> & { rows: Item[] } {
  const later = after ? items.filter(({ _id }) => compareCursors(placeOf(_id), after) > 0) : items;
  const { items: rows, next } = cutPage(later, limit, ({ _id }): PageCursor => placeOf(_id));
  return { rows, count: items.length, ...(next && { next }) };
}
