import { join, pagePathOfFile, pagePathOfFolder, slugOfTitle } from './paths.ts';
import { plannedPages, type PlannedPage } from './pagePlan.ts';
import { quoted, type Warnings } from './warnings.ts';

/**
 * Gives every page and group its path. A page's path is that of its file, whatever stands above it in the navigation; the first of several
 * keeps it, a later one gets a numeric suffix. Pages without a file and groups come after that, so that they never take a file's path away.
 */
export function assignPaths(
  pages: readonly PlannedPage[],
  { root, landing, warnings }: { root: string; landing: string | undefined; warnings: Warnings },
): ReadonlyMap<PlannedPage, string> {
  const paths = new Map<PlannedPage, string>();
  const taken = new Set<string>();
  const lastSuffix = new Map<string, number>();

  const claim = (page: PlannedPage, wanted: string): string => {
    let path = wanted;
    let suffix = lastSuffix.get(wanted) ?? 0;
    while (taken.has(path)) path = `${wanted}-${(suffix += 1)}`;
    lastSuffix.set(wanted, suffix);
    taken.add(path);
    paths.set(page, path);
    return path;
  };

  const later: [page: PlannedPage, wanted: string, file: string][] = [];
  for (const page of plannedPages(pages)) {
    if (page.kind !== 'file') continue;
    const wanted = pagePathOfFile(page.entry.path, { root, landing });
    if (taken.has(wanted)) later.push([page, wanted, page.entry.path]);
    else claim(page, wanted);
  }
  for (const [page, wanted, file] of later) {
    const path = claim(page, wanted);
    warnings.add('page_path', `Another page has the path ${quoted(wanted)} already; this one is at ${quoted(path)}.`, file);
  }
  claimWithoutFile(pages, '');
  return paths;

  function claimWithoutFile(siblings: readonly PlannedPage[], parent: string): void {
    for (const page of siblings) {
      if (page.kind === 'group') claim(page, slugOfTitle(page.title, 'group'));
      if (page.kind === 'empty')
        claim(page, page.folder === undefined ? join(parent, pathOfLabel(page.title)) : pagePathOfFolder(below(page.folder, root)));
      if ('children' in page) claimWithoutFile(page.children, paths.get(page) ?? parent);
    }
  }
}

/** The label of a page without a file. One that reads like a folder's name is one: where a navigation takes the place of folders, their paths stay. */
function pathOfLabel(label: string): string {
  return /^[\p{L}\p{M}\p{N}._-]+$/u.test(label) ? pagePathOfFolder(label) : slugOfTitle(label, 'page');
}

function below(path: string, root: string): string {
  return root === '' ? path : path.slice(root.length + 1);
}
