import type { ComparedTree } from '../merge/diffTrees.ts';
import type { PageItem, PageTree } from '../store/items.ts';
import { itemOf, locate, type LocatedPage } from '../tree/pageLookup.ts';

/**
 * Builds a tree of pages for a comparison, without a store. Its lists have unique names instead of hashes:
 * equal lists of two trees are compared as well, which costs less than hashing both trees.
 *
 * @param name  a different one for each compared tree
 */
export function looseTree(name: string, pages: readonly PageTree[]): ComparedTree {
  const lists = new Map<string, PageItem[]>();
  const located = new Map<string, LocatedPage>();
  const add = (list: readonly PageTree[], ancestors: readonly PageItem[]): string => {
    const items: PageItem[] = [];
    const key = `${name} ${lists.size}`;
    lists.set(key, items);
    for (const [index, page] of list.entries()) {
      const item = itemOf(page);
      items.push(item);
      located.set(item.id, locate(item, ancestors, index));
      const below = 'pages' in page ? page.pages : [];
      if (below.length > 0 && (item.type === 'document' || item.type === 'group'))
        item.children = add(below, [...ancestors, item]);
    }
    return key;
  };
  const root = add(pages, []);
  return {
    root,
    node: (key) => lists.get(key) ?? [],
    page: (id) => located.get(id),
    all: () => located.values(),
  };
}
