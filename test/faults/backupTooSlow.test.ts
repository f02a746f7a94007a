import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  connectMongo,
  disconnectMongo,
  ensureIndexes,
  mongoClient,
  mongoDatabase,
  SnapshotTooOld,
  withSnapshot,
} from '@bindery/models';
import { createBlobStore } from '@bindery/storage';
import { expect, it, onTestFinished } from 'vitest';
import { createProgress, type Progress } from '../../apps/cli/src/backup/progress.ts';
import { takeBackup } from '../../apps/cli/src/backup/takeBackup.ts';
import {
  createTemporaryFolder,
  removeFolder,
} from '../../apps/cli/src/launcher/data-folder/temporaryFolder.ts';
import { startOwnMongo } from '../support/stores/ownMongo.ts';
import { until } from '../support/until.ts';

/**
 * A folder for backups, and what takes one from a MongoDB of its own: other tests' backups read the past too.
 */
async function startBackups() {
  const mongo = await startOwnMongo();
  onTestFinished(mongo.close);
  await connectMongo({ mongo });
  onTestFinished(disconnectMongo);
  await ensureIndexes();
  const folder = await createTemporaryFolder('bindery-backups-');
  onTestFinished(() => removeFolder(folder));
  const said: string[] = [];
  const usual = createProgress((line) => said.push(line));
  /** @param before  called before the records of a collection are read */
  const take = async (before: (name: string) => Promise<void>) => {
    const follow: Progress['follow'] = async function* (name, records) {
      await before(name);
      yield* usual.follow(name, records);
    };
    return takeBackup(join(folder, 'backup'), {
      blobs: createBlobStore(mongoDatabase()),
      secretKeyId: undefined,
      progress: { ...usual, follow },
      signal: new AbortController().signal,
    });
  };
  return { folder, take, said };
}

it(
  'a backup that outlasts the history of MongoDB names the remedy, and leaves no files',
  { timeout: 90_000 },
  async () => {
    const { folder, take } = await startBackups();
    await mongoClient().db('admin').command({ setParameter: 1, minSnapshotHistoryWindowInSeconds: 0 });
    const taking = take(async (name) => {
      if (name === 'spaces') await untilForgotten();
    });
    await expect(taking).rejects.toMatchObject({
      message: expect.stringContaining('longer than the history that MongoDB keeps'),
      fixes: expect.arrayContaining([expect.stringContaining('minSnapshotHistoryWindowInSeconds: 3600')]),
    });
    for (const name of ['backup', 'backup.partial'])
      await expect(stat(join(folder, name))).rejects.toThrow('ENOENT');
  },
);

it(
  'a backup starts again when a collection is created meanwhile, and finally fails with the reason',
  { timeout: 90_000 },
  async () => {
    const { folder, take, said } = await startBackups();
    let made = 0;
    const makeCollection = async () => {
      made += 1;
      await mongoDatabase().dropCollection('comments');
      await mongoDatabase().createCollection('comments');
    };
    const again = () => said.filter((line) => line.includes('read again')).length;
    const { version } = (await mongoDatabase().admin().serverInfo()) as { version: string };
    const readsThePast = Number(version.split('.')[0]) >= 7;
    const always = take(async (name) => (name === 'spaces' ? makeCollection() : undefined));
    if (readsThePast) await always;
    else {
      await expect(always).rejects.toMatchObject({
        message: expect.stringContaining('In each of 3 attempts a collection or an index was made'),
      });
      expect(again()).toBe(2);
      for (const name of ['backup', 'backup.partial'])
        await expect(stat(join(folder, name))).rejects.toThrow('ENOENT');
      made = 100;
      const { parts, missing } = await take(async (name) => {
        if (name === 'spaces' && made === 100) await makeCollection();
      });
      expect([parts.length > 50, missing.count, again()]).toEqual([true, 0, 3]);
    }
  },
);

/** Waits until MongoDB has forgotten the present moment. */
async function untilForgotten(): Promise<void> {
  const reading = withSnapshot(async ({ records }) => {
    await until(
      'end of the past',
      async () => {
        await mongoDatabase().collection('clock').insertOne({});
        await Array.fromAsync(records('organizations'));
      },
      { timeoutMs: 30_000 },
    );
  });
  await expect(reading).rejects.toThrow(SnapshotTooOld);
}
