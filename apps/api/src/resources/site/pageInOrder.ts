import { compareCursors, type SiteTree } from '@bindery/publishing';
import { cutPage, type Page, type PageCursor, type PageQuery } from '../../http/answer/paging.ts';

/**
 * Cuts one page of items that are in display order.
 *
 * The order depends on several records (a site space is where its section is), so no index has it; but a
 * structure is small and takes one query per kind. The next page starts after the position of the last item,
 * even if items are added, moved or removed in between.
 */
export function pageInOrder<Item extends { _id: string }>(
  items: readonly Item[],
  { placeOf }: Pick<SiteTree, 'placeOf'>,
  { limit, after }: PageQuery,
): Omit<Page<Item>, 'items'> & { rows: Item[] } {
  const later = after ? items.filter(({ _id }) => compareCursors(placeOf(_id), after) > 0) : items;
  const { items: rows, next } = cutPage(later, limit, ({ _id }): PageCursor => placeOf(_id));
  return { rows, count: items.length, next };
}
