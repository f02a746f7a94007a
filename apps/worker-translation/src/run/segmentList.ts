import type { SegmentState, TranslatedSegmentRecord } from '@bindery/models';

/** Entries for each state. */
const maxListed = 100;

/** States that somebody should look at. */
export type ListedState = Exclude<SegmentState, 'machine' | 'human'>;

/** A segment in the result of a job, without its texts: not all readers of a job may see the result. */
export type ListedSegment = { page: string; segment?: string; reason?: string };

/** Collects the segments that somebody should look at: the first ones of each state, and their number. */
export type SegmentList = {
  add(
    segment: Pick<TranslatedSegmentRecord, 'page' | 'state' | 'reason'> & Partial<TranslatedSegmentRecord>,
  ): void;
  first(state: ListedState): readonly ListedSegment[];
  count(state: ListedState): number;
};

export function createSegmentList(): SegmentList {
  const lists = { kept: [], conflict: [], removed: [] } as Record<ListedState, ListedSegment[]>;
  const counts = { kept: 0, conflict: 0, removed: 0 };
  return {
    add({ page, key, state, reason }) {
      if (state === 'machine' || state === 'human') return;
      counts[state] += 1;
      if (lists[state].length < maxListed)
        lists[state].push({
          page,
          segment: key === undefined ? undefined : `${page}:${key}`,
          reason,
        });
    },
    first: (state) => lists[state],
    count: (state) => counts[state],
  };
}
