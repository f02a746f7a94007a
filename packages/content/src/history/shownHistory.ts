import type { PageHistoryRecord, SpaceRecord } from '@bindery/models';
import { findPageHistory } from './loadHistory.ts';

/** The branch whose history the pages of a space show, by the id of its sync point; undefined for none. */
export function historyPoint({
  gitHistory,
  syncedWith,
}: Pick<SpaceRecord, 'gitHistory' | 'syncedWith'>): string | undefined {
  return gitHistory === false ? undefined : syncedWith;
}

/** Finds the history of the pages of a space in a branch; undefined if it is that of another branch. */
export async function findHistoryAt(
  space: string,
  point: string | undefined,
): Promise<PageHistoryRecord | undefined> {
  const record = point === undefined ? undefined : await findPageHistory(space);
  return record?.point === point ? record : undefined;
}
