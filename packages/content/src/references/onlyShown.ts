import type { LocatedPage, PageLookup } from '../tree/pageLookup.ts';
import { pageAtPath } from '../tree/pageLookup.ts';
import { lookupInMaps } from './lookupInMaps.ts';

/** A tree as somebody sees it who does not see all of its pages: others are not there, and give their paths to those that are. */
export function onlyShown(tree: PageLookup, isShown: (page: string) => boolean): PageLookup {
  function* all(): Iterable<LocatedPage> {
    for (const located of tree.all()) if (isShown(located.page.id)) yield located;
  }
  return lookupInMaps({
    ...tree,
    all,
    pageAtPath: (path) => pageAtPath(path, () => undefined, all),
    list: (parent) => (parent === null || isShown(parent) ? tree.list(parent).filter(({ id }) => isShown(id)) : []),
    // With what is hidden below it: nobody who resolves references asks for this.
    subtree: () => undefined,
  });
}
