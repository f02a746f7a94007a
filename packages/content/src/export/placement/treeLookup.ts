import type { PageItem, PageTree } from '../../store/items.ts';
import {
  itemOf,
  locate,
  otherPathsOf,
  pageAtPath,
  type LocatedPage,
  type PageLookup,
} from '../../tree/pageLookup.ts';

/** Look-ups in a tree that is completely in memory. */
export function treeLookup(pages: readonly PageTree[]): PageLookup {
  const all: LocatedPage[] = [];
  const ids = new Map<string, LocatedPage>();
  const paths = new Map<string, LocatedPage>();
  const filePaths = new Map<string, LocatedPage>();
  const files = new Map<string, LocatedPage>();
  const trees = new Map<string, PageTree>();
  const lists = new Map<string | null, readonly PageItem[]>();

  const visit = (siblings: readonly PageTree[], ancestors: readonly PageItem[]) => {
    const items = siblings.map(itemOf);
    lists.set(ancestors.at(-1)?.id ?? null, items);
    for (const [index, item] of items.entries()) {
      const located = locate(item, ancestors, index);
      const tree = siblings[index] as PageTree;
      all.push(located);
      ids.set(item.id, located);
      trees.set(item.id, tree);
      // The first page keeps a path, as in the navigation.
      if ('path' in item && !paths.has(item.path)) paths.set(item.path, located);
      for (const path of otherPathsOf(item)) if (!filePaths.has(path)) filePaths.set(path, located);
      if (item.type === 'document' && item.git && !files.has(item.git.path))
        files.set(item.git.path, located);
      if ('pages' in tree) visit(tree.pages, [...ancestors, item]);
    }
  };
  visit(pages, []);
  return {
    page: (id) => ids.get(id),
    pageAtPath: (path) =>
      pageAtPath(
        path,
        (key) => paths.get(key),
        () => all,
      ),
    pageAtFilePath: (path) => filePaths.get(path),
    pageOfFile: (path) => files.get(path),
    list: (parent) => lists.get(parent) ?? [],
    all: () => all,
    subtree: (id) => trees.get(id),
  };
}
