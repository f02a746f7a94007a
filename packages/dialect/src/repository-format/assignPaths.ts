import { filePathsOf, pathOfLabel } from './filePaths.ts';
import { join, pagePathOfFolder, slugOfFile, nameOf, slugOfTitle } from './paths.ts';
import type { PlannedPage } from './pagePlan.ts';
import { quoted, type Warnings } from '../contentWarnings.ts';

/**
 * The location of a page: `path` consists of the slugs of its ancestors and its own. `filePath` is the path
 * from its file, if that differs.
 */
export type PagePath = { slug: string; path: string; filePath?: string };

/**
 * Assigns every page and group its slug and path. Paths follow the navigation; a slug is the name of the
 * page's file, or follows from its title. Of siblings with the same slug, the first keeps it, and later ones
 * get a number; pages without a file come last, so that they never take a file's slug.
 *
 * @param root     the content root
 * @param landing  the file at the empty path when paths followed files
 */
export function assignPaths(
  pages: readonly PlannedPage[],
  { root, landing, warnings }: { root: string; landing: string | undefined; warnings: Warnings },
): ReadonlyMap<PlannedPage, PagePath> {
  const filePaths = filePathsOf(pages, { root, landing });
  const paths = new Map<PlannedPage, PagePath>();
  assign(pages, '');
  return paths;

  function assign(siblings: readonly PlannedPage[], above: string): void {
    for (const [page, slug] of slugsOf(siblings, { root, warnings, above })) {
      const path = join(above, slug);
      const filePath = filePaths.get(page);
      // The empty path belongs to the first page, whatever its file.
      paths.set(page, { slug, path, ...(filePath && filePath !== path && { filePath }) });
    }
    for (const page of siblings)
      if ('children' in page) assign(page.children, paths.get(page)?.path ?? above);
  }
}

/** Assigns the slugs of sibling pages. */
function slugsOf(
  siblings: readonly PlannedPage[],
  { root, warnings, above }: { root: string; warnings: Warnings; above: string },
): Map<PlannedPage, string> {
  const slugs = new Map<PlannedPage, string>();
  const taken = new Set<string>();
  const lastSuffix = new Map<string, number>();
  const claim = (page: PlannedPage, wanted: string): string => {
    let slug = wanted;
    let suffix = lastSuffix.get(wanted) ?? 0;
    while (taken.has(slug)) slug = `${wanted}-${(suffix += 1)}`;
    lastSuffix.set(wanted, suffix);
    taken.add(slug);
    slugs.set(page, slug);
    return slug;
  };
  const later: [page: PlannedPage, wanted: string, file: string][] = [];
  for (const page of siblings) {
    if (page.kind !== 'file') continue;
    const wanted = slugOfFile(page.entry.path, root);
    if (taken.has(wanted)) later.push([page, wanted, page.entry.path]);
    else claim(page, wanted);
  }
  for (const [page, wanted, file] of later) {
    const path = join(above, claim(page, wanted));
    warnings.add(
      'page_path',
      `Another page has the path ${quoted(join(above, wanted))} already; this one gets ${quoted(path)}.`,
      file,
    );
  }
  for (const page of siblings) {
    if (page.kind === 'group') claim(page, slugOfTitle(page.title, 'group'));
    if (page.kind === 'empty')
      claim(page, page.folder === undefined ? pathOfLabel(page) : pagePathOfFolder(nameOf(page.folder)));
  }
  return slugs;
}
