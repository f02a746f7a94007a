import { newId } from '@bindery/runtime';
import type { ClientSession } from '../database/connection.ts';
import { Overtaken, retryOptimistic } from '../database/retryOptimistic.ts';
import { requestIndexing } from './indexTask.ts';
import { writeOutboxEvents } from '../job/outbox.ts';
import { Space, type SpaceRecord } from './space.ts';

/**
 * Makes a revision the main content of its space, in the transaction that inserts the revision.
 *
 * @param from  the revision that the new one was made from: only while it still is the main content, nothing is overwritten
 * @param by    who did it
 * @returns whether it was; if not, nothing was changed, and the caller starts again from the newer content or gives up
 */
export async function publishRevision(
  { space, from, to, by }: { space: Pick<SpaceRecord, '_id' | 'organization'>; from: string; to: string; by: string },
  session: ClientSession,
): Promise<boolean> {
  const { _id, organization } = space;
  const { matchedCount } = await Space.updateOne(
    // Content is kept by organization: what was prepared is readable in this one only.
    { _id, organization, revision: from, isDeleted: false },
    { $set: { revision: to, updatedAt: new Date() } },
    { session },
  );
  if (matchedCount !== 1) return false;
  await followContent(space, { revision: to, by }, session);
  return true;
}

/** Thrown by a transaction whose revision was prepared for content that has changed since. Nothing was written. */
export class ContentMoved extends Overtaken {}

/**
 * Repeats `work`, which prepares a revision and then publishes it, while the content changes in between. So trees are built outside of
 * transactions, which only compare.
 *
 * @throws ContentMoved when that happened ten times
 */
export async function whileContentMoves<T>(work: () => Promise<T>): Promise<T> {
  // Each attempt follows at once: only a space that changes all the time needs more.
  return retryOptimistic({ attempts: 10, attempt: work, isOvertaken: (error) => error instanceof ContentMoved });
}

/** What follows from every move of `space.revision`, in its transaction: search is brought up to date, and webhooks hear of it. */
export async function followContent(
  space: Pick<SpaceRecord, '_id' | 'organization'>,
  { revision, by }: { revision: string; by: string },
  session: ClientSession,
): Promise<void> {
  await requestIndexing(space, session);
  const data = { revisionId: revision, updatedBy: by };
  await writeOutboxEvents([{ _id: newId(), type: 'space_content_updated', space, data }], session);
}
