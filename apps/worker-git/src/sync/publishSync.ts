import { JobError } from '@bindery/contract';
import { Superseded } from '@bindery/jobs';
import {
  followContent,
  gitSyncOf,
  Space,
  type ClientSession,
  type RevisionRecord,
  type SpaceRecord,
} from '@bindery/models';
import { compact } from '@bindery/runtime';
import { moveSyncPoint, remoteName, type NewSyncPoint, type Remote } from './syncPoint.ts';

/** The part of a git job's input that decides about its last write. */
type SyncInput = Remote & {
  timestamp?: string | undefined;
  force: boolean;
  gitInfo?: { provider: 'github' | 'gitlab'; url: string } | undefined;
};

export type Publishing = {
  session: ClientSession;
  input: SyncInput;
  space: SpaceRecord;
  /** The revision on which the work is based; nothing is written unless the space still shows it. */
  from: string;
  /** The new revision of the space; absent if it already shows the right one. */
  to?: Pick<RevisionRecord, '_id' | 'createdBy'>;
  /** The new state in sync between the space and the branch; absent if already recorded. */
  point?: NewSyncPoint;
};

/**
 * Publishes the outcome of an import or export on its space, in the transaction that ends the job: only while
 * the space still shows the revision on which the work is based, and only for an event newer than the last
 * one applied.
 *
 * @throws Superseded when a newer event has been applied; JobError transient when the content changed, so
 *   that the work starts over
 */
export async function publishSync({ session, input, space, from, to, point }: Publishing): Promise<void> {
  const timestamp = input.timestamp ? new Date(input.timestamp) : undefined;
  const isOrdered = timestamp && !input.force;
  // The space already shows the commit, and the event brings nothing else.
  if (!to && !point && !timestamp && !input.gitInfo) return;
  const { matchedCount } = await Space.updateOne(
    {
      _id: space._id,
      // The prepared content is readable only in this organization.
      organization: space.organization,
      deletedAt: { $exists: false },
      revision: from,
      ...(isOrdered && {
        $or: [{ lastGitTimestamp: { $exists: false } }, { lastGitTimestamp: { $lt: timestamp } }],
      }),
    },
    {
      $set: compact({
        revision: to?._id,
        updatedAt: to && new Date(),
        syncedWith: point?._id,
        gitSync: input.gitInfo && gitSyncOf(input.gitInfo, input.url),
      }),
      // `force` may apply an older event, but must not change the order of later ones.
      ...(timestamp && { $max: { lastGitTimestamp: timestamp } }),
    },
    { session },
  );
  if (matchedCount !== 1) await refuse({ session, space, timestamp: isOrdered ? timestamp : undefined });
  if (point) await moveSyncPoint({ ...point, space: space._id, remote: remoteName(space, input) }, session);
  if (to) await followContent(space, { revision: to._id, by: to.createdBy }, session);
}

/** Refuses an event that is already overtaken, before fetching anything; the last write checks again. */
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
  if (!now || now.deletedAt)
    throw new JobError('not_found', 'The space was deleted during the synchronization.');
  if (timestamp && now.lastGitTimestamp && now.lastGitTimestamp >= timestamp) throw new Superseded(overtaken);
  throw new JobError(
    'internal',
    'The content of the space changed during the synchronization; the job starts over.',
    {
      class: 'transient',
    },
  );
}
