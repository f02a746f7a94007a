import type { ContentTree } from '../tree/contentTree.ts';
import type { PageChange, TreeDiff } from './diffTrees.ts';
import { longestIncreasing } from './longestIncreasing.ts';

/** For longer lists, any shortest answer is taken. */
const maxWeighed = 2_000;

/**
 * Where both sides reordered the pages of a list, chooses the pages that `theirs` moved: as few as possible,
 * preferring those that `ours` moved as well. So a page that both sides moved counts as moved twice, and its
 * neighbours as unmoved.
 *
 * @returns the changes of `theirs`, with `moved` chosen accordingly
 */
export function agreeOnMoves(
  { base, theirs }: { base: ContentTree; theirs: ContentTree },
  { byOurs, byTheirs }: { byOurs: TreeDiff; byTheirs: TreeDiff },
): TreeDiff {
  const reorderedByOurs = reorderedLists(byOurs);
  const changes = new Map(byTheirs);
  for (const [parent, reordered] of reorderedLists(byTheirs)) {
    const moved = reorderedByOurs.get(parent);
    if (!moved) continue;
    const [before, after] = [base.list(parent), theirs.list(parent)];
    const chosen = reorderedPages(
      before.map(({ id }) => id),
      after.map(({ id }) => id),
      moved,
    );
    for (const id of new Set([...reordered, ...chosen])) {
      const known = changes.get(id);
      const places =
        known?.kind === 'changed'
          ? known
          : placesOf(id, { before, after, parent: theirs.page(parent ?? '')?.page ?? null });
      const { moved: _, ...change } = places;
      if (chosen.has(id)) changes.set(id, { ...change, moved: 'order' });
      else if (change.fields.size > 0) changes.set(id, change);
      else changes.delete(id);
    }
  }
  return changes;
}

type Changed = Extract<PageChange, { kind: 'changed' }>;
type List = ReturnType<ContentTree['list']>;

/** By parent: the reordered children. */
function reorderedLists(diff: TreeDiff): Map<string | null, Set<string>> {
  const lists = new Map<string | null, Set<string>>();
  for (const change of diff.values()) {
    if (change.kind !== 'changed' || change.moved !== 'order') continue;
    const parent = change.after.parent?.id ?? null;
    lists.set(parent, (lists.get(parent) ?? new Set()).add(change.id));
  }
  return lists;
}

function placesOf(
  id: string,
  { before, after, parent }: { before: List; after: List; parent: List[number] | null },
): Changed {
  const place = (list: List) => {
    const index = list.findIndex((page) => page.id === id);
    return { page: list[index] as List[number], parent, index };
  };
  return { kind: 'changed', id, before: place(before), after: place(after), fields: new Set() };
}

function reorderedPages(
  before: readonly string[],
  after: readonly string[],
  movedByOther: ReadonlySet<string>,
): Set<string> {
  const places = new Map(after.map((id, index) => [id, index]));
  const stayed = before.filter((id) => places.has(id));
  const values = stayed.map((id) => places.get(id) as number);
  // All discounts together are less than one page, so the number of moved pages stays minimal.
  const weights = stayed.map((id) => (movedByOther.has(id) ? 1 - 1 / (stayed.length + 1) : 1));
  const inOrder =
    stayed.length > maxWeighed ? longestIncreasing(values) : heaviestIncreasing(values, weights);
  return new Set(stayed.filter((_, position) => !inOrder.has(position)));
}

function heaviestIncreasing(values: readonly number[], weights: readonly number[]): Set<number> {
  const totals: number[] = [];
  const before: number[] = [];
  let end = -1;
  for (const [position, value] of values.entries()) {
    let best = -1;
    for (let other = 0; other < position; other += 1) {
      if (
        (values[other] as number) < value &&
        (best === -1 || (totals[other] as number) > (totals[best] as number))
      )
        best = other;
    }
    totals.push((weights[position] as number) + (best === -1 ? 0 : (totals[best] as number)));
    before.push(best);
    if (end === -1 || (totals[position] as number) > (totals[end] as number)) end = position;
  }
  const chosen = new Set<number>();
  for (let position = end; position !== -1; position = before[position] as number) chosen.add(position);
  return chosen;
}
