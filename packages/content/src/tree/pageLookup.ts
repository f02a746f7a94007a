import type { PageItem, PageTree } from '../store/items.ts';

/** Where a page is. `ancestors` are outermost first, the last of them is `parent`; `index` counts among its siblings. */
export type LocatedPage = { page: PageItem; parent?: PageItem; ancestors: readonly PageItem[]; index: number };

/** Ways to find a page, in a stored tree or in one that is being edited. */
export type PageLookup = {
  page(id: string): LocatedPage | undefined;
  /** By its path in the space; an empty one is that of the landing page, the first document unless one has it. */
  pageAtPath(path: string): LocatedPage | undefined;
  /** By the path of its file, where that is another one: for a path that no page has. */
  pageAtFilePath(path: string): LocatedPage | undefined;
  /** By its file in the repository that it was imported from. */
  pageOfFile(gitPath: string): LocatedPage | undefined;
  /** The children of a page, or of the root (null). Empty for a page that is not there. */
  list(parent: string | null): readonly PageItem[];
  /** Every page, each before its children. */
  all(): Iterable<LocatedPage>;
  /** A page with everything below it. */
  subtree(id: string): PageTree | undefined;
};

/** What a page is looked for by. */
export type Key = 'ids' | 'paths' | 'filePaths' | 'files';

/** The nodes of one tree, by hash. */
export type TreeNodes = {
  items(hash: string): readonly PageItem[];
  /** Looks for a page in a node and below it. */
  find(hash: string, by: Key, key: string, ancestors: readonly PageItem[]): LocatedPage | undefined;
  walk(hash: string, ancestors: readonly PageItem[]): Iterable<LocatedPage>;
};

/** The hash of the node of a page's children. */
export function childrenOf(item: PageItem | undefined): string | undefined {
  return item && 'children' in item ? item.children : undefined;
}

export function locate(page: PageItem, ancestors: readonly PageItem[], index: number): LocatedPage {
  const parent = ancestors.at(-1);
  return { page, ...(parent && { parent }), ancestors, index };
}

/** A page without its place in the store, with the pages below it instead. */
export function treeOf(item: PageItem, pages: () => PageTree[]): PageTree {
  if (item.type === 'link' || item.type === 'computed') return item;
  const { children: _, ...page } = item;
  return { ...page, pages: pages() };
}

/** A page of a tree in memory, without the pages below it. */
export function itemOf(tree: PageTree): PageItem {
  if (!('pages' in tree)) return tree;
  const { pages: _, ...item } = tree;
  return item;
}

/** The page at a path; at the empty one the landing page. */
export function pageAtPath(path: string, find: (path: string) => LocatedPage | undefined, all: () => Iterable<LocatedPage>) {
  const found = find(path);
  if (found || path !== '') return found;
  for (const located of all()) if (located.page.type === 'document') return located;
  return undefined;
}
