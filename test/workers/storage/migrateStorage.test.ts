import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mongoDatabase } from '@bindery/models';
import { describe, expect } from 'vitest';
import { endLeftTransactions } from '../../support/apiServer.ts';
import {
  fileRecords,
  itWithS3,
  keyOf,
  missingS3,
  readBlob,
  streamOf,
} from '../../support/stores/blobStores.ts';
import { passTime } from '../../support/stores/storedContent.ts';

const MB = 1024 * 1024;
const dayMs = 24 * 60 * 60 * 1000;
const inAnHour = () => new Date(Date.now() + dayMs / 24);

type Run = { code: number | string; output: string };

const it = itWithS3.extend(
  'migrate',
  ({ server }) =>
    async (to: string, { more = [], ...variables }: { more?: string[]; [name: string]: unknown } = {}) =>
      new Promise<Run>((resolve) => {
        const args = ['apps/cli/src/main.ts', 'storage', 'migrate', '--to', to, ...more];
        const env = { ...process.env, ...server.environment, ...variables } as NodeJS.ProcessEnv;
        execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
          resolve({ code: error ? (error.signal ?? error.code ?? 1) : 0, output: stdout + stderr }),
        );
      }),
);

async function expectKilled({ code }: Run, point: string): Promise<void> {
  expect([point, code]).toEqual([point, 'SIGKILL']);
  // As the maintenance worker does, which does not run here: the next migration need not wait for a minute.
  await endLeftTransactions();
}

const inGridFs = () => fileRecords().countDocuments({ filename: /^[^~]/, object: { $exists: false } });
const inS3 = () => fileRecords().countDocuments({ filename: /^[^~]/, object: { $exists: true } });
const chunks = () => mongoDatabase().collection('blobs.chunks').countDocuments();

/** As if all copies had been made two hours ago. */
const age = async () =>
  fileRecords().updateMany({ replacedAt: { $exists: true } }, [
    { $set: { replacedAt: { $subtract: ['$replacedAt', dayMs / 12] } } },
  ]);

describe.skipIf(missingS3)('bindery storage migrate', () => {
  it(
    'copies all files in both directions, resumes after a kill, and loses no file',
    { timeout: 180_000 },
    async ({ api, server, s3, owner, migrate }) => {
      const sizes = [0, 5, MB + 1, 9 * MB, ...Array.from({ length: 12 }, (_, i) => i * 1000 + 7)];
      const keys = new Map<string, Buffer>();
      const storeMore = async () => {
        for (const bytes of sizes.map((size) => randomBytes(size))) {
          const key = keyOf(owner, bytes);
          // Stored again, the empty file would lose its mark.
          if (keys.has(key)) continue;
          keys.set(key, bytes);
          await api.blobs.put(key, streamOf(bytes));
        }
      };
      await storeMore();
      const marked = [...keys.keys()].slice(0, 3);
      await s3.noteUnreachable(marked);
      const marks = await s3.listUnreachable({ after: '', upTo: '~' });
      const isWhole = async () => {
        // Every process finds every file at every moment, wherever it is.
        for (const [key, bytes] of keys) expect((await readBlob(s3, key))?.equals(bytes)).toBe(true);
        expect(await s3.count(owner)).toBe(keys.size);
        expect(await s3.listUnreachable({ after: '', upTo: '~' })).toEqual(marks);
      };
      await isWhole();

      for (const point of ['storage.part_written:1', 'storage.object_written:3', 'storage.file_copied:4']) {
        // Enough for each point to be reached, however many files the one before has copied.
        await storeMore();
        await expectKilled(await migrate('s3', { BINDERY_FAULT: `${point}:kill` }), point);
        await isWhole();
      }
      expect(await inGridFs()).toBeGreaterThan(0);
      const there = await migrate('s3');
      expect(there).toMatchObject({
        code: 0,
        output: expect.stringContaining('each with the expected hash'),
      });
      expect(there.output).toMatch(new RegExp(`${keys.size} former copies .* --remove-source removes them`));
      expect(await inGridFs()).toBe(0);
      await isWhole();
      // Leftovers of the killed migrations are collected like interrupted uploads.
      expect((await server.objects()).length + (await server.unfinished())).toBeGreaterThan(keys.size);
      await s3.clearLeftovers({ after: new Date(0), before: inAnHour() });
      expect(await server.objects()).toHaveLength(keys.size);
      expect(await server.unfinished()).toBe(0);

      // Nobody reads the former copies any more, except those of the last hour.
      const early = await migrate('s3', { more: ['--remove-source'] });
      expect(early.output).toMatch(/Removed 0 former copies. \d+ were copied within the last hour/);
      await passTime(dayMs);
      await s3.clearRemoved(new Date());
      expect(await chunks()).toBe(0);
      await isWhole();

      const pointBack = 'storage.file_copied:4';
      await expectKilled(await migrate('gridfs', { BINDERY_FAULT: `${pointBack}:kill` }), pointBack);
      await isWhole();
      const back = await migrate('gridfs');
      expect(back.output).toContain('BINDERY_BLOB_STORE is s3 here.');
      await age();
      const removed = await migrate('gridfs', { more: ['--remove-source'], BINDERY_BLOB_STORE: 'gridfs' });
      expect(removed.output).toContain(`Removed ${keys.size} former copies.`);
      expect(removed.output).not.toContain('BINDERY_BLOB_STORE');
      expect(await inS3()).toBe(0);
      expect(await server.objects()).toEqual([]);
      for (const [key, bytes] of keys) expect((await readBlob(api.blobs, key))?.equals(bytes)).toBe(true);
    },
  );

  it(
    'lists files with wrong bytes instead of copying them',
    { timeout: 120_000 },
    async ({ api, server, s3, owner, migrate }) => {
      await fileRecords().deleteMany({});
      const [good, bad, missing, lost] = [
        randomBytes(10),
        randomBytes(2 * MB),
        randomBytes(3),
        randomBytes(4),
      ];
      for (const bytes of [good, bad, missing]) await api.blobs.put(keyOf(owner, bytes), streamOf(bytes));
      const idOf = async (bytes: Buffer) =>
        (await fileRecords().findOne({ filename: keyOf(owner, bytes) }))!._id;
      const collection = mongoDatabase().collection('blobs.chunks');
      await collection.updateOne({ files_id: await idOf(bad), n: 1 }, { $set: { data: randomBytes(MB) } });
      await collection.deleteMany({ files_id: await idOf(missing) });
      const there = await migrate('s3');
      expect(there.code).toBe(1);
      expect(there.output).toContain(`FIX ${keyOf(owner, bad)}: its stored bytes are missing or wrong`);
      expect(there.output).toContain(`FIX ${keyOf(owner, missing)}`);
      expect(there.output).toContain('Copied 1 files');
      expect((await readBlob(s3, keyOf(owner, good)))?.equals(good)).toBe(true);

      await s3.put(keyOf(owner, lost), streamOf(lost));
      const { object = '' } = (await fileRecords().findOne({ filename: keyOf(owner, lost) }))!;
      await server.corrupt(object, () => randomBytes(4));
      const back = await migrate('gridfs');
      expect(back.code).toBe(1);
      expect(back.output).toContain(`FIX ${keyOf(owner, lost)}`);
    },
  );

  it('reports invalid arguments and problems of the bucket', async ({ api: _started, server, migrate }) => {
    expect((await migrate('tape')).output).toContain('--to must be s3 or gridfs.');
    const without = await migrate('s3', { BINDERY_S3_BUCKET: '', BINDERY_BLOB_STORE: '' });
    expect(without).toMatchObject({ code: 1, output: expect.stringContaining('No bucket is set.') });
    expect((await migrate('s3', { BINDERY_S3_BUCKET: 'other' })).output).toContain('it does not exist');
    await server.stop();
    expect((await migrate('s3')).output).toContain('ECONNREFUSED');
    await server.start();
  });
});
