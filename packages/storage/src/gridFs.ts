import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Db, GridFSBucket, MongoServerError } from 'mongodb';
import type { BlobStore } from './blobStore.ts';

const bucketName = 'blobs';
const chunkSizeBytes = 1024 * 1024;
const perQuery = 500;

/**
 * Blobs in MongoDB: nothing more to run, and every process sees them.
 *
 * The key is the file's name, unique; GridFS's own id is new for each try, so that the chunks of a writer that died are in nobody's way.
 */
export function createGridFsBlobStore(database: Db): BlobStore {
  const bucket = new GridFSBucket(database, { bucketName, chunkSizeBytes });
  const files = database.collection<{ filename: string; length: number }>(`${bucketName}.files`);
  return {
    async prepare() {
      await files.createIndex({ filename: 1 }, { unique: true });
      // GridFS looks for its own two indexes at the first upload; they are made here, before two uploads can meet.
      await files.createIndex({ filename: 1, uploadDate: 1 });
      await database.collection(`${bucketName}.chunks`).createIndex({ files_id: 1, n: 1 }, { unique: true });
    },
    async findStored(keys) {
      const stored = new Set<string>();
      for (let start = 0; start < keys.length; start += perQuery) {
        const batch = keys.slice(start, start + perQuery);
        for await (const { filename } of files.find({ filename: { $in: batch } }, { projection: { filename: 1 } })) stored.add(filename);
      }
      return stored;
    },
    async put(key, bytes) {
      const upload = bucket.openUploadStream(key);
      try {
        await pipeline(bytes, upload);
        return true;
      } catch (error) {
        await upload.abort().catch(() => {});
        await database.collection<{ files_id: unknown }>(`${bucketName}.chunks`).deleteMany({ files_id: upload.id });
        // Another writer was first; under a key that is a hash, its bytes are ours.
        if (error instanceof MongoServerError && error.code === 11000) return false;
        throw error;
      }
    },
    async open(key, range) {
      const file = await files.findOne({ filename: key });
      if (!file) return undefined;
      return { sizeBytes: file.length, bytes: bucket.openDownloadStream(file._id as never, range) as Readable };
    },
  };
}
