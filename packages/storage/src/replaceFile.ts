import type { Db } from 'mongodb';
import { createBlobPlaces } from './blobPlaces.ts';
import type { BlobStore } from './blobStore.ts';
import type { FileRecord, Files } from './fileRecord.ts';
import { removedPrefix } from './storedItems.ts';

/** Readers that opened a file before its copy have finished by then. */
const readersMs = 60 * 60 * 1000;

/**
 * Lets the key of a file name its copy: at no time does it name both, or none. The mark of an unreachable
 * file is kept.
 *
 * @returns false if the key does not name the file any more
 */
export async function replaceFile(
  database: Db,
  { files, file, copy }: { files: Files; file: FileRecord; copy: FileRecord },
): Promise<boolean> {
  const { _id, filename, uploadDate } = file;
  return database.client.withSession(async (session) =>
    session.withTransaction(async () => {
      const former = await files.findOneAndUpdate(
        { _id, filename },
        [
          { $set: { filename: removedPrefix + _id.toHexString(), replacedAt: '$$NOW' } },
          { $unset: 'unreachableSince' },
        ],
        { session },
      );
      if (!former) return false;
      const { unreachableSince } = former;
      await files.insertOne(
        { ...copy, ...(uploadDate && { uploadDate }), ...(unreachableSince && { unreachableSince }) },
        { session },
      );
      return true;
    }),
  );
}

/** The former files behind all copies, and their bytes. */
export async function sizeReplaced(database: Db): Promise<{ files: number; sizeBytes: number }> {
  const { files } = createBlobPlaces(database, undefined);
  const [sum] = await files
    .aggregate<{ files: number; sizeBytes: number }>([
      { $match: { replacedAt: { $exists: true } } },
      { $group: { _id: null, files: { $sum: 1 }, sizeBytes: { $sum: '$length' } } },
    ])
    .toArray();
  return { files: sum?.files ?? 0, sizeBytes: sum?.sizeBytes ?? 0 };
}

/**
 * Removes the former files behind all copies: those that were copied more than an hour ago at once, because
 * somebody may still read the others, which the next sweeps remove.
 *
 * @returns the number of files removed at once
 */
export async function removeReplaced(database: Db, blobs: Pick<BlobStore, 'clearRemoved'>): Promise<number> {
  const { files } = createBlobPlaces(database, undefined);
  await files.updateMany({ replacedAt: { $exists: true } }, [
    { $set: { removedAt: '$replacedAt' } },
    { $unset: 'replacedAt' },
  ]);
  const { localTime } = (await database.command({ hello: 1 })) as { localTime: Date };
  return blobs.clearRemoved(new Date(localTime.getTime() - readersMs));
}
