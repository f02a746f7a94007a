import type { ContentTree } from '../tree/contentTree.ts';
import type { PageChange, PlacedPage, TreeDiff } from './diffTrees.ts';

/** The three trees of a merge, and the changes of both sides. */
export type Sides = {
  base: ContentTree;
  ours: ContentTree;
  theirs: ContentTree;
  byOurs: TreeDiff;
  byTheirs: TreeDiff;
};

/** The outcome for a page that a side changed. */
export type Fate = {
  id: string;
  ours: PageChange | undefined;
  theirs: PageChange | undefined;
  /** The new parent; null at the top. Meaningless for a page that is removed. */
  parent: string | null;
  /** The side that determines the position. */
  placedBy: 'ours' | 'theirs';
  isRemoved: boolean;
  /** One side removed it, but it is kept because of the other side's change. */
  isKept: boolean;
  /** Both sides moved it to different positions; that of `theirs` is taken. */
  isContested: boolean;
  /** Its position in `ours` was chosen. */
  isPinned?: true;
  /** Its removal was chosen: pages that stay below it move up to its parent. */
  isDropped?: true;
};

/**
 * Determines the pages after a merge, and the parent of each.
 *
 * A page that one side removed stays if the other side changed it, moved it, or has a page below it that
 * stays. Where the moves of both sides would form a cycle, the move of `theirs` is applied and that of `ours`
 * is not.
 */
export function mergeParents({ byOurs, byTheirs, ours, theirs }: Sides): Map<string, Fate> {
  const fates = new Map<string, Fate>();
  for (const id of new Set([...byOurs.keys(), ...byTheirs.keys()]))
    fates.set(id, fateOf(id, byOurs.get(id), byTheirs.get(id)));
  settleParents(fates, { ours, theirs });
  return fates;
}

/** Makes a tree of the parents: keeps the pages above those that stay, and breaks cycles. */
export function settleParents(fates: Map<string, Fate>, trees: Pick<Sides, 'ours' | 'theirs'>): void {
  const returned = new Set<string>();
  do keepAncestors(fates);
  while (breakCircles(fates, { ...trees, returned }));
}

function fateOf(id: string, our: PageChange | undefined, their: PageChange | undefined): Fate {
  const goneInOurs = our?.kind === 'deleted';
  const goneInTheirs = their?.kind === 'deleted';
  const isKept = (goneInOurs && isChanged(their)) || (goneInTheirs && isChanged(our));
  return {
    id,
    ours: our,
    theirs: their,
    ...placeOf(our, their),
    isRemoved: (goneInOurs || goneInTheirs) && !isKept,
    isKept,
  };
}

/** Fields that change with the pages above, or with any other field. */
const followsFromOthers: ReadonlySet<string> = new Set(['path', 'filePath', 'oldPaths', 'updatedAt']);

/**
 * Tells whether the page itself was changed: a new order of its siblings, or a path changed by the pages
 * above, does not count.
 */
export function isChanged(change: PageChange | undefined): boolean {
  if (change?.kind !== 'changed') return false;
  return change.moved === 'parent' || [...change.fields].some((field) => !followsFromOthers.has(field));
}

function placeOf(
  our: PageChange | undefined,
  their: PageChange | undefined,
): Pick<Fate, 'parent' | 'placedBy' | 'isContested'> {
  const inOurs = our ? afterOf(our) : beforeOf(their);
  const inTheirs = their ? afterOf(their) : beforeOf(our);
  const isContested = moves(our) && moves(their) && idOf(inOurs) !== idOf(inTheirs);
  if (inTheirs && (!inOurs || moves(their)))
    return { parent: idOf(inTheirs), placedBy: 'theirs', isContested };
  return { parent: idOf(inOurs), placedBy: 'ours', isContested };
}

function beforeOf(change: PageChange | undefined): PlacedPage | undefined {
  return change && change.kind !== 'created' ? change.before : undefined;
}

export function afterOf(change: PageChange | undefined): PlacedPage | undefined {
  return change && change.kind !== 'deleted' ? change.after : undefined;
}

/** Tells whether the change gives the page another parent; a new page had none. */
function moves(change: PageChange | undefined): boolean {
  return change?.kind === 'created' || (change?.kind === 'changed' && change.moved === 'parent');
}

function idOf(place: PlacedPage | undefined): string | null {
  return place?.parent?.id ?? null;
}

function keepAncestors(fates: Map<string, Fate>): void {
  const staying = [...fates.values()].filter(({ isRemoved }) => !isRemoved);
  for (let fate = staying.pop(); fate; fate = staying.pop()) {
    const above = fate.parent === null ? undefined : fates.get(fate.parent);
    if (!above?.isRemoved) continue;
    if (above.isDropped) {
      fate.parent = above.parent;
      staying.push(fate);
      continue;
    }
    above.isRemoved = false;
    above.isKept = true;
    staying.push(above);
  }
}

type Trees = Pick<Sides, 'ours' | 'theirs'> & {
  /** Pages that left a cycle for their position in `ours`. */
  returned: Set<string>;
};

/** @returns whether a page was moved to break a cycle */
function breakCircles(fates: Map<string, Fate>, trees: Trees): boolean {
  const parentOf = (id: string) => {
    const fate = fates.get(id);
    return fate ? fate.parent : (trees.ours.page(id)?.parent?.id ?? null);
  };
  const sound = new Set<string>();
  for (const { id, isRemoved } of fates.values()) {
    if (isRemoved) continue;
    const path: string[] = [];
    for (let at: string | null = id; at !== null && !sound.has(at); at = parentOf(at)) {
      const start = path.indexOf(at);
      if (start !== -1) {
        leaveCircle(path.slice(start), fates, trees);
        return true;
      }
      path.push(at);
    }
    for (const member of path) sound.add(member);
  }
  return false;
}

/**
 * A cycle consists of moves of both sides, so one of its pages has another parent in `theirs`, which is a
 * tree: it moves there. If choices hold it in `ours`, another page of the cycle moves to its position in
 * `ours`, or finally to the top; each page does so once, so this ends.
 */
function leaveCircle(
  circle: readonly string[],
  fates: Map<string, Fate>,
  { ours, theirs, returned }: Trees,
): void {
  const members = circle.flatMap((id) => fates.get(id) ?? []);
  const parentIn = (tree: ContentTree, id: string) => tree.page(id)?.parent?.id ?? null;
  const mover = members.find(({ id, placedBy, isPinned }) => {
    return !isPinned && placedBy === 'ours' && !returned.has(id) && theirs.page(id);
  });
  if (mover) {
    const parent = parentIn(theirs, mover.id);
    Object.assign(mover, { parent, placedBy: 'theirs', isContested: true });
    return;
  }
  const returning = members.find(({ id, isPinned }) => !isPinned && !returned.has(id) && ours.page(id));
  const [first] = members;
  if (returning) {
    returned.add(returning.id);
    Object.assign(returning, { parent: parentIn(ours, returning.id), placedBy: 'ours' });
  } else if (first) first.parent = null;
  else throw new Error(`The pages ${circle.join(', ')} stand below each other.`);
}
