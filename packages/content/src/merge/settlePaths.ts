import { freeSlug, repath } from '../tree/pagePaths.ts';
import type { PageItem } from '../store/items.ts';
import type { TreeEdit } from '../tree/treeEdit.ts';
import { settleTreePaths } from '../tree/treePaths.ts';
import type { Fate, Sides } from './mergeParents.ts';

/**
 * Gives unique slugs among siblings, and the matching paths, to pages whose position or slug a merge has
 * changed. On a collision the page of `ours` keeps its slug, and that of `theirs` gets a number.
 */
export function settlePaths(
  edit: TreeEdit,
  fates: readonly Fate[],
  sides: Sides & { depthOf: (id: string) => number },
): void {
  settleSlugs(
    edit,
    fates.filter((fate) => isNewPlace(fate, { ...sides, edit })),
  );
  if (![sides.base, sides.ours, sides.theirs].every((tree) => tree.hasTreePaths()))
    return settleTreePaths(edit);
  const outermostFirst = fates
    .map(({ id }) => ({ id, depth: sides.depthOf(id) }))
    .toSorted((a, b) => a.depth - b.depth);
  for (const { id } of outermostFirst) repath(edit, id);
}

/**
 * Tells whether the position, slug or path differs from that in `ours`: such a page yields its slug to the
 * existing pages.
 */
function isNewPlace(
  { id, parent, ours, theirs, placedBy }: Fate,
  sides: Sides & { edit: TreeEdit },
): boolean {
  // A move of ours that would have formed a cycle is not applied.
  const inOurs = sides.ours.page(id);
  if (inOurs && (inOurs.parent?.id ?? null) !== parent) return true;
  // The place of ours was chosen.
  if (inOurs && ours && slugOf(inOurs.page) === slugOf(sides.edit.page(id)?.page)) return false;
  if (theirs === undefined) return ours?.kind === 'deleted';
  if (theirs.kind !== 'changed') return theirs.kind === 'created';
  return (
    ours?.kind === 'deleted' ||
    placedBy === 'theirs' ||
    theirs.fields.has('slug') ||
    theirs.fields.has('path')
  );
}

function slugOf(page: PageItem | undefined): string | undefined {
  return page && 'slug' in page ? page.slug : undefined;
}

function settleSlugs(edit: TreeEdit, placed: readonly Fate[]): void {
  for (const [into, fates] of Map.groupBy(placed, ({ parent }) => parent)) {
    const siblings = edit.list(into);
    const counts = new Map<string, number>();
    for (const page of siblings) if ('slug' in page) counts.set(page.slug, (counts.get(page.slug) ?? 0) + 1);
    if ([...counts.values()].every((count) => count === 1)) continue;
    const ids = new Set(fates.map(({ id }) => id));
    for (const page of siblings) {
      if (!ids.has(page.id) || !('slug' in page) || (counts.get(page.slug) ?? 0) < 2) continue;
      counts.set(page.slug, (counts.get(page.slug) ?? 0) - 1);
      setSlug(edit, page.id, freeSlug(edit, page.slug, { into, except: page.id }));
    }
  }
}

function setSlug(edit: TreeEdit, id: string, slug: string): void {
  edit.update(id, (item) => ('slug' in item ? { ...item, slug } : item));
}
