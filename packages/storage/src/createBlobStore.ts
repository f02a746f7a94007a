import { pipeline } from 'node:stream/promises';
import { type Db, MongoServerError } from 'mongodb';
import { createBlobPlaces, bucketName, type BlobPlace } from './blobPlaces.ts';
import { organizationOf, type BlobStore } from './blobStore.ts';
import { findLost } from './findLost.ts';
import { createQuota, QuotaExceeded, type UsageRecord } from './quota.ts';
import { checkAccess, StoreMisconfigured } from './s3/checkAccess.ts';
import type { S3Settings } from './s3/settings.ts';
import { createSigner } from './s3/signObject.ts';
import { createStoredItems, removedPrefix, unreachableIndex } from './storedItems.ts';

const perClearing = 20;
/** Below this size, a redirect takes longer than the bytes. */
const signedFromBytes = 1024 * 1024;

export type BlobStoreSettings = {
  /** The storage quota of an organization; 0 is no limit. */
  quotaBytes?: number;
  /** Where new bytes go. */
  blobStore?: BlobPlace;
  /** The bucket. Without it, files in S3 cannot be read. */
  s3?: S3Settings | undefined;
};

/**
 * Creates a blob store. Its records are in MongoDB, which alone decides which files exist; the bytes of each
 * are in GridFS or in S3, and both can be read at any time.
 *
 * The key is the name in the record, unique. A removed file is renamed, and loses its bytes later, because a
 * reader in the middle of a download has the id.
 */
export function createBlobStore(
  database: Db,
  { quotaBytes = 0, blobStore = 'gridfs', s3 }: BlobStoreSettings = {},
): BlobStore {
  const places = createBlobPlaces(database, s3);
  const { files, gridFs, client } = places;
  const sign = s3 && createSigner(s3);
  const usage = database.collection<UsageRecord>(`${bucketName}.usage`);
  const quota = createQuota({ files, usage }, quotaBytes);
  const { keep, ...items } = createStoredItems(database.collection(files.collectionName), 'filename');
  /** The uploads of this process that are under way, by their keys. */
  const writersOf = new Map<string, Set<Promise<void>>>();
  return {
    ...items,
    requireRoom: quota.requireRoom,
    recount: quota.recount,
    async prepare() {
      await files.createIndex({ filename: 1 }, { unique: true });
      await gridFs.prepare();
      const { keys, options } = unreachableIndex('filename');
      await files.createIndex(keys, options);
      await usage.createIndex({ sizeBytes: -1 });
      await files.createIndex(
        { removedAt: 1 },
        { partialFilterExpression: { removedAt: { $exists: true } } },
      );
      await files.createIndex({ object: 1 }, { partialFilterExpression: { object: { $exists: true } } });
    },
    async checkAccess() {
      if (client && s3) return checkAccess(client, s3);
      if (blobStore === 's3' || (await files.findOne({ object: { $exists: true } })))
        throw new StoreMisconfigured(
          'Files are stored in S3, and no bucket is set: set BINDERY_S3_BUCKET and the variables beside it.',
        );
      return undefined;
    },
    async ping() {
      await client?.list('', 1);
    },
    findStored: keep,
    async describeUsage(limit) {
      const [largest, removedBlobs] = await Promise.all([
        usage.find().sort({ sizeBytes: -1 }).limit(limit).toArray(),
        files.countDocuments({ removedAt: { $exists: true } }, { limit }),
      ]);
      return {
        largest: largest.map(({ _id: organization, sizeBytes }) => ({ organization, sizeBytes })),
        removedBlobs,
      };
    },
    async put(key, bytes) {
      // An existing blob must still exist when the upload finds it.
      await keep([key]);
      let isSaving = false;
      const upload = places.at(blobStore).begin(key, async (file) => {
        isSaving = true;
        await files.insertOne(file);
      });
      const taken = quota.take(organizationOf(key));
      const writing = pipeline(bytes, taken.through, upload.stream);
      const writers = writersOf.get(key) ?? new Set();
      writersOf.set(key, writers.add(writing));
      try {
        await writing;
        return true;
      } catch (error) {
        // Others that write the same bytes took the room for them.
        if (error instanceof QuotaExceeded) await Promise.allSettled(writers);
        const isTaken = error instanceof MongoServerError && error.code === 11000;
        // Without an answer of MongoDB, the record may exist; then the bytes must. Else they are leftovers.
        if (!isSaving || isTaken) await upload.abort(error);
        await taken.release();
        // Another writer was first; since the key is a hash, its bytes are the same and need no more space.
        if ((isTaken || error instanceof QuotaExceeded) && (await keep([key])).has(key)) return false;
        throw error;
      } finally {
        writers.delete(writing);
        if (writers.size === 0) writersOf.delete(key);
      }
    },
    async open(key, range) {
      const file = await files.findOne({ filename: key });
      if (!file) return undefined;
      return { sizeBytes: file.length, bytes: places.of(file).read(file, range) };
    },
    async signedUrl(key, headers) {
      if (!sign) return undefined;
      const file = await files.findOne({ filename: key }, { projection: { blocks: 0 } });
      if (file?.object === undefined || file.length < signedFromBytes) return undefined;
      return sign(file.object, headers);
    },
    findLost: () => findLost({ files, client }),
    async removeUnreachable(keys, before) {
      const due = { filename: { $in: [...keys] }, unreachableSince: { $lte: before } };
      const name = { $concat: [removedPrefix, { $toString: '$_id' }] };
      const removed = [{ $set: { filename: name, removedAt: '$$NOW' } }, { $unset: 'unreachableSince' }];
      return (await files.updateMany(due, removed)).modifiedCount;
    },
    async clearRemoved(before) {
      let cleared = 0;
      for (;;) {
        const removed = await files
          .find({ removedAt: { $lte: before } }, { projection: { blocks: 0 }, limit: perClearing })
          .toArray();
        if (removed.length === 0) return cleared;
        // The file last: while it exists, an interrupted clearing can be resumed.
        for (const [place, group] of Map.groupBy(removed, places.of)) await place.free(group);
        const ids = removed.map(({ _id }) => _id);
        cleared += (await files.deleteMany({ _id: { $in: ids }, removedAt: { $lte: before } })).deletedCount;
      }
    },
    async clearLeftovers(began) {
      let cleared = 0;
      for (const place of places.all) cleared += await place.clearLeftovers(began);
      return cleared;
    },
  };
}
