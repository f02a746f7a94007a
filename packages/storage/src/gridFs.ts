import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Db, GridFSBucket, MongoServerError, type ObjectId } from 'mongodb';
import { organizationOf, type BlobStore } from './blobStore.ts';
import { clearLeftovers, type FileRecord } from './leftovers.ts';
import { createQuota, QuotaExceeded, type UsageRecord } from './quota.ts';
import { createStoredItems, removedPrefix, unreachableIndex } from './storedItems.ts';

const bucketName = 'blobs';
const chunkSizeBytes = 1024 * 1024;
const perClearing = 20;

/**
 * Creates a blob store in MongoDB: it needs no further service, and every process sees it.
 *
 * The key is the file's name, unique; GridFS's own id is new for each try, so that chunks of a writer that
 * died do no harm. A removed file is renamed, and loses its chunks later, because a reader in the middle of a
 * download has the id.
 *
 * @param quotaBytes  the storage quota of an organization; 0 is no limit
 */
export function createGridFsBlobStore(
  database: Db,
  { quotaBytes = 0 }: { quotaBytes?: number } = {},
): BlobStore {
  const bucket = new GridFSBucket(database, { bucketName, chunkSizeBytes });
  const files = database.collection<FileRecord>(`${bucketName}.files`);
  const chunks = database.collection<{ files_id: ObjectId }>(`${bucketName}.chunks`);
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
      // GridFS creates its own two indexes at the first upload; they are created here, before two uploads can
      // collide.
      await files.createIndex({ filename: 1, uploadDate: 1 });
      await chunks.createIndex({ files_id: 1, n: 1 }, { unique: true });
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
      const upload = bucket.openUploadStream(key);
      const taken = quota.take(organizationOf(key));
      const writing = pipeline(bytes, taken.through, upload);
      const writers = writersOf.get(key) ?? new Set();
      writersOf.set(key, writers.add(writing));
      try {
        await writing;
        return true;
      } catch (error) {
        // Others that write the same bytes took the room for them.
        if (error instanceof QuotaExceeded) await Promise.allSettled(writers);
        await upload.abort().catch(() => {});
        await chunks.deleteMany({ files_id: upload.id });
        await taken.release();
        // Another writer was first; since the key is a hash, its bytes are the same and need no more space.
        const isThere =
          (error instanceof MongoServerError && error.code === 11000) || error instanceof QuotaExceeded;
        if (isThere && (await keep([key])).has(key)) return false;
        throw error;
      } finally {
        writers.delete(writing);
        if (writers.size === 0) writersOf.delete(key);
      }
    },
    async open(key, range) {
      const file = await files.findOne({ filename: key });
      if (!file) return undefined;
      return {
        sizeBytes: file.length,
        bytes: bucket.openDownloadStream(file._id as never, range) as Readable,
      };
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
        const removed = await files
          .find({ removedAt: { $lte: before } }, { projection: { _id: 1 }, limit: perClearing })
          .toArray();
        if (removed.length === 0) return cleared;
        const ids = removed.map(({ _id }) => _id);
        // The file last: while it exists, an interrupted clearing can be resumed.
        await chunks.deleteMany({ files_id: { $in: ids } });
        cleared += (await files.deleteMany({ _id: { $in: ids }, removedAt: { $lte: before } })).deletedCount;
      }
    },
    clearLeftovers: async (began) => clearLeftovers({ files, chunks }, began),
  };
}
