import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { storageTurn, type StorageTurn } from '@bindery/jobs';
import { SnapshotTooOld, SnapshotUnavailable, withSnapshot } from '@bindery/models';
import { faultPoint, messageOf, platformVersion } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import { Refusal } from '../refusal.ts';
import { recordCollections } from './collections.ts';
import { readBlobs, readDocuments, readNodes } from './content.ts';
import { blobsPart, createFolder, finishFolder, removePartial, type Manifest } from './manifest.ts';
import { partFile, writePart, type Part } from './part.ts';
import type { Progress } from './progress.ts';

const renewMs = 10_000;
const turnCheckMs = 500;
/** Longer than a sweep of a large installation. */
const longestWaitMs = 30 * 60_000;
const examplesKept = 100;
const snapshotAttempts = 3;

type Backup = {
  blobs: BlobStore;
  secretKeyId: string | undefined;
  progress: Progress;
  signal: AbortSignal;
};

/**
 * Writes a backup of the whole installation to a new folder.
 *
 * All records are of one moment, read from a snapshot. The content that they name never changes, so it is
 * read afterwards, and no sweep of the storage removes any meanwhile (`storageTurn`). Each part that is
 * written serves as the list of what the next one needs: the memory does not grow with the records, only by
 * at most 48 bytes for each document, list and file.
 *
 * @throws Refusal when it cannot be written; then nothing is left of it
 */
export async function takeBackup(folder: string, backup: Backup): Promise<Manifest> {
  const partial = await createFolder(folder);
  const turn = storageTurn();
  let renewal: NodeJS.Timeout | undefined;
  try {
    await takeTurn(turn, backup);
    renewal = setInterval(() => void turn.hold().catch(() => {}), renewMs);
    const manifest = await writeParts(partial, backup);
    await faultPoint('backup.content_written');
    backup.signal.throwIfAborted();
    await finishFolder(partial, { folder, manifest });
    return manifest;
  } catch (error) {
    await removePartial(partial);
    throw isOfDisk(error)
      ? new Refusal(
          `The backup could not be written below ${dirname(folder)}: ${messageOf(error)}.`,
          ['Free space there, or write it to another disk.'],
          { cause: error },
        )
      : error;
  } finally {
    clearInterval(renewal);
    await turn.release();
  }
}

/** The disk is full or fails, or files may not become as large. */
function isOfDisk(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS'].includes(code);
}

async function takeTurn(turn: StorageTurn, { progress, signal }: Backup): Promise<void> {
  const untilMs = Date.now() + longestWaitMs;
  for (let isFirst = true; !(await turn.hold()); isFirst = false) {
    if (isFirst) progress.say('waiting for a sweep of the storage, or another backup, to end');
    if (Date.now() > untilMs)
      throw new Refusal('A sweep of the storage or another backup has not ended for half an hour.', [
        'Try again later.',
      ]);
    await delay(turnCheckMs, undefined, { signal });
  }
}

async function writeParts(
  folder: string,
  { blobs, secretKeyId, progress, signal }: Backup,
): Promise<Manifest> {
  const parts: Part[] = [];
  const missing: Manifest['missing'] = { count: 0, examples: [] };
  const write = async (name: string, records: AsyncIterable<Uint8Array>) => {
    const part = await writePart(folder, { name, records: progress.follow(name, records), signal });
    parts.push(part);
    return part;
  };
  const backup = { folder, parts };
  const onMissing = (key: string) => {
    missing.count += 1;
    if (missing.examples.length < examplesKept) missing.examples.push(key);
  };
  const forget = async () => {
    parts.length = 0;
    for (const name of recordCollections) await rm(join(folder, partFile(name)), { force: true });
  };
  const takenAt = await writeRecords({ write, forget, progress });
  await faultPoint('backup.records_written');
  await write('nodes', readNodes(backup, onMissing));
  await write('documents', readDocuments(backup, onMissing));
  await write(blobsPart, readBlobs(backup, { blobs, onMissing }));
  return {
    format: 1,
    bindery: platformVersion,
    takenAt: takenAt.toISOString(),
    secretKeyId,
    parts,
    missing,
  };
}

/** Writes all records of one moment. @returns the moment @throws Refusal */
async function writeRecords({
  write,
  forget,
  progress,
}: {
  write: (name: string, records: AsyncIterable<Uint8Array>) => Promise<unknown>;
  /** Removes what was written. */
  forget: () => Promise<void>;
  progress: Progress;
}): Promise<Date> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withSnapshot(async (snapshot) => {
        for (const name of recordCollections) await write(name, snapshot.records(name));
        return snapshot.takenAt();
      });
    } catch (error) {
      if (error instanceof SnapshotTooOld) throw tooSlow(error);
      if (!(error instanceof SnapshotUnavailable)) throw error;
      if (attempt === snapshotAttempts) throw changing(error);
      progress.say('a collection or an index was made meanwhile: the records are read again');
      await forget();
    }
  }
}

function changing(cause: unknown): Refusal {
  return new Refusal(
    `In each of ${snapshotAttempts} attempts a collection or an index was made while the records were read.`,
    ['Run it again when no process of a new version starts.', 'MongoDB 7 and later allow it.'],
    { cause },
  );
}

function tooSlow(cause: unknown): Refusal {
  return new Refusal(
    'Reading the records took longer than the history that MongoDB keeps.',
    [
      'Let it keep a longer history, until its next start: `db.adminCommand({ setParameter: 1, minSnapshotHistoryWindowInSeconds: 3600 })` as an administrator.',
      'Or write the backup to a faster disk.',
    ],
    { cause },
  );
}
