import type { PageItem, PageTree } from '../store/items.ts';

/**
 * A page with its position. `ancestors` are outermost first, the last of them is `parent`; `index` is its
 * index among its siblings.
 */
export type LocatedPage = {
  page: PageItem;
  parent?: PageItem;
  ancestors: readonly PageItem[];
  index: number;
};

/** Look-ups of pages, in a stored tree or in one that is being edited. */
export type PageLookup = {
  page(id: string): LocatedPage | undefined;
  /**
   * Finds a page by its path in the space. The empty path leads to the landing page: the first document,
   * unless a page has that path.
   */
  pageAtPath(path: string): LocatedPage | undefined;
  /** Finds a page by the path of its file or by an old path of its own, for a path that no page has. */
  pageAtFilePath(path: string): LocatedPage | undefined;
  /** Finds a page by its file in the repository that it was imported from. */
  pageOfFile(gitPath: string): LocatedPage | undefined;
  /** Lists the children of a page, or of the root (null). Empty for a missing page. */
  list(parent: string | null): readonly PageItem[];
  /** Yields every page, each before its children. */
  all(): Iterable<LocatedPage>;
  /** Returns a page with all pages below it. */
  subtree(id: string): PageTree | undefined;
};

/** The keys by which pages are found. */
export type Key = 'ids' | 'paths' | 'filePaths' | 'files';

/** The nodes of one tree, by hash. */
export type TreeNodes = {
  items(hash: string): readonly PageItem[];
  /** Finds a page in a node or below it. */
  find(hash: string, by: Key, key: string, ancestors: readonly PageItem[]): LocatedPage | undefined;
  walk(hash: string, ancestors: readonly PageItem[]): Iterable<LocatedPage>;
};

/** Returns the paths that lead to a page besides its own. */
export function otherPathsOf(page: PageItem | PageTree): readonly string[] {
  if (!('path' in page)) return [];
  const { filePath, oldPaths = [] } = page;
  return filePath === undefined ? oldPaths : [filePath, ...oldPaths];
}

/** Returns the hash of the node of a page's children. */
export function childrenOf(item: PageItem | undefined): string | undefined {
  return item && 'children' in item ? item.children : undefined;
}

export function locate(page: PageItem, ancestors: readonly PageItem[], index: number): LocatedPage {
  const parent = ancestors.at(-1);
  return { page, parent, ancestors, index };
}

/** Converts an entry to a page with its subpages instead of hashes. */
export function treeOf(item: PageItem, pages: () => PageTree[]): PageTree {
  if (item.type === 'link' || item.type === 'computed') return item;
  const { children: _, ...page } = item;
  return { ...page, pages: pages() };
}

/** Converts a page of a tree in memory to an entry without the pages below it. */
export function itemOf(tree: PageTree): PageItem {
  if (!('pages' in tree)) return tree;
  const { pages: _, ...item } = tree;
  return item;
}

/** Finds the page at a path; at the empty path the landing page. */
export function pageAtPath(
  path: string,
  find: (path: string) => LocatedPage | undefined,
  all: () => Iterable<LocatedPage>,
) {
  const found = find(path);
  if (found || path !== '') return found;
  for (const located of all()) if (located.page.type === 'document') return located;
  return undefined;
}
