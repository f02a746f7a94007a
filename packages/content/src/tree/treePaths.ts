import { join, slugOfFile } from '@bindery/dialect/repository-format';
import { compact } from '@bindery/runtime/compact';
import type { PageItem, PageTree } from '../store/items.ts';
import type { TreeEdit } from './treeEdit.ts';

/**
 * A path consists of the parent's path and the page's own slug. Content imported when paths followed files
 * gets such paths at its next import, edit or export.
 */

/**
 * Returns the same pages with paths that follow the tree; their old paths become those of their files. A list
 * of pages that have such paths is returned as it is.
 */
export function withTreePaths(pages: readonly PageTree[], above = ''): readonly PageTree[] {
  const settled = settledPaths(pages, above);
  const changed = pages.map((page, index) => {
    const paths = settled[index];
    if (!paths || !('pages' in page)) return page;
    const children = withTreePaths(page.pages, paths.path);
    const { slug, path, filePath } = { filePath: page.filePath, ...paths };
    const isSame =
      children === page.pages && slug === page.slug && path === page.path && filePath === page.filePath;
    return isSame ? page : { ...page, ...paths, pages: [...children] };
  });
  return changed.every((page, index) => page === pages[index]) ? pages : changed;
}

/** Applies `withTreePaths` to a tree that is being edited. */
export function settleTreePaths(edit: TreeEdit, into: string | null = null, above = ''): void {
  const pages = edit.list(into);
  for (const [index, paths] of settledPaths(pages, above).entries()) {
    const page = pages[index];
    if (!paths || !page || !('path' in page)) continue;
    if (paths.slug !== page.slug || paths.path !== page.path)
      edit.update(page.id, (item) => ({ ...item, ...paths }) as PageItem);
    settleTreePaths(edit, page.id, paths.path);
  }
}

type Paths = { slug: string; path: string; filePath?: string };

/**
 * The paths of siblings, in order; undefined for a page without a path. Pages with a file come first, so that
 * no other page takes their slugs.
 */
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
      // Saves trying the same numbers again when thousands of pages want one slug.
      lastSuffix.set(wanted, suffix);
      taken.add(slug);
      const path = join(above, slug);
      const filePath = page.filePath ?? page.path;
      const isOther = filePath !== '' && filePath !== path;
      settled[index] = compact({ slug, path, filePath: isOther ? filePath : undefined });
    }
  };
  settle(true);
  settle(false);
  return settled;
}

/** The page at the empty path was the landing page, whose file, if any, is the README of the root. */
function slugOfStart(page: Extract<PageItem | PageTree, { path: string }>): string {
  if (!('git' in page) || !page.git) return 'readme';
  return /(?:^|\/)README\.md$/.test(page.git.path) ? 'readme' : slugOfFile(page.git.path, '');
}
