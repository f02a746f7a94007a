import type { FoundConflict } from './conflict.ts';
import { describePlace } from '../describe.ts';
import type { Fate, Sides } from '../mergeParents.ts';
import { createLists } from '../placePages.ts';

/** Returns a conflict for each page that both sides moved to different positions. */
export function findPositionConflicts(fates: ReadonlyMap<string, Fate>, sides: Sides): FoundConflict[] {
  const listOfTheirs = createLists(sides.theirs);
  return [...fates.values()].flatMap((fate) =>
    fate.isRemoved ? [] : conflictOf(fate, { sides, listOfTheirs }),
  );
}

function conflictOf(
  { id, ours, theirs, isContested }: Fate,
  { sides, listOfTheirs }: { sides: Sides; listOfTheirs: (parent: string | null) => string[] },
): FoundConflict[] {
  const isReordered =
    ours?.kind === 'changed' &&
    theirs?.kind === 'changed' &&
    ours.moved === 'order' &&
    theirs.moved === 'order';
  if (!isContested && !(isReordered && !haveSamePlace(id, { sides, listOfTheirs }))) return [];
  const [base, our, their] = [sides.base, sides.ours, sides.theirs].map((tree) =>
    describePlace(tree, id),
  ) as [string, string, string];
  return [{ page: id, field: 'position', base, ours: our, theirs: their }];
}

/** Tells whether a page follows the same page on both sides, among the pages that both have. */
function haveSamePlace(
  id: string,
  { sides, listOfTheirs }: { sides: Sides; listOfTheirs: (parent: string | null) => string[] },
): boolean {
  const parent = sides.theirs.page(id)?.parent?.id ?? null;
  const ours = sides.ours.list(parent).map((page) => page.id);
  const theirs = listOfTheirs(parent);
  const [inOurs, inTheirs] = [new Set(ours), new Set(theirs)];
  const before = (list: readonly string[], other: ReadonlySet<string>) =>
    list.slice(0, list.indexOf(id)).findLast((page) => other.has(page));
  return before(ours, inTheirs) === before(theirs, inOurs);
}
