import { diffArrays } from 'diff';
import type { Budget } from './budget.ts';

/** Longer edits take more time than their result is of use. */
const maxEdits = 400;
/** The cost of reading a member, in comparisons. */
const readingCost = 4;

/** A number of members that both sequences have, or only one. */
export type Stretch = { kind: 'same' | 'removed' | 'added'; count: number };

/**
 * Finds the differences between two sequences with the algorithm of Myers.
 *
 * Its work is at most the number of edits times the length of both sequences. Two sequences that differ in
 * more members than the budget allows count as different from their first to their last difference.
 */
export function diffSequence<Member extends string | number>(
  before: readonly Member[],
  after: readonly Member[],
  budget: Budget,
): Stretch[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const middle = diffMiddle(
    before.slice(start, before.length - tail),
    after.slice(start, after.length - tail),
    budget,
  );
  return [{ kind: 'same', count: start } as const, ...middle, { kind: 'same', count: tail } as const].filter(
    ({ count }) => count > 0,
  );
}

function diffMiddle<Member extends string | number>(
  before: readonly Member[],
  after: readonly Member[],
  budget: Budget,
): Stretch[] {
  // Members of one side only cannot match: without them there are fewer edits to search.
  const [old, now] = [placesShared(before, after), placesShared(after, before)];
  const length = old.length + now.length;
  const maxEditLength = Math.min(maxEdits, Math.floor(budget.left / Math.max(1, length)));
  const membersAt = (members: readonly Member[], places: readonly number[]) =>
    places.map((place) => members[place]);
  const found =
    length === 0 || maxEditLength < 1
      ? undefined
      : diffArrays(membersAt(before, old), membersAt(after, now), { maxEditLength });
  const edits = found?.reduce((sum, { added, removed, count }) => (added || removed ? sum + count : sum), 1);
  const searches = edits ?? Math.max(0, maxEditLength);
  budget.left -= readingCost * (before.length + after.length) + searches * length;
  return stretchesOf(found ?? [], { old, now, before: before.length, after: after.length });
}

/** The places of the members that the other side has too. */
function placesShared<Member>(members: readonly Member[], others: readonly Member[]): number[] {
  const there = new Set(others);
  return members.flatMap((member, place) => (there.has(member) ? [place] : []));
}

/** Writes out the differences of the shared members with the members of one side between them. */
function stretchesOf(
  found: readonly { added: boolean; removed: boolean; count: number }[],
  { old, now, before, after }: { old: number[]; now: number[]; before: number; after: number },
): Stretch[] {
  const stretches: Stretch[] = [];
  const add = (kind: Stretch['kind'], count: number) => {
    const last = stretches.at(-1);
    if (last?.kind === kind) last.count += count;
    else if (count > 0) stretches.push({ kind, count });
  };
  let [oldAt, nowAt, oldShared, nowShared] = [0, 0, 0, 0];
  const replaceUntil = (oldEnd: number, nowEnd: number) => {
    add('removed', oldEnd - oldAt);
    add('added', nowEnd - nowAt);
    [oldAt, nowAt] = [oldEnd, nowEnd];
  };
  for (const { added, removed, count } of found) {
    for (let index = 0; index < count && !added && !removed; index += 1) {
      replaceUntil(old[oldShared + index] as number, now[nowShared + index] as number);
      add('same', 1);
      oldAt += 1;
      nowAt += 1;
    }
    if (!added) oldShared += count;
    if (!removed) nowShared += count;
  }
  replaceUntil(before, after);
  return stretches;
}
