import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { contentRoots } from '@bindery/content';
import { storageTurn } from '@bindery/jobs';
import { mongoDatabase } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { routes } from '../../../apps/api/src/routes.ts';
import { contentCollections, leftOut, recordCollections } from '../../../apps/cli/src/backup/collections.ts';
import type { Manifest } from '../../../apps/cli/src/backup/manifest.ts';
import { recordsOf } from '../../../apps/cli/src/backup/names.ts';
import { createProgress } from '../../../apps/cli/src/backup/progress.ts';
import { takeBackup } from '../../../apps/cli/src/backup/takeBackup.ts';
import {
  createTemporaryFolder,
  removeFolder,
} from '../../../apps/cli/src/launcher/data-folder/temporaryFolder.ts';
import { buildFile, buildRevision, buildSpace } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { emptyOtherDatabase, runBindery, startBindery } from '../../support/stores/backupCommands.ts';
import { until } from '../../support/until.ts';
import { buildWorld } from '../../support/world.ts';

const large = Buffer.alloc(3_500_000, 'A large file. ');
const { signal } = new AbortController();
const progress = createProgress(() => {});

type Backups = {
  /** A path in a folder of this file, which ends with it. */
  path(name?: string): string;
  take(folder: string): Promise<Manifest>;
  /** A backup of one of each resource, with files of several sizes. */
  whole: string;
  manifest: Manifest;
};

const it = base.extend('backups', { scope: 'file' }, async ({ api }, { onCleanup }): Promise<Backups> => {
  const folder = await createTemporaryFolder('bindery-backups-');
  onCleanup(() => removeFolder(folder));
  const path = (name: string = newId()) => join(folder, name);
  const take = async (to: string) =>
    takeBackup(to, { blobs: api.blobs, secretKeyId: 'abc', progress, signal });
  const { organization } = await buildWorld(
    api,
    routes.map((route) => route.path),
  );
  const space = await buildSpace(organization);
  const files = [
    await buildFile(api.blobs, organization._id, { id: 'large', name: 'large.txt', bytes: large }),
    await buildFile(api.blobs, organization._id, { id: 'empty', name: 'empty.txt', bytes: '' }),
    await buildFile(api.blobs, organization._id, { id: 'small', name: 'small.txt', bytes: newId() }),
  ];
  await buildRevision(space, { pages: [{ id: 'p', path: 'p', source: `# ${newId()}` }], files });
  const manifest = await take(path('whole'));
  return { path, take, whole: path('whole'), manifest };
});

describe('every collection', { timeout: 60_000 }, () => {
  const inBackup: string[] = [...recordCollections, ...contentCollections];

  it('is in a backup, or is left out for a reason', async ({ api: _started }) => {
    const { environment, database } = await emptyOtherDatabase('collections');
    expect(await runBindery(['migrate'], environment)).toMatchObject({ code: 0 });
    const collections = (await database.listCollections({}, { nameOnly: true }).toArray()).map(
      ({ name }) => name,
    );
    expect([...inBackup, ...Object.keys(leftOut)].toSorted()).toEqual(collections.toSorted());
    await database.dropDatabase();
  });

  it('that names content is in a backup, or is made from what is', () => {
    const naming = [...new Set(contentRoots.map(({ collection }) => collection))];
    expect(naming.filter((name) => !inBackup.includes(name))).toEqual(['spaceIndexes']);
  });
});

describe('a backup', { timeout: 60_000 }, () => {
  it('can be read by its owner only', async ({ backups }) => {
    expect((await stat(backups.whole)).mode & 0o777).toBe(0o700);
    for (const { file } of backups.manifest.parts)
      expect((await stat(join(backups.whole, file))).mode & 0o777, file).toBe(0o600);
  });

  it('has the records of one collection as `bsondump` and `mongorestore` read them', async ({ backups }) => {
    const { parts } = backups.manifest;
    const spaces = await Array.fromAsync(recordsOf({ folder: backups.whole, parts }, 'spaces'));
    expect(spaces).toEqual(
      await mongoDatabase()
        .collection('spaces')
        .find({}, { promoteBuffers: true })
        .sort({ _id: 1 })
        .toArray(),
    );
  });

  it('overwrites nothing', async ({ backups }) => {
    await expect(backups.take(backups.whole)).rejects.toThrow('exists already');
    expect((await stat(backups.whole)).isDirectory()).toBe(true);
  });

  it('waits for a sweep to end, and leaves nothing when it is stopped', async ({ backups }) => {
    const sweep = storageTurn();
    expect(await sweep.hold()).toBe(true);
    const folder = backups.path();
    const command = startBindery(['backup', folder]);
    await until('the wait', () => command.output().includes('waiting for a sweep'), { timeoutMs: 30_000 });
    expect((await stat(`${folder}.partial`)).isDirectory()).toBe(true);
    command.child.kill('SIGINT');
    expect(await command.ended).toMatchObject({ code: 1, output: expect.stringContaining('was stopped') });
    await sweep.release();
    await expect(stat(folder)).rejects.toThrow('ENOENT');
    await expect(stat(`${folder}.partial`)).rejects.toThrow('ENOENT');
  });

  it('of an installation that lacks content names it, and is worth keeping', async ({
    api,
    backups,
    organization,
  }) => {
    const space = await buildSpace(organization);
    const lost = await buildFile(api.blobs, organization._id, { bytes: newId() });
    await buildRevision(space, { files: [lost] });
    const key = `${organization._id}:${lost.blob}`;
    await mongoDatabase().collection('blobs.files').deleteOne({ filename: key });
    const folder = backups.path();
    const taken = await runBindery(['backup', folder]);
    expect(taken).toMatchObject({ code: 2, output: expect.stringContaining(key) });
    await mongoDatabase()
      .collection('spaces')
      .deleteOne({ _id: space._id as never });
  });
});
