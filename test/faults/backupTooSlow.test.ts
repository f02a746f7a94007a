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
import { createGridFsBlobStore } from '@bindery/storage';
import { expect, it, onTestFinished } from 'vitest';
import { createProgress, type Progress } from '../../apps/cli/src/backup/progress.ts';
import { takeBackup } from '../../apps/cli/src/backup/takeBackup.ts';
import {
  createTemporaryFolder,
  removeFolder,
} from '../../apps/cli/src/launcher/data-folder/temporaryFolder.ts';
import { startOwnMongo } from '../support/stores/ownMongo.ts';
import { until } from '../support/until.ts';

it(
  'a backup that reads longer than MongoDB keeps the past says what to do, and leaves nothing',
  { timeout: 90_000 },
  async () => {
    // Of its own: backups of other tests read the past too.
    const mongo = await startOwnMongo();
    onTestFinished(mongo.close);
    await connectMongo({ mongo });
    onTestFinished(disconnectMongo);
    await ensureIndexes();
    const folder = await createTemporaryFolder('bindery-backups-');
    onTestFinished(() => removeFolder(folder));
    await mongoClient().db('admin').command({ setParameter: 1, minSnapshotHistoryWindowInSeconds: 0 });

    const usual = createProgress(() => {});
    const follow: Progress['follow'] = async function* (name, records) {
      if (name === 'spaces') await untilForgotten();
      yield* usual.follow(name, records);
    };
    const taking = takeBackup(join(folder, 'backup'), {
      blobs: createGridFsBlobStore(mongoDatabase()),
      secretKeyId: undefined,
      progress: { ...usual, follow },
      signal: new AbortController().signal,
    });
    await expect(taking).rejects.toMatchObject({
      message: expect.stringContaining('longer than MongoDB keeps the past'),
      fixes: expect.arrayContaining([expect.stringContaining('minSnapshotHistoryWindowInSeconds: 3600')]),
    });
    for (const name of ['backup', 'backup.partial'])
      await expect(stat(join(folder, name))).rejects.toThrow('ENOENT');
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
