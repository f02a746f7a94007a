import { collectOrganization, organizationAfter, trimRevisions } from '@bindery/content';
import { dropUnusedFiles, leadInTurns, storageTurn, type StorageTurn } from '@bindery/jobs';
import { storageRemovals } from '@bindery/metrics';
import {
  databaseTime,
  Space,
  StorageSweep,
  type SpaceRecord,
  type StorageSweepRecord,
} from '@bindery/models';
import { faultPoint, type Config, type Logger } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';

const leaseMs = 60_000;
const longestPauseMs = 60_000;
const dayMs = 24 * 60 * 60 * 1000;
/**
 * Upload times come from the clocks of other processes, so each sweep also covers this much of the time
 * before the last one.
 */
const clockMarginMs = 7 * dayMs;
/** An upload that began longer ago has ended: upload URLs expire after an hour. */
const uploadMs = dayMs + 60 * 60 * 1000;

/**
 * Removes unreachable content regularly: of purged spaces, failed jobs and aborted uploads. Any number of
 * processes may call it; one of them sweeps.
 *
 * @returns a function that stops it; the next sweep continues an interrupted one
 */
export function startStorageSweep({
  config,
  logger,
  blobs,
}: {
  config: Config;
  logger: Logger;
  blobs: BlobStore;
}): () => Promise<void> {
  return leadInTurns('storage', {
    leaseMs,
    pauseMs: Math.min(config.storage.sweepIntervalMs, longestPauseMs),
    pausesFirst: true,
    turn: async (turn) => {
      await sweepStorage({ ...config.storage, ...turn, blobs, logger });
    },
    logger,
    failure: 'a sweep of the storage was interrupted; it goes on',
  });
}

type Sweeping = Config['storage'] & {
  blobs: BlobStore;
  logger: Logger;
  signal: AbortSignal;
  /** Keeps the lease for sweeping. @returns whether this process holds it */
  lead?: () => Promise<boolean>;
};

/**
 * Continues an unfinished sweep, or begins one when it is due. Progress is stored after each organization; a
 * sweep that dies within one repeats it. While a backup reads the storage, nothing is removed.
 *
 * @returns the numbers of removed items when the sweep has finished
 */
export async function sweepStorage(sweeping: Sweeping): Promise<StorageSweepRecord['removed'] | undefined> {
  const begun = await currentSweep(sweeping);
  if (!begun) return undefined;
  const turn = storageTurn();
  try {
    return (await turn.hold()) ? await finishSweep(begun, { ...sweeping, turn }) : undefined;
  } finally {
    await turn.release();
  }
}

async function finishSweep(
  begun: StorageSweepRecord,
  sweeping: Sweeping & { turn: StorageTurn },
): Promise<StorageSweepRecord['removed'] | undefined> {
  const { blobs, graceMs, pdfRetentionMs, logger, signal } = sweeping;
  const renew = renewal(sweeping);
  while ((await dropUnusedFiles(pdfRetentionMs)) > 0) await renew();
  for (let organization = await organizationAfter(blobs, begun.after); organization !== undefined;) {
    await sweepOrganization(organization, { ...sweeping, renew });
    await faultPoint('storage.organization_swept');
    organization = await organizationAfter(blobs, organization);
  }
  signal.throwIfAborted();
  const now = await databaseTime();
  await blobs.clearRemoved(new Date(now.getTime() - graceMs));
  await faultPoint('storage.removed_cleared');
  const before = new Date(now.getTime() - uploadMs);
  const uploads = await blobs.clearLeftovers({
    after: new Date(begun.leftoversBefore.getTime() - clockMarginMs),
    before,
  });
  const sweep = await StorageSweep.findByIdAndUpdate(
    'storage',
    { $set: { finishedAt: now, leftoversBefore: before }, $inc: { 'removed.uploads': uploads } },
    { returnDocument: 'after' },
  ).lean<StorageSweepRecord>();
  for (const [collection, count] of Object.entries(sweep?.removed ?? {}))
    storageRemovals.add({ collection }, count);
  if (sweep && Object.values(sweep.removed).some((count) => count > 0))
    logger.info({ removed: sweep.removed }, 'removed unreferenced content');
  return sweep?.removed;
}

/** Returns the unfinished sweep or a new one; undefined before the next one is due. */
async function currentSweep({ sweepIntervalMs }: Sweeping): Promise<StorageSweepRecord | undefined> {
  const startedAt = await databaseTime();
  const last = await StorageSweep.findById('storage').lean<StorageSweepRecord>();
  if (last && !last.finishedAt) return last;
  if (last?.finishedAt && startedAt.getTime() - last.finishedAt.getTime() < sweepIntervalMs) return undefined;
  const sweep = {
    _id: 'storage' as const,
    startedAt,
    after: '',
    leftoversBefore: last?.leftoversBefore ?? new Date(0),
    removed: { revisions: 0, nodes: 0, documents: 0, blobs: 0, uploads: 0 },
  };
  await StorageSweep.replaceOne({ _id: 'storage' }, sweep, { upsert: true });
  return sweep;
}

/**
 * Renews the leases during a long sweep. Losing one to another sweep is harmless: the two only do the same
 * work twice.
 */
function renewal({ lead, turn, signal }: Sweeping & { turn: StorageTurn }): () => Promise<void> {
  return async () => {
    signal.throwIfAborted();
    if ((lead && !(await lead())) || !(await turn.hold()))
      throw new Error('Another process sweeps the storage now, or a backup reads it.');
  };
}

async function sweepOrganization(
  organization: string,
  { renew, ...sweeping }: Sweeping & { renew: () => Promise<void> },
): Promise<void> {
  const { blobs, graceMs, revisionRetentionDays, logger, signal } = sweeping;
  const now = await databaseTime();
  const removed = { revisions: 0, nodes: 0, documents: 0, blobs: 0 };
  try {
    if (revisionRetentionDays > 0) {
      const before = new Date(now.getTime() - revisionRetentionDays * dayMs);
      for await (const space of spacesOf(organization)) {
        removed.revisions += await trimRevisions(space, { before, signal });
        await renew();
      }
    }
    const before = new Date(now.getTime() - graceMs);
    const { missing, ...counts } = await collectOrganization(organization, {
      blobs,
      before,
      signal,
      onBatch: renew,
    });
    Object.assign(removed, counts);
    await blobs.recount(organization);
    if (missing)
      logger.error(
        { organization, missing },
        'referenced content is missing; nothing of this organization is removed. `bindery doctor --storage` names the content',
      );
  } catch (error) {
    await renew();
    // The sweep continues with the other organizations.
    logger.warn(
      { err: error, organization },
      'the storage of an organization could not be swept; the next sweep tries again',
    );
  }
  const more = Object.fromEntries(Object.entries(removed).map(([kind, count]) => [`removed.${kind}`, count]));
  await StorageSweep.updateOne({ _id: 'storage' }, { $set: { after: organization }, $inc: more });
}

async function* spacesOf(organization: string): AsyncIterable<Pick<SpaceRecord, '_id' | 'organization'>> {
  for (let after = ''; ;) {
    const spaces = await Space.find({ organization, _id: { $gt: after } }, { organization: 1 })
      .sort({ _id: 1 })
      .limit(100)
      .lean<Pick<SpaceRecord, '_id' | 'organization'>[]>();
    yield* spaces;
    const last = spaces.at(-1);
    if (!last) return;
    after = last._id;
  }
}
