import { finalJobStates } from '@bindery/contract';
import { storageTurn } from '@bindery/jobs';
import {
  beginRestoration,
  createIndexes,
  databaseTime,
  endRestoration,
  insertRawRecords,
  upgradeSchema,
} from '@bindery/models';
import { faultPoint } from '@bindery/runtime';
import { ownerCollection, type BlobStore } from '@bindery/storage';
import { refuseUnusable } from '../launcher/upgradeDatabase.ts';
import { Refusal } from '../refusal.ts';
import { contentCollections, leftOut, recordCollections } from './collections.ts';
import { partOf, type Manifest } from './manifest.ts';
import { readPart, requireParts } from './part.ts';
import type { Progress } from './progress.ts';
import { restoreBlobs } from './restoreBlobs.ts';

const recordsAtOnce = 1_000;
/** MongoDB takes 48 MB in a command. */
const bytesAtOnce = 8 * 1024 * 1024;
const renewMs = 10_000;

/**
 * Restores a backup into an empty database, and its files into the blob store.
 *
 * Content comes first and API tokens last, and until the end the database is marked as incomplete: nothing
 * starts on it, and the next restore empties it.
 *
 * Jobs that had not ended go on where they were: their deadlines, and those of their logins, move by the age
 * of the backup.
 *
 * @param check  looks at what was restored, before the database counts as complete
 * @throws Refusal for a database that is in use, and for a damaged backup
 */
export async function restoreBackup(
  folder: string,
  {
    manifest,
    blobs,
    progress,
    check,
  }: { manifest: Manifest; blobs: BlobStore; progress: Progress; check: () => Promise<void> },
): Promise<void> {
  await requireParts(folder, manifest.parts);
  const turn = storageTurn();
  if (!(await turn.hold()))
    throw new Refusal('Another restore, a backup or a sweep of the storage works on this database.', [
      'Wait for its end. After one that was killed, try again in a minute.',
    ]);
  const renewal = setInterval(() => void turn.hold().catch(() => {}), renewMs);
  try {
    await requireEmpty();
    await blobs.prepare();
    for (const name of contentCollections) await insertPart(name);
    await restoreBlobs({ folder, parts: manifest.parts }, { blobs, progress });
    await faultPoint('restore.content_stored');
    const ageMs = (await databaseTime()).getTime() - Date.parse(manifest.takenAt);
    for (const name of recordCollections) await insertPart(name, later[name]?.(Math.max(0, ageMs)));
    await faultPoint('restore.records_stored');
    progress.say('creating the indexes');
    await createIndexes();
    await upgradeSchema().catch(refuseUnusable);
    await check();
    await endRestoration();
  } finally {
    clearInterval(renewal);
    await turn.release();
  }

  async function insertPart(name: string, change?: (record: Record<string, unknown>) => void) {
    const part = partOf(manifest, name);
    if (!part) return;
    for await (const batch of batchesOf(progress.follow(name, readPart(folder, part))))
      await insertRawRecords(name, batch, change);
  }
}

async function requireEmpty(): Promise<void> {
  const used = await beginRestoration(['schemaVersions', ownerCollection, ...Object.keys(leftOut)]);
  if (used === undefined) return;
  throw used === 'workers'
    ? new Refusal('Workers run on this database.', [
        'Stop them, wait half a minute if they were killed, and restore into an empty database.',
      ])
    : new Refusal(`The database is not empty: it has ${used}. A restore overwrites nothing.`, [
        'Give an empty one: another name in MONGODB_URI, or with `npm start` another folder, `--data DIR`.',
      ]);
}

const isFinal: ReadonlySet<unknown> = new Set(finalJobStates);

/** Moves times into the future by the age of a backup, by collection. */
const later: Readonly<Record<string, (ageMs: number) => (record: Record<string, unknown>) => void>> = {
  jobs: (ageMs) => (job) => {
    if (!isFinal.has(job['state'])) move(job, { field: 'deadlineAt', ageMs });
  },
  gitCredentials: (ageMs) => (credential) => move(credential, { field: 'expireAt', ageMs }),
};

function move(record: Record<string, unknown>, { field, ageMs }: { field: string; ageMs: number }): void {
  const time = record[field];
  if (time instanceof Date) record[field] = new Date(time.getTime() + ageMs);
}

async function* batchesOf(records: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  let batch: Uint8Array[] = [];
  let size = 0;
  for await (const record of records) {
    batch.push(record);
    size += record.length;
    if (batch.length < recordsAtOnce && size < bytesAtOnce) continue;
    yield batch;
    [batch, size] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
