import type { LocatedPage, PageLookup } from '../tree/pageLookup.ts';
import { pageAtPath } from '../tree/pageLookup.ts';
import { lookupInMaps } from './lookupInMaps.ts';

/**
 * Restricts a tree to the pages that a reader sees: hidden pages are absent, and yield their paths to visible
 * ones.
 */
export function onlyShown(tree: PageLookup, isShown: (page: string) => boolean): PageLookup {
  function* all(): Iterable<LocatedPage> {
    for (const located of tree.all()) if (isShown(located.page.id)) yield located;
  }
  return lookupInMaps({
    ...tree,
    all,
    pageAtPath: (path) => pageAtPath(path, () => undefined, all),
    list: (parent) =>
      parent === null || isShown(parent) ? tree.list(parent).filter(({ id }) => isShown(id)) : [],
    // Would contain hidden pages; resolving references does not need it.
    subtree: () => undefined,
  });
}
