import { pipeline } from 'node:stream/promises';
import { faultPoint } from '@bindery/runtime';
import type { Db } from 'mongodb';
import { createBlobPlaces, type BlobPlace, type BlobPlaces } from './blobPlaces.ts';
import { checkHash } from './checkHash.ts';
import type { FileRecord, Files } from './fileRecord.ts';
import { replaceFile } from './replaceFile.ts';
import { CorruptBlob } from './s3/problems.ts';
import type { S3Settings } from './s3/settings.ts';
import { removedPrefix } from './storedItems.ts';

/** The number of copied files of all, and of their bytes. */
export type MigrationProgress = { files: number; ofFiles: number; sizeBytes: number; ofBytes: number };

type Migration = {
  to: BlobPlace;
  s3: S3Settings;
  onProgress?: (progress: MigrationProgress) => void;
  signal: AbortSignal;
};

/** Files that are copied at once. */
const copiesAtOnce = 4;
const perPage = 100;

/**
 * Copies all files that are not yet in a place, while the platform runs. Each copy is compared with the hash
 * of the file before the key names it; readers of the former file finish, because its bytes stay until
 * `removeReplaced`.
 *
 * May be killed at any point and run again: it copies what is still elsewhere. Half a copy is removed like an
 * interrupted upload.
 *
 * @returns what was copied, and the keys whose bytes are not those that were stored: these stay where they
 *   are
 */
export async function migrateBlobs(
  database: Db,
  { to, s3, onProgress, signal }: Migration,
): Promise<{ progress: MigrationProgress; corrupt: string[] }> {
  const places = createBlobPlaces(database, s3);
  const progress = { files: 0, sizeBytes: 0, ...(await sizeElsewhere(places.files, to)) };
  const corrupt: string[] = [];
  const files = listElsewhere(places.files, to);
  const copyNext = async () => {
    for await (const file of files) {
      signal.throwIfAborted();
      try {
        if (!(await copyFile(file, { database, places, to }))) continue;
      } catch (error) {
        if (!isCorrupt(error)) throw error;
        corrupt.push(file.filename);
        continue;
      }
      await faultPoint('storage.file_copied');
      progress.files += 1;
      progress.sizeBytes += file.length;
      onProgress?.(progress);
    }
  };
  try {
    // All of them end before the client is closed, also when one fails.
    const ends = await Promise.allSettled(Array.from({ length: copiesAtOnce }, copyNext));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return { progress, corrupt };
  } finally {
    await places.client?.close();
  }
}

/** Files with a key, after `after`, whose bytes are elsewhere. */
const elsewhere = (to: BlobPlace, after = '') => ({
  filename: { $gt: after, $lt: removedPrefix },
  object: { $exists: to === 'gridfs' },
});

async function sizeElsewhere(files: Files, to: BlobPlace): Promise<{ ofFiles: number; ofBytes: number }> {
  const [sum] = await files
    .aggregate<{ ofFiles: number; ofBytes: number }>([
      { $match: elsewhere(to) },
      { $group: { _id: null, ofFiles: { $sum: 1 }, ofBytes: { $sum: '$length' } } },
    ])
    .toArray();
  return { ofFiles: sum?.ofFiles ?? 0, ofBytes: sum?.ofBytes ?? 0 };
}

async function* listElsewhere(files: Files, to: BlobPlace): AsyncIterable<FileRecord> {
  for (let after = ''; ;) {
    const page = await files.find(elsewhere(to, after)).sort({ filename: 1 }).limit(perPage).toArray();
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = last.filename;
  }
}

/** @returns false if the file was removed meanwhile, or copied by another process */
async function copyFile(
  file: FileRecord,
  { database, places, to }: { database: Db; places: BlobPlaces; to: BlobPlace },
): Promise<boolean> {
  let isReplacing = false;
  let wasThere = true;
  const check = checkHash(file.filename);
  const upload = places.at(to).begin(file.filename, async (copy) => {
    if (copy.length !== file.length || !check.isRight())
      throw new CorruptBlob(file.filename, 'are not those that were stored');
    isReplacing = true;
    wasThere = await replaceFile(database, { files: places.files, file, copy });
  });
  const hashed = async function* (bytes: AsyncIterable<Buffer>) {
    for await (const chunk of bytes) {
      check.update(chunk);
      yield chunk;
    }
  };
  try {
    await pipeline(places.of(file).read(file), hashed, upload.stream);
  } catch (error) {
    // Without an answer of MongoDB, the key may name the copy.
    if (!isReplacing) await upload.abort(error);
    throw error;
  }
  if (!wasThere) await upload.abort();
  return wasThere;
}

function isCorrupt(error: unknown): boolean {
  // The second one is GridFS's: chunks are missing.
  return error instanceof Error && ['CorruptBlob', 'MongoGridFSChunkError'].includes(error.name);
}
