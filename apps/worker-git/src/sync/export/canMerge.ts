import type { Exporting } from './exporting.ts';

/** Tells whether the content of a branch that has moved can be merged: there is a state last in sync. */
export function canMerge({ input, space, pointId, point }: Exporting): boolean {
  return !input.force && point !== undefined && space.syncedWith === pointId;
}
