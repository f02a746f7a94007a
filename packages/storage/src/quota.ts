import { Transform } from 'node:stream';
import { ApiError } from '@bindery/contract';
import type { Collection } from 'mongodb';
import type { Files } from './fileRecord.ts';

/**
 * The total size of an organization's files, except removed ones; `changes` counts added files, `changedAt`
 * is the time of the last one.
 */
export type UsageRecord = { _id: string; sizeBytes: number; changes: number; changedAt?: Date };

/** Thrown for bytes that exceed the storage quota of their organization. */
export class QuotaExceeded extends ApiError {
  constructor(quotaBytes: number, room: number) {
    super(
      'payload_too_large',
      `Storage quota of ${inWords(quotaBytes)} exceeded: ${inWords(Math.max(0, room))} left.`,
      {
        action:
          'Delete files and spaces that the organization no longer needs, or ask the operator to raise the quota. Deleted files free their storage after one day, deleted spaces after eight.',
      },
    );
  }
}

/** Counts the stored bytes of each organization and refuses more than its quota. */
export type Quota = {
  /** @throws payload_too_large when that many bytes exceed the quota */
  requireRoom(organization: string, sizeBytes: number): Promise<void>;
  /**
   * Passes bytes on to a file: they count from the end of the stream until `release`. The stream fails when
   * they exceed the quota.
   */
  take(organization: string): { through: Transform; release(): Promise<void> };
  /**
   * Recounts the stored bytes, after files were removed, or after a process died between counting a file and
   * writing it.
   */
  recount(organization: string): Promise<void>;
};

const recounts = 3;
/** A counted file is written, or given up, within this time. */
const writtenAfterMs = 10_000;
/** A file up to this size arrives at once, so the quota is checked only once, when it is added. */
const smallBytes = 256 * 1024;

/** @param quotaBytes  0 is no limit: then nothing is counted */
export function createQuota(
  { files, usage }: { files: Files; usage: Collection<UsageRecord> },
  quotaBytes: number,
): Quota {
  const sizeOf = async (organization: string) => {
    // ';' follows ':' in the character set.
    const match = { filename: { $gt: `${organization}:`, $lt: `${organization};` } };
    const [sum] = await files
      .aggregate<{ sizeBytes: number }>([
        { $match: match },
        { $group: { _id: null, sizeBytes: { $sum: '$length' } } },
      ])
      .toArray();
    return sum?.sizeBytes ?? 0;
  };

  const recount = async (organization: string) => {
    if (quotaBytes === 0) return;
    // A file added during the count, or counted and still being written, would be missing, so the count is
    // repeated. If files are added all the time, the next sweep counts them.
    for (let i = 0; i < recounts; i += 1) {
      const before = await usage.findOne({ _id: organization });
      const sizeBytes = await sizeOf(organization);
      const isSettled = {
        $lt: [{ $ifNull: ['$changedAt', new Date(0)] }, { $subtract: ['$$NOW', writtenAfterMs] }],
      };
      const filter = { _id: organization, changes: before?.changes ?? 0, $expr: isSettled };
      if (before && (await usage.updateOne(filter, { $set: { sizeBytes } })).matchedCount > 0) return;
      if (
        !before &&
        (
          await usage.updateOne(
            { _id: organization },
            { $setOnInsert: { sizeBytes, changes: 0 } },
            { upsert: true },
          )
        ).upsertedCount > 0
      )
        return;
    }
  };

  const roomOf = async (organization: string): Promise<number> => {
    if (quotaBytes === 0) return Infinity;
    let used = await usage.findOne({ _id: organization });
    if (!used) {
      await recount(organization);
      used = await usage.findOne({ _id: organization });
    }
    return quotaBytes - (used?.sizeBytes ?? 0);
  };

  return {
    recount,
    async requireRoom(organization, sizeBytes) {
      const room = await roomOf(organization);
      if (sizeBytes > room) throw new QuotaExceeded(quotaBytes, room);
    },
    take(organization) {
      let sizeBytes = 0;
      let isTaken = false;
      let room: number | undefined;
      const count = async (chunk: Buffer) => {
        sizeBytes += chunk.length;
        if (sizeBytes <= smallBytes) return;
        // Early: bytes that cannot be stored need not be sent to the end.
        room ??= await roomOf(organization);
        if (sizeBytes > room) throw new QuotaExceeded(quotaBytes, room);
      };
      const reserve = async () => {
        if (quotaBytes === 0 || sizeBytes === 0) return;
        const fits = { _id: organization, sizeBytes: { $lte: quotaBytes - sizeBytes } };
        const add = async () =>
          (
            await usage.updateOne(fits, {
              $inc: { sizeBytes, changes: 1 },
              $currentDate: { changedAt: true },
            })
          ).matchedCount > 0;
        isTaken = await add();
        if (isTaken) return;
        // Nothing was counted yet, the quota is used up, or other uploads have just used it.
        room = await roomOf(organization);
        if (sizeBytes <= room) isTaken = await add();
        if (!isTaken) throw new QuotaExceeded(quotaBytes, room);
      };
      return {
        through: new Transform({
          transform(chunk: Buffer, _encoding, done) {
            count(chunk).then(() => done(null, chunk), done);
          },
          flush(done) {
            reserve().then(() => done(), done);
          },
        }),
        async release() {
          if (isTaken)
            await usage.updateOne({ _id: organization }, { $inc: { sizeBytes: -sizeBytes, changes: 1 } });
          isTaken = false;
        },
      };
    },
  };
}

function inWords(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;
  const exponent = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${Math.floor((bytes / 1024 ** exponent) * 10) / 10} ${units[exponent]}`;
}
