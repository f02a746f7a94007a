import { join, slugOfFile } from '@bindery/dialect/repository-format';
import type { PageItem, PageTree } from '../store/items.ts';
import type { TreeEdit } from './treeEdit.ts';

/*
 * Every path is that of the page above and the page's own slug. Content that was imported when the paths of pages were those of their files gets such
 * paths at its next import, edit or export.
 */

/** The same pages with paths that follow the tree, and the paths that they had as those of their files. */
export function withTreePaths(pages: readonly PageTree[], above = ''): PageTree[] {
  const settled = settledPaths(pages, above);
  return pages.map((page, index) => {
    const paths = settled[index];
    if (!paths || !('pages' in page)) return page;
    return { ...page, ...paths, pages: withTreePaths(page.pages, paths.path) };
  });
}

/** As `withTreePaths`, of a tree that is being edited. */
export function settleTreePaths(edit: TreeEdit, into: string | null = null, above = ''): void {
  const pages = edit.list(into);
  for (const [index, paths] of settledPaths(pages, above).entries()) {
    const page = pages[index];
    if (!paths || !page || !('path' in page)) continue;
    if (paths.slug !== page.slug || paths.path !== page.path) edit.update(page.id, (item) => ({ ...item, ...paths }) as PageItem);
    settleTreePaths(edit, page.id, paths.path);
  }
}

type Paths = { slug: string; path: string; filePath?: string };

/** Of siblings, in their order; undefined for what has no path. Pages with a file come first, so that nothing else takes a slug of theirs. */
function settledPaths(pages: readonly (PageItem | PageTree)[], above: string): (Paths | undefined)[] {
  const settled: (Paths | undefined)[] = pages.map(() => undefined);
  const taken = new Set<string>();
  const lastSuffix = new Map<string, number>();
  const settle = (isFile: boolean) => {
    for (const [index, page] of pages.entries()) {
      if (!('path' in page) || isFile !== ('git' in page && page.git !== undefined)) continue;
      const wanted = page.path === '' || page.slug === '' ? slugOfStart(page) : page.slug;
      let slug = wanted;
      let suffix = lastSuffix.get(wanted) ?? 0;
      while (taken.has(slug)) slug = `${wanted}-${(suffix += 1)}`;
      // Thousands may want the same.
      lastSuffix.set(wanted, suffix);
      taken.add(slug);
      const path = join(above, slug);
      const filePath = page.filePath ?? page.path;
      settled[index] = { slug, path, ...(filePath !== '' && filePath !== path && { filePath }) };
    }
  };
  settle(true);
  settle(false);
  return settled;
}

/** The page at the empty path was the start, whose file is the README of the root if it has one. */
function slugOfStart(page: Extract<PageItem | PageTree, { path: string }>): string {
  if (!('git' in page) || !page.git) return 'readme';
  return /(?:^|\/)README\.md$/.test(page.git.path) ? 'readme' : slugOfFile(page.git.path, '');
}
