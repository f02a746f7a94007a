import type { Readable } from 'node:stream';
import { Binary, type Collection, type Db, GridFSBucket, ObjectId } from 'mongodb';
import type { BytePlace } from '../bytePlace.ts';
import type { ChunkRecord, Files } from '../fileRecord.ts';
import { cutIntoPieces } from '../pieces.ts';
import { clearLeftovers } from './leftovers.ts';

const chunkSizeBytes = 1024 * 1024;

/**
 * Stores bytes in MongoDB, as GridFS does: it needs no further service, and every process sees it.
 *
 * The id is new for each try, so that chunks of a writer that died do no harm.
 */
export function createGridFsPlace(
  database: Db,
  { bucketName, files }: { bucketName: string; files: Files },
): BytePlace & { prepare(): Promise<void> } {
  const bucket = new GridFSBucket(database, { bucketName, chunkSizeBytes });
  const chunks: Collection<ChunkRecord> = database.collection(`${bucketName}.chunks`);
  return {
    async prepare() {
      // GridFS creates its own two indexes at the first upload; they are created here, before two uploads can
      // collide.
      await files.createIndex({ filename: 1, uploadDate: 1 });
      await chunks.createIndex({ files_id: 1, n: 1 }, { unique: true });
    },
    begin(key, save) {
      const _id = new ObjectId();
      let n = 0;
      let length = 0;
      const add = async (bytes: Buffer) => {
        await chunks.insertOne({ _id: new ObjectId(), files_id: _id, n, data: new Binary(bytes) });
        n += 1;
        length += bytes.length;
      };
      const { stream, settled } = cutIntoPieces(chunkSizeBytes, {
        piece: add,
        async end(rest) {
          if (rest.length > 0) await add(rest);
          await save({ _id, filename: key, length, chunkSize: chunkSizeBytes, uploadDate: new Date() });
        },
      });
      return {
        stream,
        async abort() {
          await settled();
          await chunks.deleteMany({ files_id: _id });
        },
      };
    },
    read: ({ _id }, range) => bucket.openDownloadStream(_id as never, range) as Readable,
    async free(removed) {
      await chunks.deleteMany({ files_id: { $in: removed.map(({ _id }) => _id) } });
    },
    clearLeftovers: async (began) => clearLeftovers({ files, chunks }, began),
  };
}
