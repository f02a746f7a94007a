import type { PageItem, PageTree } from '../store/items.ts';
import type { ContentTree } from '../tree/contentTree.ts';
import { treeOf } from '../tree/pageLookup.ts';
import type { TreeEdit } from '../tree/treeEdit.ts';
import { afterOf, type Fate, type Sides } from './mergeParents.ts';

/**
 * Puts the pages that `theirs` inserted, moved or reordered, and those that are restored, into the tree of
 * `ours`.
 *
 * @returns the pages that were inserted together with a new parent
 */
export function placePages(
  edit: TreeEdit,
  fates: ReadonlyMap<string, Fate>,
  sides: Sides,
): ReadonlySet<string> {
  const staying = [...fates.values()].filter(({ isRemoved }) => !isRemoved);
  const depthOf = depths(fates, sides.ours);
  const listOfTheirs = createLists(sides.theirs);
  const waiting = new Set(staying.filter((fate) => isToBePlaced(fate)).map(({ id }) => id));
  // A page is placed after its new parent, so no page is ever placed below itself.
  const inOrder = staying
    .filter(({ id }) => waiting.has(id))
    .map((fate) => ({ fate, depth: depthOf(fate.id), index: indexInTheirs(fate) }))
    .toSorted((a, b) => a.depth - b.depth || a.index - b.index);
  const cameAlong = new Set<string>();
  let last: { id: string; into: string | null; at: number } | undefined;
  for (const { fate, index } of inOrder) {
    const { id, parent: into } = fate;
    if (cameAlong.has(id)) continue;
    const isNew = !isInOurs(fate);
    const theirs = listOfTheirs(into);
    // New pages usually come in sequence.
    const isNext = isNew && last?.into === into && theirs[index] === id && theirs[index - 1] === last.id;
    const at = isNext
      ? (last as { at: number }).at + 1
      : indexFor(id, { current: edit.list(into).map((page) => page.id), theirs, fates, waiting });
    waiting.delete(id);
    last = isNew ? { id, into, at } : undefined;
    if (!isNew) edit.move(id, { into, at });
    else {
      const whole = wholeSubtree(fate, fates, sides.theirs);
      for (const below of whole ? idsOf(whole) : []) if (below !== id) cameAlong.add(below);
      edit.insert(whole ?? treeOf(pageOf(fate), () => []), { into, at });
    }
  }
  return cameAlong;
}

/** Returns the ids of the pages below a parent; each list is read once. */
export function createLists(tree: ContentTree): (parent: string | null) => string[] {
  const lists = new Map<string | null, string[]>();
  return (parent) => {
    const known = lists.get(parent) ?? tree.list(parent).map(({ id }) => id);
    lists.set(parent, known);
    return known;
  };
}

function isInOurs({ ours, theirs }: Fate): boolean {
  return ours ? ours.kind !== 'deleted' : theirs?.kind !== 'created';
}

function isToBePlaced(fate: Fate): boolean {
  if (!isInOurs(fate)) return true;
  const { ours, theirs, parent, isPinned } = fate;
  const parentBefore = theirs && theirs.kind !== 'created' ? theirs.before.parent : undefined;
  const parentInOurs = ours ? afterOf(ours)?.parent : parentBefore;
  if (parentInOurs !== undefined && (parentInOurs?.id ?? null) !== parent) return true;
  return (
    !isPinned &&
    theirs?.kind === 'changed' &&
    theirs.moved === 'order' &&
    (theirs.after.parent?.id ?? null) === parent
  );
}

/** The page as it is restored or inserted. */
function pageOf({ ours, theirs, id }: Fate): PageItem {
  const page = afterOf(theirs)?.page ?? (ours?.kind === 'deleted' ? ours.before.page : undefined);
  if (!page) throw new Error(`The page ${id} is on neither side.`);
  return page;
}

function indexInTheirs({ ours, theirs }: Fate): number {
  return (afterOf(theirs) ?? (ours?.kind === 'deleted' ? ours.before : undefined))?.index ?? 0;
}

/** Returns the number of pages above a page after the merge. */
export function depths(fates: ReadonlyMap<string, Fate>, ours: ContentTree): (id: string) => number {
  const known = new Map<string, number>();
  const depthOf = (id: string): number => {
    const found = known.get(id);
    if (found !== undefined) return found;
    const fate = fates.get(id);
    const depth = fate ? depthBelow(fate.parent) : depthInOurs(id);
    known.set(id, depth);
    return depth;
  };
  const depthBelow = (parent: string | null) => (parent === null ? 0 : depthOf(parent) + 1);
  const depthInOurs = (id: string): number => {
    const parent = ours.page(id)?.parent;
    return parent ? depthOf(parent.id) + 1 : 0;
  };
  return depthOf;
}

/**
 * Finds a position after the page's predecessor in `theirs` and after the pages that `ours` added there;
 * otherwise before its successor. Neighbours that `ours` has moved are used only if there are no others.
 */
function indexFor(
  id: string,
  {
    current,
    theirs,
    fates,
    waiting,
  }: {
    current: readonly string[];
    theirs: readonly string[];
    fates: ReadonlyMap<string, Fate>;
    waiting: ReadonlySet<string>;
  },
): number {
  const others = current.filter((other) => other !== id);
  const places = new Map(others.map((other, index) => [other, index]));
  const own = theirs.indexOf(id);
  const isThere = (other: string) => places.has(other) && !waiting.has(other);
  const isUnmoved = (other: string) => isThere(other) && !isMovedByOurs(fates.get(other));
  const ahead = theirs.slice(0, Math.max(0, own));
  const behind = theirs.slice(own + 1);
  const previous = ahead.findLast(isUnmoved);
  const following = previous === undefined ? behind.find(isUnmoved) : undefined;
  const before = previous ?? (following === undefined ? ahead.findLast(isThere) : undefined);
  if (before === undefined) {
    const next = following ?? behind.find(isThere);
    return next === undefined ? others.length : (places.get(next) as number);
  }
  let at = (places.get(before) as number) + 1;
  while (at < others.length && isAddedByOurs(fates.get(others[at] as string))) at += 1;
  return at;
}

function isMovedByOurs(fate: Fate | undefined): boolean {
  return (
    fate?.placedBy === 'ours' &&
    fate.ours?.kind === 'changed' &&
    fate.ours.moved === 'order' &&
    fate.theirs === undefined
  );
}

function isAddedByOurs(fate: Fate | undefined): boolean {
  return (
    fate?.theirs === undefined &&
    (fate?.ours?.kind === 'created' || (fate?.ours?.kind === 'changed' && fate.ours.moved === 'parent'))
  );
}

/**
 * A page with its whole subtree, inserted at once if `theirs` made all of it and `ours` does not affect it.
 */
function wholeSubtree(
  fate: Fate,
  fates: ReadonlyMap<string, Fate>,
  theirs: ContentTree,
): PageTree | undefined {
  if (fate.theirs?.kind !== 'created' || fate.ours) return undefined;
  const tree = theirs.subtree(fate.id);
  const isNew = (page: PageTree): boolean => {
    const own = fates.get(page.id);
    return (
      own?.theirs?.kind === 'created' &&
      own.ours === undefined &&
      (!('pages' in page) || page.pages.every(isNew))
    );
  };
  return tree && isNew(tree) ? tree : undefined;
}

function idsOf(page: PageTree): string[] {
  return [page.id, ...('pages' in page ? page.pages.flatMap(idsOf) : [])];
}
