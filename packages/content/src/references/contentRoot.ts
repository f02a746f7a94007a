import { folderOf, isInside, join, nameOf, pagePathOfFolder } from '@bindery/dialect/repository-format';
import type { PageItem } from '../store/items.ts';
import type { PageLookup } from '../tree/pageLookup.ts';

/** So many pages say where the root is; the rest say the same. */
const enoughPages = 50;

const roots = new WeakMap<PageLookup, string>();

/**
 * The folder of the repository that the pages of a tree come from, `''` for the repository itself and for pages without files.
 *
 * An imported page has the path of its file below the root, so what the file has in front of that is the root. Pages that were moved since do not
 * count.
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
  if (page.path === '' || page.slug === 'readme') return nameOf(file) === 'README.md' ? folderOf(file) : undefined;
  const segments = pathWithoutEnding(file).split('/');
  const below = path.split('/').length;
  if (segments.length < below) return undefined;
  return pagePathOfFolder(segments.slice(-below).join('/')) === path ? segments.slice(0, -below).join('/') : undefined;
}

/** `x.md` and `x/README.md` are both `x`; the README of the root is `''`. */
function pathWithoutEnding(file: string): string {
  return nameOf(file) === 'README.md' ? folderOf(file) : file.replace(/\.(?:md|markdown)$/i, '');
}

/** The file of a page: the one that it came from, else the one that it would have. */
export function fileOfPage(page: PageItem | undefined, root: string): string {
  if (page?.type === 'document' && page.git) return page.git.path;
  const path = page && 'path' in page ? page.path : '';
  return join(root, path === '' || path === 'readme' ? 'README.md' : `${path}.md`);
}

/** The path of the page that has no file and would have this one. */
export function pathOfFile(file: string, root: string): string | undefined {
  if (!isInside(file, root) || !/\.md$/i.test(file)) return undefined;
  return pathWithoutEnding(root === '' ? file : file.slice(root.length + 1)) || 'readme';
}
