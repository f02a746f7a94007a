import { folderOf, isInside, join, nameOf, pagePathOfFolder } from '@bindery/dialect/repository-format';
import type { PageItem } from '../store/items.ts';
import type { PageLookup } from '../tree/pageLookup.ts';

/** Number of pages that suffice to determine the root; the rest agree. */
const enoughPages = 50;

const roots = new WeakMap<PageLookup, string>();

/**
 * Finds the folder of the repository that a tree's pages come from, `''` for the repository itself and for
 * pages without files.
 *
 * An imported page's path is its file's path below the root, so the root is the part before it. Pages that
 * were moved later do not count.
 */
export function contentRootOf(tree: PageLookup): string {
  const known = roots.get(tree);
  if (known !== undefined) return known;
  const votes = new Map<string, number>();
  let count = 0;
  for (const { page } of tree.all()) {
    const root = rootSaidBy(page);
    if (root === undefined) continue;
    votes.set(root, (votes.get(root) ?? 0) + 1);
    count += 1;
    if (count === enoughPages) break;
  }
  const root = [...votes].sort((one, other) => other[1] - one[1])[0]?.[0] ?? '';
  roots.set(tree, root);
  return root;
}

function rootSaidBy(page: PageItem): string | undefined {
  if (page.type !== 'document' || !page.git) return undefined;
  const file = page.git.path;
  const path = page.filePath ?? page.path;
  if (page.path === '' || page.slug === 'readme')
    return nameOf(file) === 'README.md' ? folderOf(file) : undefined;
  const segments = pathWithoutEnding(file).split('/');
  const below = path.split('/').length;
  if (segments.length < below) return undefined;
  return pagePathOfFolder(segments.slice(-below).join('/')) === path
    ? segments.slice(0, -below).join('/')
    : undefined;
}

/** Maps `x.md` and `x/README.md` to `x`, and the README of the root to `''`. */
function pathWithoutEnding(file: string): string {
  return nameOf(file) === 'README.md' ? folderOf(file) : file.replace(/\.(?:md|markdown)$/i, '');
}

/** Returns the file that a page was imported from, or the one that it would have. */
export function fileOfPage(page: PageItem | undefined, root: string): string {
  if (page?.type === 'document' && page.git) return page.git.path;
  const path = page && 'path' in page ? page.path : '';
  return join(root, path === '' || path === 'readme' ? 'README.md' : `${path}.md`);
}

/** Returns the path of the page without a file that would have this one. */
export function pathOfFile(file: string, root: string): string | undefined {
  if (!isInside(file, root) || !/\.md$/i.test(file)) return undefined;
  return pathWithoutEnding(root === '' ? file : file.slice(root.length + 1)) || 'readme';
}
