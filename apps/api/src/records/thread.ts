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

/** The thread that comments belong to: the main content of a space, or one of its change requests. */
export type Thread = { space: SpaceRecord; changeRequest?: ChangeRequestRecord };

export function threadId({ space, changeRequest }: Thread): string {
  return changeRequest?._id ?? space._id;
}

/** Id of the revision under discussion. */
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
 * Writes comments together with their counters. Within this process the writes in one space run one after the
 * other, because all its counters are in one record.
 */
export async function writeInThread<T>(
  { space }: Thread,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  return serialized(`space:${space._id}`, () => withTransaction(work));
}

/**
 * Records a write in the space or change request of a thread.
 *
 * @param postedBy  the author of a new comment or reply
 * @param opened    the change in the number of open comments
 */
export async function noteInThread(
  { space, changeRequest }: Thread,
  { at, postedBy, opened = 0 }: { at: Date; postedBy?: string; opened?: number },
  session: ClientSession,
): Promise<void> {
  if (changeRequest) {
    const by = postedBy === undefined ? undefined : { user: postedBy, actionType: 'comment' as const };
    await touchChangeRequest(changeRequest._id, { at, by, comments: opened }, session);
  } else if (opened !== 0) {
    await Space.updateOne({ _id: space._id }, { $inc: { 'counts.comments': opened } }, { session });
  }
}
