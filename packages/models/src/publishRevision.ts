import type { ClientSession } from './connection.ts';
import { requestIndexing } from './indexTask.ts';
import { Space, type SpaceRecord } from './space.ts';

/**
 * Makes a revision the main content of its space, in the transaction that inserts the revision.
 *
 * @param from  the revision that the new one was made from: only while it still is the main content, nothing is overwritten
 * @returns whether it was; if not, nothing was changed, and the caller starts again from the newer content or gives up
 */
export async function publishRevision(
  { space, from, to }: { space: Pick<SpaceRecord, '_id' | 'organization'>; from: string; to: string },
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
  await requestIndexing(space, session);
  return true;
}
