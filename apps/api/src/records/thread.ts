import { loadRevision, loadPageIndex, type PageIndex } from '@bindery/content';
import {
  serialized,
  Space,
  touchChangeRequest,
  withTransaction,
  type ChangeRequestRecord,
  type ClientSession,
  type SpaceRecord,
} from '@bindery/models';

/** What comments hang on: the main content of a space, or a change request of it. */
export type Thread = { space: SpaceRecord; changeRequest?: ChangeRequestRecord };

export function threadId({ space, changeRequest }: Thread): string {
  return changeRequest?._id ?? space._id;
}

/** Id of the revision that is discussed. */
export function activeRevision({ space, changeRequest }: Thread): string {
  return changeRequest?.revision ?? space.revision;
}

/** The pages of a revision of the space. */
export async function loadPagesOf(
  space: Pick<SpaceRecord, '_id' | 'organization'>,
  revisionId: string,
): Promise<PageIndex> {
  const revision = await loadRevision(space._id, revisionId);
  return loadPageIndex(space.organization, revision.pages);
}

/**
 * Writes comments together with what counts them. In this process, the writes of one space come one after the
 * other: their counters are in one record.
 */
export async function writeInThread<T>(
  { space }: Thread,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  return serialized(`space:${space._id}`, () => withTransaction(work));
}

/**
 * Notes a write in what the comments hang on.
 *
 * @param postedBy  the author of a new comment or reply
 * @param opened    by how much the number of open comments changes
 */
export async function noteInThread(
  { space, changeRequest }: Thread,
  { at, postedBy, opened = 0 }: { at: Date; postedBy?: string; opened?: number },
  session: ClientSession,
): Promise<void> {
  if (changeRequest) {
    const by = postedBy === undefined ? undefined : { user: postedBy, actionType: 'comment' as const };
    await touchChangeRequest(changeRequest._id, { at, comments: opened, ...(by && { by }) }, session);
  } else if (opened !== 0) {
    await Space.updateOne({ _id: space._id }, { $inc: { 'counts.comments': opened } }, { session });
  }
}
