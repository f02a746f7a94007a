import { pipeline } from 'node:stream/promises';
import { type Db, MongoServerError } from 'mongodb';
import { organizationOf, type BlobStore } from './blobStore.ts';
import { createQuota, QuotaExceeded, type UsageRecord } from './quota.ts';
import type { FileRecord, Files } from './fileRecord.ts';
import { createGridFsPlace } from './gridfs/gridFsPlace.ts';
import { createStoredItems, removedPrefix, unreachableIndex } from './storedItems.ts';

const bucketName = 'blobs';
const perClearing = 20;

/**
 * Creates a blob store in MongoDB. Records decide which files exist; their bytes are chunks of GridFS.
 *
 * The key is the name in the record, unique. A removed file is renamed, and loses its bytes later, because a
 * reader in the middle of a download has the id.
 *
 * @param quotaBytes  the storage quota of an organization; 0 is no limit
 */
export function createGridFsBlobStore(
  database: Db,
  { quotaBytes = 0 }: { quotaBytes?: number } = {},
): BlobStore {
  const files: Files = database.collection<FileRecord>(`${bucketName}.files`);
  const usage = database.collection<UsageRecord>(`${bucketName}.usage`);
  const gridFs = createGridFsPlace(database, { bucketName, files });
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
      const upload = gridFs.begin(key, async (file) => {
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
        if (!isSaving || isTaken) await upload.abort();
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
      return { sizeBytes: file.length, bytes: gridFs.read(file, range) };
    },
    async removeUnreachable(keys, before) {
      const due = { filename: { $in: [...keys] }, unreachableSince: { $lte: before } };
      const name = { $concat: [removedPrefix, { $toString: '$_id' }] };
      const removed = [{ $set: { filename: name, removedAt: '$$NOW' } }, { $unset: 'unreachableSince' }];
      return (await files.updateMany(due, removed)).modifiedCount;
    },
    async clearRemoved(before) {
      let cleared = 0;
      for (;;) {
        const removed = await files.find({ removedAt: { $lte: before } }, { limit: perClearing }).toArray();
        if (removed.length === 0) return cleared;
        // The file last: while it exists, an interrupted clearing can be resumed.
        await gridFs.free(removed);
        const ids = removed.map(({ _id }) => _id);
        cleared += (await files.deleteMany({ _id: { $in: ids }, removedAt: { $lte: before } })).deletedCount;
      }
    },
    clearLeftovers: gridFs.clearLeftovers,
  };
}
