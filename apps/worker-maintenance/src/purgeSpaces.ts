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
 * Removes deleted spaces for good when nobody can restore them any more. Any number may run; one of them purges.
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
 * One look at everything. Safe to run at any time and by several processes at once: what was begun is gone on with, by whoever comes next.
 *
 * @returns how many spaces were removed
 */
export async function purgeSpaces({ logger, signal }: { logger: Logger; signal: AbortSignal }): Promise<number> {
  let removed = 0;
  let after = '';
  for (;;) {
    const spaces = await findExpired(after);
    for (const { _id } of spaces) {
      if (signal.aborted) return removed;
      try {
        if (await purgeSpace(_id, signal)) removed += 1;
      } catch (error) {
        // The others shall not wait for this one.
        logger.warn({ err: error, space: _id }, 'a deleted space could not be removed; the next purge tries again');
      }
    }
    const last = spaces.at(-1);
    if (!last || spaces.length < spacesAtOnce) return removed;
    after = last._id;
  }
}

/** By this process's clock, which only finds them; MongoDB's decides. */
async function findExpired(after: string): Promise<Pick<SpaceRecord, '_id'>[]> {
  const latest = new Date(Date.now() - deletedSpaceRetentionDays * dayMs);
  return Space.find({ _id: { $gt: after }, deletedAt: { $type: 'date', $lte: latest } }, { _id: 1 })
    .hint({ deletedAt: 1 })
    .sort({ _id: 1 })
    .limit(spacesAtOnce)
    .lean<Pick<SpaceRecord, '_id'>[]>();
}

/**
 * The space itself goes last, so that a purge that dies half-way is found again. Its jobs stay, as the record of what happened, until their own time
 * is over; nobody sees them any more, because nothing tells any more who may. The nodes, documents and files of its content are stored once for the
 * organization, and other spaces may hold the same: what nothing refers to any more goes with a later sweep of the storage (sweepStorage.ts).
 */
async function purgeSpace(_id: string, signal: AbortSignal): Promise<boolean> {
  const oldest = { $dateSubtract: { startDate: '$$NOW', unit: 'day', amount: deletedSpaceRetentionDays } };
  // From here on nobody can restore it.
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
      const records = await model.find({ space: _id }, { _id: 1 }).limit(recordsAtOnce).lean<{ _id: string }[]>();
      if (records.length === 0) break;
      await model.deleteMany({ _id: { $in: records.map((record) => record._id) } });
    }
  }
  await Grant.deleteMany({ target: _id });
  await Invite.deleteMany({ organization: space.organization, 'target.id': _id });
  const { deletedCount } = await Space.deleteOne({ _id, purgeStartedAt: { $exists: true } });
  return deletedCount === 1;
}
