import { join } from '../gitbook/paths.ts';
import { freeSlug, repath } from '../tree/pagePaths.ts';
import type { LocatedPage, PageLookup } from '../tree/pageLookup.ts';
import type { TreeEdit } from '../tree/treeEdit.ts';
import { afterOf, type Fate, type Sides } from './mergeParents.ts';

/**
 * Gives the pages whose place or slug a merge has changed a slug that no sibling has, and the paths that follow. A page that stands where it
 * stood on one side keeps the path that it had there: it may be that of its file.
 *
 * Where two pages meet in one slug or path, that of `ours` keeps it, and that of `theirs` gets a number.
 */
export function settlePaths(edit: TreeEdit, fates: readonly Fate[], sides: Sides & { depthOf: (id: string) => number }): void {
  const renamed = settleSlugs(
    edit,
    fates.filter((fate) => isNewPlace(fate, sides)),
  );
  const outermostFirst = fates.map((fate) => ({ fate, depth: sides.depthOf(fate.id) })).toSorted((a, b) => a.depth - b.depth);
  const settling: Settling = { edit, sides, paths: new Map([[null, '']]), visited: new Set() };
  for (const { fate } of outermostFirst) {
    const path = renamed.has(fate.id) ? undefined : pathOfOneSide(fate, pathOf(fate.parent, settling));
    if (path === undefined) settlePath(fate.id, settling);
    else settling.paths.set(fate.id, path);
  }
  for (const id of settling.visited) separate(edit, id);
}

/** Whether its place, its slug or its path is not what it is in `ours`: then it makes room for the pages that are there. */
function isNewPlace({ id, parent, ours, theirs, placedBy }: Fate, sides: Sides): boolean {
  // Moves of both sides that together would have put a page below itself are not all done.
  const inOurs = sides.ours.page(id);
  if (inOurs && (inOurs.parent?.id ?? null) !== parent) return true;
  if (theirs === undefined) return ours?.kind === 'deleted';
  if (theirs.kind !== 'changed') return theirs.kind === 'created';
  return ours?.kind === 'deleted' || placedBy === 'theirs' || theirs.fields.has('slug') || theirs.fields.has('path');
}

/** @returns the pages that got another slug */
function settleSlugs(edit: TreeEdit, placed: readonly Fate[]): Set<string> {
  const renamed = new Set<string>();
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
      renamed.add(page.id);
    }
  }
  return renamed;
}

/** `paths`: of the pages that are settled, and of those above them. */
type Settling = { edit: TreeEdit; sides: Sides; paths: Map<string | null, string>; visited: Set<string> };

function pathOf(id: string | null, { edit, paths }: Settling): string {
  const known = paths.get(id);
  if (known !== undefined || id === null) return known ?? '';
  const page = edit.page(id)?.page;
  const path = page && 'path' in page ? page.path : '';
  paths.set(id, path);
  return path;
}

/** The path of a page that one side alone touched, and that stands where it stands there. */
function pathOfOneSide({ ours, theirs, parent }: Fate, above: string): string | undefined {
  const after = ours && theirs ? undefined : afterOf(ours ?? theirs);
  if (!after) return undefined;
  const { page, parent: there } = after;
  const isSamePlace = (there?.id ?? null) === parent && (there && 'path' in there ? there.path : '') === above;
  return isSamePlace && 'path' in page ? page.path : undefined;
}

function settlePath(id: string, settling: Settling): void {
  const { edit, sides, visited } = settling;
  const found = edit.page(id);
  if (visited.has(id) || !found || !('path' in found.page)) return;
  visited.add(id);
  const { page } = found;
  const path = pathOnASide(found, sides) ?? join(pathAbove(found), page.slug);
  settling.paths.set(id, path);
  if (path !== page.path) edit.update(id, (item) => ('path' in item ? { ...item, path } : item));
  const before = sides.ours.page(id)?.page;
  // What is below follows, unless all is as it was.
  if (before && 'path' in before && before.path === path) return;
  for (const child of edit.list(id)) settlePath(child.id, settling);
}

function pathOnASide(found: LocatedPage, { base, ours, theirs }: Sides): string | undefined {
  const pathIn = (tree: PageLookup) => {
    const there = tree.page(found.page.id);
    if (!there || !('path' in there.page) || !('slug' in found.page)) return undefined;
    const isSamePlace =
      there.parent?.id === found.parent?.id && pathAbove(there) === pathAbove(found) && there.page.slug === found.page.slug;
    return isSamePlace ? there.page.path : undefined;
  };
  const [their, our] = [pathIn(theirs), pathIn(ours)];
  return their === undefined || their === pathIn(base) ? (our ?? their) : their;
}

function pathAbove({ parent }: LocatedPage): string {
  return parent && 'path' in parent ? parent.path : '';
}

/** A page elsewhere may have the path of its file, which slugs do not know of. */
function separate(edit: TreeEdit, id: string): void {
  const found = edit.page(id);
  if (!found || !('path' in found.page)) return;
  const { page, parent } = found;
  const isTaken = (path: string) => {
    const other = edit.pageAtPath(path);
    return other !== undefined && other.page.id !== id && 'path' in other.page && other.page.path === path;
  };
  if (!isTaken(page.path)) return;
  const place = { into: parent?.id ?? null, except: id };
  const above = pathAbove(found);
  let slug = page.slug;
  for (let number = 1; isTaken(join(above, slug)); number += 1) slug = freeSlug(edit, `${page.slug.slice(0, 90)}-${number}`, place);
  if (slug !== page.slug) setSlug(edit, id, slug);
  repath(edit, id);
}

function setSlug(edit: TreeEdit, id: string, slug: string): void {
  edit.update(id, (item) => ('slug' in item ? { ...item, slug } : item));
}
