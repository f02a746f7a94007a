import { Readable } from 'node:stream';
import { checkHash, type BlobStore } from '@bindery/storage';
import { piecesIn } from './blobPieces.ts';
import type { Parts } from './names.ts';
import type { Progress } from './progress.ts';

/** A store answers a small file after some milliseconds, mostly of waiting. */
const smallAtOnce = 8;

/**
 * Stores the files of a backup. One whose bytes are not those of its name was damaged before: it is left out,
 * and the check at the end finds it missing.
 */
export async function restoreBlobs(
  backup: Parts,
  { blobs, progress }: { blobs: BlobStore; progress: Progress },
): Promise<void> {
  const running = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  const pieces = progress.follow('pieces of files', piecesIn(backup));
  try {
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
      const { key, bytes, isLast } = next.value;
      if (!isLast) {
        await storeLarge(blobs, { key, first: bytes, rest: pieces });
        continue;
      }
      const check = checkHash(key);
      check.update(bytes);
      if (!check.isRight()) continue;
      while (running.size >= smallAtOnce) await Promise.race(running);
      if (failures.length > 0) break;
      const storing = blobs
        .put(key, Readable.from([bytes]))
        .catch((error: unknown) => failures.push(error))
        .finally(() => running.delete(storing));
      running.add(storing);
    }
  } finally {
    await Promise.all(running);
  }
  if (failures.length > 0) throw failures[0];
}

class OtherBytes extends Error {}

async function storeLarge(
  blobs: BlobStore,
  { key, first, rest }: { key: string; first: Uint8Array; rest: ReturnType<typeof piecesIn> },
): Promise<void> {
  let isRead = false;
  const check = checkHash(key);
  const read = async function* () {
    check.update(first);
    yield first;
    while (!isRead) {
      const { value, done } = await rest.next();
      if (done) return;
      isRead = value.isLast;
      check.update(value.bytes);
      yield value.bytes;
    }
    // Before its end, so that the store gives it up.
    if (!check.isRight()) throw new OtherBytes();
  };
  const bytes = read();
  try {
    await blobs.put(key, Readable.from(bytes));
  } catch (error) {
    if (!(error instanceof OtherBytes)) throw error;
  }
  // A store that has the file need not have read it.
  while (!isRead) {
    const { value, done } = await rest.next();
    isRead = done === true || value.isLast;
  }
}
