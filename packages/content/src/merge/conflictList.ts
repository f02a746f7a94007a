import type { MergeConflict } from './conflict.ts';

/** The most conflicts that are listed, and the most characters of each of their texts. */
export type ConflictLimits = { entries: number; characters: number };

/** The conflicts of a merge: all are counted, and those within the limits are listed. */
export type ConflictList = {
  readonly listed: MergeConflict[];
  readonly total: number;
  add(conflicts: readonly MergeConflict[]): void;
};

/** @param limits  without them, everything is listed */
export function createConflictList(limits?: ConflictLimits): ConflictList {
  const listed: MergeConflict[] = [];
  let total = 0;
  return {
    listed,
    get total() {
      return total;
    },
    add: (conflicts) => {
      total += conflicts.length;
      if (!limits) listed.push(...conflicts);
      else
        for (const conflict of conflicts.slice(0, limits.entries - listed.length))
          listed.push(withCutTexts(conflict, limits.characters));
    },
  };
}

const sides = ['base', 'ours', 'theirs'] as const;

function withCutTexts(conflict: MergeConflict, characters: number): MergeConflict {
  if (sides.every((side) => (conflict[side]?.length ?? 0) <= characters)) return conflict;
  const cut: MergeConflict = { ...conflict, cut: true };
  // Drops half of a surrogate pair at the end of a text.
  for (const side of sides)
    cut[side] = conflict[side]?.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '') ?? null;
  return cut;
}
