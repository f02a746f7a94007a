import { otherPathsOf, type LocatedPage, type PageLookup } from '../tree/pageLookup.ts';

/** Number of look-ups after which listing the whole tree pays off. */
const fewLookups = 50;

type Lists = {
  ids: Map<string, LocatedPage>;
  paths: Map<string, LocatedPage>;
  filePaths: Map<string, LocatedPage>;
  files: Map<string, LocatedPage>;
};

/**
 * Wraps a tree for many look-ups, so that a page with thousands of links in a space with thousands of pages
 * does not block other work. A few look-ups cost the same as in the tree itself. Valid until the tree
 * changes.
 */
export function quickLookup(tree: PageLookup): PageLookup {
  let count = 0;
  let lists: Lists | undefined;
  const listed = (): Lists | undefined => {
    count += 1;
    return count > fewLookups ? (lists ??= listAll(tree)) : undefined;
  };
  const find = (by: keyof Lists, key: string, search: (key: string) => LocatedPage | undefined) => {
    const found = listed();
    return found ? found[by].get(key) : search(key);
  };
  return {
    ...tree,
    page: (id) => find('ids', id, tree.page),
    // The tree itself finds the landing page, whose path is empty.
    pageAtPath: (path) => (path === '' ? tree.pageAtPath(path) : find('paths', path, tree.pageAtPath)),
    pageAtFilePath: (path) => find('filePaths', path, tree.pageAtFilePath),
    pageOfFile: (path) => find('files', path, tree.pageOfFile),
  };
}

function listAll(tree: PageLookup): Lists {
  const lists: Lists = { ids: new Map(), paths: new Map(), filePaths: new Map(), files: new Map() };
  for (const located of tree.all()) {
    const { page } = located;
    lists.ids.set(page.id, located);
    if ('path' in page && !lists.paths.has(page.path)) lists.paths.set(page.path, located);
    for (const path of otherPathsOf(page)) if (!lists.filePaths.has(path)) lists.filePaths.set(path, located);
    if (page.type === 'document' && page.git && !lists.files.has(page.git.path))
      lists.files.set(page.git.path, located);
  }
  return lists;
}
