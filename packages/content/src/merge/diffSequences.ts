import { diffIndices } from 'node-diff3';
import { longestIncreasing } from './longestIncreasing.ts';

/** Sequences that need more steps are compared by their landmarks. */
const maxSteps = 20_000_000;

/** A difference between two sequences: its start, and the number of members on each side. */
export type Difference = { before: number; removed: number; after: number; added: number };

/**
 * Finds the differences between two sequences, in order.
 *
 * Long sequences are split at members that occur once in both; a section between them that would still take
 * too long counts as different as a whole.
 */
export function diffSequences(before: readonly string[], after: readonly string[]): Difference[] {
  let start = 0;
  let tail = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before[start] === after[start]) start += 1;
  while (tail < shorter - start && before[before.length - 1 - tail] === after[after.length - 1 - tail])
    tail += 1;
  const [old, now] = [before.slice(start, before.length - tail), after.slice(start, after.length - tail)];
  if (old.length === 0 && now.length === 0) return [];
  return diffMiddle(old, now).map((difference) => ({
    ...difference,
    before: difference.before + start,
    after: difference.after + start,
  }));
}

function diffMiddle(before: string[], after: string[]): Difference[] {
  if (isCheapToCompare(before, after)) {
    return diffIndices(before, after).map(({ buffer1, buffer2 }) => ({
      ...{ before: buffer1[0], removed: buffer1[1] },
      ...{ after: buffer2[0], added: buffer2[1] },
    }));
  }
  const landmarks = landmarksOf(before, after);
  if (landmarks.length === 0) return [{ before: 0, removed: before.length, after: 0, added: after.length }];
  const differences: Difference[] = [];
  let [oldAt, nowAt] = [0, 0];
  for (const [old, now] of [...landmarks, [before.length, after.length] as const]) {
    for (const found of diffSequences(before.slice(oldAt, old), after.slice(nowAt, now))) {
      differences.push({ ...found, before: found.before + oldAt, after: found.after + nowAt });
    }
    [oldAt, nowAt] = [old + 1, now + 1];
  }
  return differences;
}

/** The members that occur exactly once in both sequences, in the same order. */
function landmarksOf(before: readonly string[], after: readonly string[]): (readonly [number, number])[] {
  const inAfter = onceIn(after);
  const shared = [...onceIn(before)].flatMap(([member, old]) => {
    const now = inAfter.get(member);
    return now === undefined ? [] : [[old, now] as const];
  });
  const inOrder = longestIncreasing(shared.map(([, now]) => now));
  return shared.filter((_, position) => inOrder.has(position));
}

/** The position of each member that occurs once, in order. */
function onceIn(members: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const again = new Set<string>();
  for (const [index, member] of members.entries()) {
    if (places.has(member)) again.add(member);
    else places.set(member, index);
  }
  for (const member of again) places.delete(member);
  return places;
}

/** Tells whether the algorithm takes few enough steps for these sequences. */
export function isCheapToCompare(a: readonly string[], b: readonly string[]): boolean {
  const counts = new Map<string, number>();
  for (const member of a) counts.set(member, (counts.get(member) ?? 0) + 1);
  let pairs = 0;
  for (const member of b) pairs += counts.get(member) ?? 0;
  return pairs * Math.min(a.length, b.length) <= maxSteps;
}
