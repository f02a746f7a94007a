import {
  GitSyncPoint,
  type GitSyncPointRecord,
  type PageHistoryRecord,
  type SpaceRecord,
} from '@bindery/models';
import { findRevision } from '../store/revisions.ts';
import { openTree } from '../tree/contentTree.ts';
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

/**
 * Whether a page has the text that it had when its space was last in sync with a branch: the history in the
 * branch says nothing of later edits.
 */
export async function isTextOfBranch(
  page: { id: string; document?: string | undefined },
  { space, point }: { space: string; point: string },
): Promise<boolean> {
  const synced = await GitSyncPoint.findById(point, { revision: 1 }).lean<
    Pick<GitSyncPointRecord, 'revision'>
  >();
  const revision = synced && (await findRevision(space, synced.revision));
  if (!revision) return false;
  const then = (await openTree(revision.organization, revision.pages)).page(page.id)?.page;
  return then?.type === 'document' && then.document === page.document;
}
