import { otherPathsOf, type LocatedPage, type PageLookup } from '../tree/pageLookup.ts';

/** Indexes every page of a tree in maps, which pays off when all links of a space are looked up. */
export function lookupInMaps(tree: PageLookup): PageLookup {
  const ids = new Map<string, LocatedPage>();
  const paths = new Map<string, LocatedPage>();
  const filePaths = new Map<string, LocatedPage>();
  const files = new Map<string, LocatedPage>();
  for (const located of tree.all()) {
    const { page } = located;
    ids.set(page.id, located);
    // The first page keeps a path, as in the navigation.
    if ('path' in page && !paths.has(page.path)) paths.set(page.path, located);
    for (const path of otherPathsOf(page)) if (!filePaths.has(path)) filePaths.set(path, located);
    if (page.type === 'document' && page.git && !files.has(page.git.path)) files.set(page.git.path, located);
  }
  const landing = tree.pageAtPath('');
  if (landing && !paths.has('')) paths.set('', landing);
  return {
    ...tree,
    page: (id) => ids.get(id),
    pageAtPath: (path) => paths.get(path),
    pageAtFilePath: (path) => filePaths.get(path),
    pageOfFile: (path) => files.get(path),
  };
}
