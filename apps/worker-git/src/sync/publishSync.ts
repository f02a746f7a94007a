import { JobError } from '@bindery/contract';
import { Superseded } from '@bindery/jobs';
import {
  followContent,
  gitSyncOf,
  Space,
  type ClientSession,
  type GitSyncPointRecord,
  type RevisionRecord,
  type SpaceRecord,
} from '@bindery/models';
import { moveSyncPoint } from './syncPoint.ts';

/** What of a git job's input decides about its last write. */
type SyncInput = {
  url: string;
  timestamp?: string | undefined;
  force: boolean;
  gitInfo?: { provider: 'github' | 'gitlab'; url: string } | undefined;
};

export type Publishing = {
  session: ClientSession;
  input: SyncInput;
  space: SpaceRecord;
  /** The revision that the work started from: only while the space still shows it, anything is written. */
  from: string;
  /** The revision that it shows from now on; absent when it shows the right one already. */
  to?: Pick<RevisionRecord, '_id' | 'createdBy'>;
  /** What the space and the branch have in common now; absent when that is known already. */
  point?: Pick<GitSyncPointRecord, '_id' | 'commit' | 'folder' | 'revision'>;
};

/**
 * Makes the outcome of an import or export that of its space, in the transaction that ends the job: only while the space still is what the work
 * started from, and only for an event that is newer than the last one applied.
 *
 * @throws Superseded when a newer event was applied meanwhile; JobError transient when the content changed, so that the work starts over
 */
export async function publishSync({ session, input, space, from, to, point }: Publishing): Promise<void> {
  const timestamp = input.timestamp ? new Date(input.timestamp) : undefined;
  const isOrdered = timestamp && !input.force;
  // The space shows the commit already, and the event brings nothing else.
  if (!to && !point && !timestamp && !input.gitInfo) return;
  const now = new Date();
  const { matchedCount } = await Space.updateOne(
    {
      _id: space._id,
      // What was prepared is readable in this organization only.
      organization: space.organization,
      deletedAt: { $exists: false },
      revision: from,
      ...(isOrdered && { $or: [{ lastGitTimestamp: { $exists: false } }, { lastGitTimestamp: { $lt: timestamp } }] }),
    },
    {
      $set: {
        ...(to && { revision: to._id, updatedAt: now }),
        ...(point && { syncedWith: point._id }),
        ...(input.gitInfo && { gitSync: gitSyncOf(input.gitInfo, input.url) }),
      },
      // `force` may take the space back to an older event, but never the order of later ones.
      ...(timestamp && { $max: { lastGitTimestamp: timestamp } }),
    },
    { session },
  );
  if (matchedCount !== 1) await refuse({ session, space, timestamp: isOrdered ? timestamp : undefined });
  if (point) await moveSyncPoint({ ...point, space: space._id }, session);
  if (to) await followContent(space, { revision: to._id, by: to.createdBy }, session);
}

/** An event that is known to be overtaken need not fetch anything; the last write looks again. */
export function refuseStale(input: SyncInput & { standalone: boolean }, space: SpaceRecord): void {
  if (!input.timestamp || input.force || input.standalone || !space.lastGitTimestamp) return;
  if (new Date(input.timestamp) <= space.lastGitTimestamp) throw new Superseded(overtaken);
}

const overtaken = 'A newer event from the repository has already been applied to the space.';

async function refuse({
  session,
  space,
  timestamp,
}: {
  session: ClientSession;
  space: SpaceRecord;
  timestamp: Date | undefined;
}): Promise<never> {
  const now = await Space.findById(space._id, null, { session }).lean<SpaceRecord>();
  if (!now || now.deletedAt) throw new JobError('not_found', 'The space was deleted during the synchronization.');
  if (timestamp && now.lastGitTimestamp && now.lastGitTimestamp >= timestamp) throw new Superseded(overtaken);
  throw new JobError('internal', 'The content of the space changed during the synchronization; the job starts over.', {
    class: 'transient',
  });
}
