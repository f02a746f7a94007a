import { execFile } from 'node:child_process';
import { cp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { contentRoots } from '@bindery/content';
import { storageTurn } from '@bindery/jobs';
import { mongoDatabase, type JobRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { createBlobStore, type BlobStore } from '@bindery/storage';
import { describe, expect } from 'vitest';
import { routes } from '../../../apps/api/src/routes.ts';
import { contentCollections, leftOut, recordCollections } from '../../../apps/cli/src/backup/collections.ts';
import { readManifest } from '../../../apps/cli/src/backup/manifest.ts';
import { recordsOf } from '../../../apps/cli/src/backup/names.ts';
import { createProgress } from '../../../apps/cli/src/backup/progress.ts';
import { takeBackup } from '../../../apps/cli/src/backup/takeBackup.ts';
import { verifyBackup } from '../../../apps/cli/src/backup/verifyBackup.ts';
import {
  createTemporaryFolder,
  removeFolder,
} from '../../../apps/cli/src/launcher/data-folder/temporaryFolder.ts';
import { storeSource } from '../../support/content/editContent.ts';
import { buildFile, buildRevision, buildSpace } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { bound } from '../../support/machine.ts';
import { projectFolder } from '../../support/processes/launcher.ts';
import { emptyOtherDatabase, runBindery, startBindery } from '../../support/stores/backupCommands.ts';
import { until } from '../../support/until.ts';
import { buildWorld } from '../../support/world.ts';

const large = Buffer.alloc(3_500_000, 'A large file. ');
const { signal } = new AbortController();
const progress = createProgress(() => {});

type Backups = {
  /** A path in a folder of this file, which ends with it. */
  path(name?: string): string;
  take(folder: string): ReturnType<typeof takeBackup>;
  /** A backup of one of each resource, with files of several sizes. */
  whole: string;
  /** The key of a document that nothing refers to. */
  unreferenced: string;
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
  const unreferenced = `${organization._id}:${await storeSource(organization._id, newId())}`;
  await take(path('whole'));
  return { path, take, whole: path('whole'), unreferenced };
});

/** The bytes of all records of a collection. */
async function rawRecords(database: ReturnType<typeof mongoDatabase>, collection: string): Promise<string[]> {
  const records = database.collection(collection).find({}, { raw: true, sort: { _id: 1 } });
  const bytes: string[] = [];
  for await (const record of records)
    bytes.push(Buffer.from(record as unknown as Uint8Array).toString('base64'));
  return bytes;
}

async function jobsOf(database: ReturnType<typeof mongoDatabase>): Promise<JobRecord[]> {
  return database.collection<JobRecord>('jobs').find().sort({ _id: 1 }).toArray();
}

/** Without the deadline, and without the time at which the API has given it to Redis. */
function withoutTimes({ deadlineAt: _deadline, dispatchedAt: _dispatched, ...job }: JobRecord): object {
  return job;
}

async function blobsOf(blobs: BlobStore, keys: readonly string[]): Promise<Record<string, string>> {
  const read = keys.map(async (key) => {
    const blob = await blobs.open(key);
    return [key, blob ? (await buffer(blob.bytes)).toString('base64') : 'missing'] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

describe('every collection', { timeout: 60_000 }, () => {
  const inBackup: string[] = [...recordCollections, ...contentCollections];

  it('is in a backup, or is left out for a reason', async ({ api: _started }) => {
    const { environment, database } = await emptyOtherDatabase('collections');
    expect(await runBindery(['migrate'], environment)).toMatchObject({ code: 0 });
    const collections = (await database.listCollections({}, { nameOnly: true }).toArray()).map(
      ({ name }) => name,
    );
    expect(
      [...inBackup, ...Object.keys(leftOut)].toSorted(),
      'each is listed in apps/cli/src/backup/collections.ts',
    ).toEqual(collections.toSorted());
    await database.dropDatabase();
  });

  it('with references to content is in a backup, or is rebuilt from the backup', () => {
    const naming = [...new Set(contentRoots.map(({ collection }) => collection))];
    expect(naming.filter((name) => !inBackup.includes(name))).toEqual(['spaceIndexes']);
  });
});

describe('a backup that is restored', { timeout: 120_000 }, () => {
  it('has every record with the same bytes, and the content that records refer to', async ({
    api,
    backups,
  }) => {
    const { environment, database } = await emptyOtherDatabase('restored');
    const { code, output } = await runBindery(['restore', backups.whole], environment);
    expect(output).toContain(`${backups.whole} is restored`);
    expect(code).toBe(0);
    let records = 0;
    for (const name of recordCollections.filter((one) => one !== 'jobs')) {
      const restored = await rawRecords(database, name);
      expect(restored, name).toEqual(await rawRecords(mongoDatabase(), name));
      records += restored.length;
    }
    expect(records).toBeGreaterThan(50);
    const jobs = await jobsOf(database);
    expect(jobs.length).toBeGreaterThan(3);
    expect(jobs.map(withoutTimes)).toEqual((await jobsOf(mongoDatabase())).map(withoutTimes));
    const deadlines = new Map(
      (await jobsOf(mongoDatabase())).map(({ _id, deadlineAt }) => [_id, deadlineAt]),
    );
    for (const { _id, state, deadlineAt } of jobs) {
      const before = deadlines.get(_id);
      if (state === 'failed') expect(deadlineAt).toEqual(before);
      else
        expect(deadlineAt!.getTime(), 'time that passes only while it may run').toBeGreaterThan(
          before!.getTime(),
        );
    }
    for (const name of Object.keys(leftOut)) {
      // The check at the end of a restore takes no lease, and its own is given back.
      expect(await database.collection(name).countDocuments(), name).toBe(0);
    }
    for (const name of contentCollections) {
      const restored = await rawRecords(database, name);
      const own = await rawRecords(mongoDatabase(), name);
      expect(restored.length, name).toBeGreaterThan(0);
      expect(
        restored.filter((record) => !own.includes(record)),
        name,
      ).toEqual([]);
    }
    const keys = (await database.collection('blobs.files').find().toArray()).map(({ filename }) =>
      String(filename),
    );
    expect(keys.length).toBeGreaterThan(3);
    expect(await blobsOf(createBlobStore(database), keys)).toEqual(await blobsOf(api.blobs, keys));
    expect(
      await database.collection('documents').countDocuments({ _id: backups.unreferenced as never }),
    ).toBe(0);
    await database.dropDatabase();
  });

  it('is refused by a database that is in use, which stays unchanged', async ({ backups }) => {
    const before = await rawRecords(mongoDatabase(), 'organizations');
    const { code, output } = await runBindery(['restore', backups.whole]);
    expect(code).toBe(1);
    expect(output).toContain('The database is not empty');
    expect(await rawRecords(mongoDatabase(), 'organizations')).toEqual(before);
    expect(before.length).toBeGreaterThan(0);
  });
});

describe('a backup', { timeout: 60_000 }, () => {
  it('is readable by its owner only, passes verification, and describes itself in its manifest', async ({
    backups,
  }) => {
    expect((await stat(backups.whole)).mode & 0o777).toBe(0o700);
    const manifest = await readManifest(backups.whole);
    expect(manifest).toMatchObject({ format: 1, secretKeyId: 'abc', missing: { count: 0 } });
    expect(Math.abs(Date.now() - Date.parse(manifest.takenAt))).toBeLessThan(120_000);
    for (const { file } of manifest.parts)
      expect((await stat(join(backups.whole, file))).mode & 0o777, file).toBe(0o600);
    const { code, output } = await runBindery(['backup', 'verify', backups.whole]);
    expect(output).toContain(`${backups.whole} is complete`);
    expect(code).toBe(0);
  });

  it('has the records of a collection in the format of `bsondump` and `mongorestore`', async ({
    backups,
  }) => {
    const parts = [...(await readManifest(backups.whole)).parts];
    const spaces = await Array.fromAsync(recordsOf({ folder: backups.whole, parts }, 'spaces'));
    expect(spaces).toEqual(
      await mongoDatabase()
        .collection('spaces')
        .find({}, { promoteBuffers: true })
        .sort({ _id: 1 })
        .toArray(),
    );
  });

  it('does not overwrite an existing backup', async ({ backups }) => {
    await expect(backups.take(backups.whole)).rejects.toThrow('exists already');
    expect(await verifyBackup(backups.whole, progress)).toMatchObject({ missing: 0 });
  });

  it('leaves nothing and names the remedy when the disk is full', async ({ backups }) => {
    const folder = backups.path();
    // A limit of the size of files, in KB: a full disk needs one of its own.
    const command = 'ulimit -f 1; exec "$0" apps/cli/src/main.ts backup "$1"';
    const taking = promisify(execFile)('bash', ['-c', command, process.execPath, folder], {
      cwd: projectFolder,
    });
    await expect(taking).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/could not be written below .*\n {2}- Free space there/),
    });
    expect(await readdir(dirname(folder))).not.toContain(`${basename(folder)}.partial`);
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

  it('of an installation with missing content is taken, and lists it', async ({
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
    expect(await runBindery(['backup', 'verify', folder])).toMatchObject({ code: 2 });
    await mongoDatabase()
      .collection('spaces')
      .deleteOne({ _id: space._id as never });
  });

  it('of an installation with damaged files lists them, and contains all others', async ({
    api,
    backups,
    organization,
  }) => {
    const space = await buildSpace(organization);
    const files = [];
    for (let index = 0; index < 3; index += 1)
      files.push(await buildFile(api.blobs, organization._id, { bytes: newId().repeat(100_000) }));
    await buildRevision(space, { files });
    const keys = files.map(({ blob }) => `${organization._id}:${blob}`);
    const [cut, gone, whole] = keys as [string, string, string];
    const chunks = mongoDatabase().collection('blobs.chunks');
    const idOf = async (filename: string) =>
      (await mongoDatabase().collection('blobs.files').findOne({ filename }))?._id;
    expect((await chunks.deleteOne({ files_id: await idOf(cut), n: 1 })).deletedCount).toBe(1);
    expect((await chunks.deleteMany({ files_id: await idOf(gone) })).deletedCount).toBeGreaterThan(1);
    const folder = backups.path();
    const taken = await runBindery(['backup', folder]);
    expect(taken.output).toContain(cut);
    expect(taken.output).toContain(gone);
    expect(taken.output).not.toContain(whole);
    expect(taken.code).toBe(2);
    expect(await runBindery(['backup', 'verify', folder])).toMatchObject({ code: 2 });
    const { environment, database } = await emptyOtherDatabase('withoutDamaged');
    await runBindery(['restore', folder], environment);
    const restored = database.collection('blobs.files').find({ filename: { $in: keys } });
    expect((await restored.toArray()).map(({ filename }) => filename as string)).toEqual([whole]);
    await database.dropDatabase();
    await mongoDatabase()
      .collection('spaces')
      .deleteOne({ _id: space._id as never });
  });
});

describe('a damaged backup', { timeout: 60_000 }, () => {
  const damages: Record<string, { damage: (folder: string) => Promise<void>; problem: RegExp }> = {
    'with a part that is cut off': {
      damage: (folder) => truncate(join(folder, 'documents.bson.gz'), 100),
      problem: /documents\.bson\.gz has 100 bytes/,
    },
    'without a part': {
      damage: (folder) => rm(join(folder, 'blobs.bson.gz')),
      problem: /blobs\.bson\.gz is missing/,
    },
    'without its manifest': {
      damage: (folder) => rm(join(folder, 'manifest.json')),
      problem: /not a complete backup/,
    },
    'with a manifest that is cut off': {
      damage: (folder) => truncate(join(folder, 'manifest.json'), 1_000),
      problem: /manifest\.json is no JSON/,
    },
    'with a manifest without anything': {
      damage: (folder) => writeFile(join(folder, 'manifest.json'), 'null'),
      problem: /manifest\.json lacks some of its fields/,
    },
    'with a part in place of another': {
      damage: (folder) => changeManifest(folder, (part) => ({ ...part, sha256: '0'.repeat(64) })),
      problem: /another checksum/,
    },
    'with a manifest that counts more records': {
      damage: (folder) => changeManifest(folder, (part) => ({ ...part, records: part.records + 1 })),
      problem: /has \d+ records, not \d+/,
    },
    'with a part that its manifest does not list': {
      damage: (folder) => changeManifest(folder, () => undefined),
      problem: /does not list users\.bson\.gz/,
    },
    'that a later version wrote': {
      damage: (folder) => changeManifest(folder, (part) => ({ ...part, file: 'novelties.bson.gz' })),
      problem: /does not know novelties/,
    },
  };

  it.for(Object.entries(damages))('%s is refused', async ([, { damage, problem }], { backups }) => {
    const folder = backups.path();
    await cp(backups.whole, folder, { recursive: true });
    await damage(folder);
    await expect(verifyBackup(folder, progress)).rejects.toThrow(problem);
  });

  it(
    'with one changed byte is refused by a restore, and no process starts on its database',
    { timeout: bound(180_000) },
    async ({ backups }) => {
      const folder = backups.path();
      await cp(backups.whole, folder, { recursive: true });
      await changeByte(join(folder, 'users.bson.gz'));
      await expect(verifyBackup(folder, progress)).rejects.toThrow('users.bson.gz');
      const { environment, database } = await emptyOtherDatabase('damaged');
      const failed = await runBindery(['restore', folder], environment);
      expect(failed).toMatchObject({ code: 1, output: expect.stringContaining('users.bson.gz') });
      expect(await database.collection('apiTokens').countDocuments()).toBe(0);
      const migrated = await runBindery(['migrate'], environment);
      expect(migrated).toMatchObject({
        code: 1,
        output: expect.stringContaining('run `bindery restore` again'),
      });
      const backup = await runBindery(['backup', backups.path()], environment);
      expect(backup).toMatchObject({ code: 1, output: expect.stringContaining('`bindery restore` again') });
      for (const app of ['api', 'worker-git']) {
        const started = promisify(execFile)(
          process.execPath,
          [join(projectFolder, `apps/${app}/src/main.ts`)],
          {
            env: { ...process.env, ...environment, PORT: '0', LOG_LEVEL: 'info' },
            timeout: Math.round(bound(60_000)),
          },
        );
        await expect(started, app).rejects.toMatchObject({
          code: 1,
          stdout: expect.stringContaining('`bindery restore` again'),
        });
      }
      const again = await runBindery(['restore', backups.whole], environment);
      expect(again).toMatchObject({ code: 0 });
      expect(await runBindery(['migrate'], environment)).toMatchObject({ code: 0 });
      const parts = [...(await readManifest(backups.whole)).parts];
      expect(await database.collection('users').countDocuments()).toBe(
        parts.find(({ file }) => file === 'users.bson.gz')!.records,
      );
      await database.dropDatabase();
    },
  );
});

type ManifestPart = { file: string; records: number; sha256: string };

/** Changes what the manifest says about the users. */
async function changeManifest(
  folder: string,
  change: (part: ManifestPart) => ManifestPart | undefined,
): Promise<void> {
  const path = join(folder, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as { parts: ManifestPart[] };
  const parts = manifest.parts.flatMap((part) => {
    const changed = part.file === 'users.bson.gz' ? change(part) : part;
    return changed ? [changed] : [];
  });
  if (parts.some(({ file }) => file === 'novelties.bson.gz'))
    await rename(join(folder, 'users.bson.gz'), join(folder, 'novelties.bson.gz'));
  await writeFile(path, JSON.stringify({ ...manifest, parts }));
}

/** Changes a byte of the compressed text, so that it may still be a right one. */
async function changeByte(path: string): Promise<void> {
  const bytes = await readFile(path);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = bytes[middle]! ^ 1;
  await writeFile(path, bytes);
}
