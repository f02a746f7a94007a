import { newId } from '@bindery/runtime';
import type { ClientSession } from '../database/connection.ts';
import { Overtaken, retryOptimistic } from '../database/retryOptimistic.ts';
import { requestIndexing } from './indexTask.ts';
import { writeOutboxEvents } from '../job/outbox.ts';
import { Space, type SpaceRecord } from './space.ts';
import { requestTranslations } from './translation.ts';

/**
 * Makes a revision the main content of its space, in the transaction that inserts the revision.
 *
 * @param from  the revision that the new one is based on; the space must still have it, so that nothing is
 *   overwritten
 * @param by  the user
 * @returns whether it was published; if not, nothing was changed, and the caller retries with the newer
 *   content or gives up
 */
export async function publishRevision(
  {
    space,
    from,
    to,
    by,
  }: { space: Pick<SpaceRecord, '_id' | 'organization'>; from: string; to: string; by: string },
  session: ClientSession,
): Promise<boolean> {
  const { _id, organization } = space;
  const { matchedCount } = await Space.updateOne(
    // Content is stored per organization: the prepared revision is readable only in this one.
    { _id, organization, revision: from, isDeleted: false },
    { $set: { revision: to, updatedAt: new Date() } },
    { session },
  );
  if (matchedCount !== 1) return false;
  await followContent(space, { revision: to, by }, session);
  return true;
}

/**
 * Thrown by a transaction whose revision was prepared for content that has changed since. Nothing was
 * written.
 */
export class ContentMoved extends Overtaken {}

/**
 * Runs `work`, which prepares and then publishes a revision, and retries after a concurrent change of the
 * content. Trees are thus built outside of transactions, which only compare.
 *
 * @throws ContentMoved after ten such attempts
 */
export async function whileContentMoves<T>(work: () => Promise<T>): Promise<T> {
  // Retries follow immediately; only a space that changes all the time needs more.
  return retryOptimistic({
    attempts: 10,
    attempt: work,
    isOvertaken: (error) => error instanceof ContentMoved,
  });
}

/**
 * Follows up on each change of `space.revision`, in its transaction: requests indexing and runs of its
 * translations, and notifies webhooks.
 */
export async function followContent(
  space: Pick<SpaceRecord, '_id' | 'organization'>,
  { revision, by }: { revision: string; by: string },
  session: ClientSession,
): Promise<void> {
  await requestIndexing(space, session);
  await requestTranslations({ 'source.space': space._id, organization: space.organization }, session);
  const data = { revisionId: revision, updatedBy: by };
  await writeOutboxEvents([{ _id: newId(), type: 'space_content_updated', space, data }], session);
}
