import { hideJobsAbout, leadInTurns } from '@bindery/jobs';
import {
  deletedSpaceRetentionDays,
  Grant,
  Invite,
  removeSiteSpaces,
  Space,
  spaceRecords,
  withTransaction,
  type SpaceRecord,
} from '@bindery/models';
import type { Config, Logger } from '@bindery/runtime';

const spacesAtOnce = 100;
const recordsAtOnce = 1_000;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Purges deleted spaces that can no longer be restored. Any number of processes may call it; one of them
 * purges.
 *
 * @returns a function that stops it
 */
export function startPurge({ config, logger }: { config: Config; logger: Logger }): () => Promise<void> {
  const { purgeIntervalMs } = config.jobs;
  return leadInTurns('purge', {
    leaseMs: 3 * purgeIntervalMs,
    pauseMs: purgeIntervalMs,
    turn: async ({ signal }) => {
      await purgeSpaces({ logger, signal });
    },
    logger,
    failure: 'a purge failed; the next one follows',
  });
}

/**
 * Purges once. Safe to run at any time and in several processes at once: the next purge continues an
 * interrupted one.
 *
 * @returns the number of purged spaces
 */
export async function purgeSpaces({
  logger,
  signal,
}: {
  logger: Logger;
  signal: AbortSignal;
}): Promise<number> {
  let removed = 0;
  let after = '';
  for (;;) {
    const spaces = await findExpired(after);
    for (const { _id } of spaces) {
      if (signal.aborted) return removed;
      try {
        if (await purgeSpace(_id, signal)) removed += 1;
      } catch (error) {
        // A failure must not delay the other spaces.
        logger.warn(
          { err: error, space: _id },
          'a deleted space could not be removed; the next purge tries again',
        );
      }
    }
    const last = spaces.at(-1);
    if (!last || spaces.length < spacesAtOnce) return removed;
    after = last._id;
  }
}

/** Uses this process's clock, which only preselects; MongoDB's clock decides. */
async function findExpired(after: string): Promise<Pick<SpaceRecord, '_id'>[]> {
  const latest = new Date(Date.now() - deletedSpaceRetentionDays * dayMs);
  return Space.find({ _id: { $gt: after }, deletedAt: { $type: 'date', $lte: latest } }, { _id: 1 })
    .hint({ deletedAt: 1, _id: 1 })
    .sort({ _id: 1 })
    .limit(spacesAtOnce)
    .lean<Pick<SpaceRecord, '_id'>[]>();
}

/**
 * Removes the space itself last, so that an interrupted purge is found again. Its jobs stay as history until
 * they expire; no user sees them, because nothing decides any more who may. The nodes, documents and files of
 * its content are stored once per organization, and other spaces may use them: a later sweep of the storage
 * removes unreferenced ones (sweepStorage.ts).
 */
async function purgeSpace(_id: string, signal: AbortSignal): Promise<boolean> {
  const oldest = { $dateSubtract: { startDate: '$$NOW', unit: 'day', amount: deletedSpaceRetentionDays } };
  // From here on it cannot be restored.
  const space = await Space.findOneAndUpdate(
    { _id, isDeleted: true, $expr: { $lte: ['$deletedAt', oldest] } },
    [{ $set: { purgeStartedAt: { $ifNull: ['$purgeStartedAt', '$$NOW'] } } }],
    { updatePipeline: true },
  ).lean<SpaceRecord>();
  if (!space) return false;
  await withTransaction(async (session) => {
    await removeSiteSpaces({ spaces: [_id] }, session);
    await hideJobsAbout(_id, session);
  });
  for (const model of spaceRecords) {
    for (;;) {
      if (signal.aborted) return false;
      const records = await model
        .find({ space: _id }, { _id: 1 })
        .limit(recordsAtOnce)
        .lean<{ _id: string }[]>();
      if (records.length === 0) break;
      await model.deleteMany({ _id: { $in: records.map((record) => record._id) } });
    }
  }
  await Grant.deleteMany({ target: _id });
  await Invite.deleteMany({ organization: space.organization, 'target.id': _id });
  const { deletedCount } = await Space.deleteOne({ _id, purgeStartedAt: { $exists: true } });
  return deletedCount === 1;
}
