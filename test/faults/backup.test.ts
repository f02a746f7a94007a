import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isFinal } from '@bindery/contract';
import { jobCollection, Lease, type JobRecord, type SpaceRecord } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readManifest } from '../../apps/cli/src/backup/manifest.ts';
import { recordsOf } from '../../apps/cli/src/backup/names.ts';
import {
  createTemporaryFolder,
  removeFolder,
} from '../../apps/cli/src/launcher/data-folder/temporaryFolder.ts';
import { fixtureRepository } from '../support/fixtureRepository.ts';
import type { AppProcess } from '../support/processes/appProcess.ts';
import { startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { createResultTable, inSeconds } from '../support/resultTable.ts';
import { runBindery, startBindery } from '../support/stores/backupCommands.ts';
import { checkInvariants } from '../support/stores/invariants.ts';
import { emptyRestoredStores, inRestored, restoredStores } from '../support/stores/restoredLab.ts';
import { until } from '../support/until.ts';

let lab: FaultLab;
let folder: string;
let url: string;
const table = createResultTable();

beforeAll(async () => {
  lab = await startFaultLab();
  folder = await createTemporaryFolder('bindery-backups-');
  ({ url } = await lab.gitServer.createRepository('fixture.git', fixtureRepository()));
});
afterEach(async () => {
  await lab.reset();
  await emptyRestoredStores(lab);
});
afterAll(async () => {
  table.print();
  await removeFolder(folder);
  await lab.close();
});

type Body = Record<string, never> & { id: string };

/** Calls an API. @throws for a refusal */
async function call(
  api: AppProcess,
  [method, path]: readonly [string, string],
  json?: unknown,
): Promise<Body> {
  const answer = await lab.call(api, method, path, json);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as Body;
}

/** Adds a page to a space through the API: three requests, each of which writes several records. */
async function addPage(api: AppProcess, space: SpaceRecord, title: string): Promise<void> {
  const requests = `/spaces/${space._id}/change-requests`;
  const { id } = await call(api, ['POST', requests], { subject: title });
  const change = { operation: 'insert_page', title, document: { markdown: `About ${title}.` } };
  await call(api, ['POST', `${requests}/${id}/content`], { changes: [change] });
  await call(api, ['POST', `${requests}/${id}/merge`]);
}

/** Writes until it is told to stop. */
function startWriter(write: (round: number) => Promise<void>): { stop(): Promise<number> } {
  let isStopped = false;
  const run = async () => {
    let round = 0;
    for (; !isStopped; round += 1) await write(round);
    return round;
  };
  const running = run();
  running.catch(() => {});
  return {
    stop: async () => {
      isStopped = true;
      return running;
    },
  };
}

type Listed = { items: { id: string; downloadURL?: string }[]; count: number };
type Pages = { pages: { id: string; title: string; type: string; pages?: Pages['pages'] }[] };

/** Reads all pages and files of a space through an API. @returns the titles of its top pages */
async function readAll(api: AppProcess, space: SpaceRecord): Promise<string[]> {
  const { pages } = (await call(api, ['GET', `/spaces/${space._id}/content/pages`])) as unknown as Pages;
  const visit = async (list: Pages['pages']): Promise<void> => {
    for (const page of list) {
      if (page.type === 'document') await call(api, ['GET', `/spaces/${space._id}/content/page/${page.id}`]);
      await visit(page.pages ?? []);
    }
  };
  await visit(pages);
  const files = (await call(api, ['GET', `/spaces/${space._id}/content/files`])) as unknown as Listed;
  for (const { downloadURL } of files.items) {
    const { pathname, search } = new URL(String(downloadURL));
    const file = await fetch(`http://127.0.0.1:${api.port}${pathname}${search}`);
    expect(file.status, String(downloadURL)).toBe(200);
    await file.arrayBuffer();
  }
  return pages.map(({ title }) => title);
}

describe('F35: a backup taken under load and restored to an empty host', () => {
  it(
    'starts, has every page and file of one moment, and finishes the jobs that had not ended',
    { timeout: 240_000 },
    async () => {
      const [api] = await Promise.all([
        lab.start('api'),
        lab.start('worker-maintenance'),
        lab.start('worker-git', { environment: { BINDERY_WORKER_CONCURRENCY: '1' } }),
      ]);
      const [first, second] = [await lab.newSpace(), await lab.newSpace()];
      const imported: SpaceRecord[] = [];
      // The second space always follows the first one.
      const editor = startWriter(async (round) => {
        await addPage(api, first, `Page ${round}`);
        await addPage(api, second, `Page ${round}`);
      });
      const unfinished = () =>
        jobCollection().countDocuments({ state: { $in: ['accepted', 'queued', 'running'] } });
      const importer = startWriter(async () => {
        await until('room', async () => (await unfinished()) < 4, { timeoutMs: 60_000 });
        const space = await lab.newSpace();
        imported.push(space);
        await lab.import(space, url);
      });
      await until(
        'edits and an import',
        async () => {
          const ended = await jobCollection().countDocuments({ state: 'succeeded' });
          return ended > 0 && (await lab.call(api, 'GET', `/spaces/${second._id}/change-requests`)).ok;
        },
        { timeoutMs: 60_000 },
      );
      const backup = join(folder, 'under-load');
      const startedMs = performance.now();
      const taken = await runBindery(['backup', backup]);
      const backupMs = performance.now() - startedMs;
      expect(taken).toMatchObject({ code: 0 });
      expect(await editor.stop()).toBeGreaterThan(0);
      await importer.stop();

      const parts = [...(await readManifest(backup)).parts];
      const jobs = (await Array.fromAsync(recordsOf({ folder: backup, parts }, 'jobs'))) as JobRecord[];
      const open = jobs.filter(({ state }) => !isFinal(state));
      expect(open.length).toBeGreaterThan(0);
      expect(await runBindery(['backup', 'verify', backup])).toMatchObject({ code: 0 });

      const restoredMs = performance.now();
      expect(await runBindery(['restore', backup], restoredStores)).toMatchObject({ code: 0 });
      const [there] = await Promise.all([
        lab.start('api', { environment: restoredStores }),
        lab.start('worker-maintenance', { environment: restoredStores }),
        lab.start('worker-git', { environment: restoredStores }),
      ]);
      await inRestored(lab, async () => {
        await until('end of all jobs', async () => (await unfinished()) === 0, { timeoutMs: 90_000 });
        const ended = await jobCollection()
          .find({ _id: { $in: open.map(({ _id }) => _id) } })
          .toArray();
        expect(ended.map(({ state }) => state)).toEqual(open.map(() => 'succeeded'));
        await checkInvariants(
          lab,
          jobs.map(({ _id }) => _id),
          [first._id, second._id],
        );
      });
      const resumedMs = performance.now() - restoredMs;
      const [ones, twos] = [await readAll(there, first), await readAll(there, second)];
      // No page without those before it, in a space and across the two.
      for (const titles of [ones, twos])
        expect(titles).toEqual(['Space', ...titles.slice(1).map((_, round) => `Page ${round}`)]);
      expect(ones.length).toBeGreaterThan(1);
      expect([0, 1]).toContain(ones.length - twos.length);
      for (const { subject } of jobs)
        expect((await readAll(there, { _id: subject.id } as SpaceRecord)).length).toBeGreaterThan(3);
      await addPage(there, first, 'After the restore');
      table.add({
        fault: 'F35 backup under load, restored to an empty host',
        runs: 1,
        result: `${open.length}/${open.length} unfinished jobs done once, ${ones.length + twos.length - 2} edits of one moment`,
        measured: `backup ${inSeconds(backupMs)}; all jobs ended ${inSeconds(resumedMs)} after the restore began`,
        goal: 'invariants hold',
      });
    },
  );
});

describe('a backup that is killed', { timeout: 120_000 }, () => {
  it.each(['backup.records_written', 'backup.content_written'])(
    'at %s is not accepted as complete, and the next one works',
    async (point) => {
      await lab.newSpace();
      const backup = join(folder, point);
      const killed = await runBindery(['backup', backup], { BINDERY_FAULT: `${point}:1:kill` });
      expect(killed.code).toBe('SIGKILL');
      await expect(stat(backup)).rejects.toThrow('ENOENT');
      for (const command of ['verify', 'restore'] as const) {
        const args = command === 'verify' ? ['backup', 'verify'] : ['restore'];
        const refused = await runBindery([...args, `${backup}.partial`], restoredStores);
        expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('not a complete backup') });
      }
      const same = await runBindery(['backup', backup]);
      expect(same).toMatchObject({ code: 1, output: expect.stringContaining('or one was killed') });
      await removeFolder(`${backup}.partial`);
      // The turn of the dead one ends after a minute, and the next one waits for that.
      const waiting = startBindery(['backup', backup]);
      await until('the wait', () => waiting.output().includes('waiting for'), { timeoutMs: 30_000 });
      await Lease.updateMany({}, { $set: { until: new Date(0) } });
      expect(await waiting.ended).toMatchObject({ code: 0 });
      expect(await runBindery(['backup', 'verify', backup])).toMatchObject({ code: 0 });
    },
  );
});

describe('a restore that is killed', { timeout: 120_000 }, () => {
  it.each(['restore.content_stored', 'restore.records_stored'])(
    'at %s keeps the database unusable until it is run again',
    async (point) => {
      const space = await lab.newSpace();
      await lab.start('worker-git');
      await lab.waitFor((await lab.import(space, url))._id, 'succeeded');
      const backup = join(folder, point);
      expect(await runBindery(['backup', backup])).toMatchObject({ code: 0 });
      const killed = await runBindery(['restore', backup], {
        ...restoredStores,
        BINDERY_FAULT: `${point}:1:kill`,
      });
      expect(killed.code).toBe('SIGKILL');
      const refused = await runBindery(['migrate'], restoredStores);
      expect(refused).toMatchObject({
        code: 1,
        output: expect.stringContaining('run `bindery restore` again'),
      });
      await expect(lab.start('worker-maintenance', { environment: restoredStores })).rejects.toThrow(
        'A restore into this database has not ended',
      );
      await inRestored(lab, async () => Lease.updateMany({}, { $set: { until: new Date(0) } }));
      expect(await runBindery(['restore', backup], restoredStores)).toMatchObject({ code: 0 });
      const api = await lab.start('api', { environment: restoredStores });
      expect((await readAll(api, space)).length).toBeGreaterThan(3);
    },
  );
});

describe('a restore for `npm start`', { timeout: 120_000 }, () => {
  it('starts the MongoDB of the data folder, names the key that is missing, and overwrites nothing', async () => {
    const space = await lab.newSpace();
    const backup = join(folder, 'for-npm-start');
    expect(await runBindery(['backup', backup])).toMatchObject({ code: 0 });
    const data = join(folder, 'data');
    const own = { MONGODB_URI: '', REDIS_URL: '', BINDERY_SECRET_KEY: '' };
    const restored = await runBindery(['restore', backup, '--data', data], own);
    expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('secret.key') });
    const again = await runBindery(['restore', backup, '--data', data], own);
    expect(again).toMatchObject({ code: 1, output: expect.stringContaining('The database is not empty') });
    expect(again.output).not.toContain(space._id);
  });
});
