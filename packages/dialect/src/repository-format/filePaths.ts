import {
  folderOf,
  join,
  nameOf,
  pagePathOfFile,
  pagePathOfFolder,
  readmeName,
  slugOfTitle,
} from './paths.ts';
import { plannedPages, type PlannedPage } from './pagePlan.ts';

type EmptyPage = Extract<PlannedPage, { kind: 'empty' }>;

/**
 * Derives a path for each page from its file below the content root, regardless of the navigation; the first
 * of several equal ones keeps it, later ones get a number. Pages without a file and groups come last.
 * Imported pages once had these paths, so links still use them.
 */
export function filePathsOf(
  pages: readonly PlannedPage[],
  { root, landing }: { root: string; landing: string | undefined },
): ReadonlyMap<PlannedPage, string> {
  const paths = new Map<PlannedPage, string>();
  const taken = new Set<string>();
  const lastSuffix = new Map<string, number>();

  const claim = (page: PlannedPage, wanted: string): void => {
    let path = wanted;
    let suffix = lastSuffix.get(wanted) ?? 0;
    while (taken.has(path)) path = `${wanted}-${(suffix += 1)}`;
    lastSuffix.set(wanted, suffix);
    taken.add(path);
    paths.set(page, path);
  };

  const later: [page: PlannedPage, wanted: string][] = [];
  for (const page of plannedPages(pages)) {
    if (page.kind !== 'file') continue;
    const wanted = pagePathOfFile(page.entry.path, { root, landing });
    if (taken.has(wanted)) later.push([page, wanted]);
    else claim(page, wanted);
  }
  for (const [page, wanted] of later) claim(page, wanted);
  claimWithoutFile(pages, '');
  return paths;

  function claimWithoutFile(siblings: readonly PlannedPage[], parent: string): void {
    for (const page of siblings) {
      if (page.kind === 'group') claim(page, slugOfTitle(page.title, 'group'));
      if (page.kind === 'empty')
        claim(
          page,
          page.folder === undefined
            ? join(parent, pathOfLabel(page))
            : pagePathOfFolder(below(page.folder, root)),
        );
      if ('children' in page) claimWithoutFile(page.children, paths.get(page) ?? parent);
    }
  }
}

/**
 * Converts the label of a page without a file to a path segment. A label that looks like a folder name, or
 * equals the folder of pages below it, is used as a folder name: so paths stay when a navigation replaces
 * folders.
 */
export function pathOfLabel({ title, children }: EmptyPage): string {
  const isName =
    /^[\p{L}\p{M}\p{N}._-]+$/u.test(title) ||
    children.some((child) => nameOf(folderAbove(child) ?? '') === title);
  return isName ? pagePathOfFolder(title) : slugOfTitle(title, 'page');
}

/** The folder above a page, as far as the files of pages show it. */
function folderAbove(page: PlannedPage): string | undefined {
  if (page.kind === 'file')
    return folderOf(nameOf(page.entry.path) === readmeName ? folderOf(page.entry.path) : page.entry.path);
  if (page.kind !== 'empty') return undefined;
  for (const child of page.children) {
    const folder = folderAbove(child);
    if (folder !== undefined && nameOf(folder) === page.title) return folderOf(folder);
  }
  return undefined;
}

function below(path: string, root: string): string {
  return root === '' ? path : path.slice(root.length + 1);
}
