import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storageTurn } from '@bindery/jobs';
import {
  Lease,
  mongoDatabase,
  Space,
  StorageSweep,
  type OrganizationRecord,
  type SpaceRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { ObjectId } from 'mongodb';
import { describe, expect } from 'vitest';
import {
  createTemporaryFolder,
  removeFolder,
} from '../../apps/cli/src/launcher/data-folder/temporaryFolder.ts';
import { startApp, type AppProcess } from '../support/processes/appProcess.ts';
import { storeSource } from '../support/content/editContent.ts';
import { buildFile, buildRevision, buildSpace, changeSpace } from '../support/factories.ts';
import { itInNewOrganization as base } from '../support/it.ts';
import { collectAtOnce, neededNames, passTime, storedNames } from '../support/stores/storedContent.ts';
import { until } from '../support/until.ts';

const dayMs = 24 * 60 * 60 * 1000;

type Sweeper = {
  /** Has a worker sweep: the one that runs, else a new one. `fault` arms a fault point in it. */
  start(fault?: string): Promise<AppProcess>;
  /** Does something while no sweep is under way, and none begins. */
  betweenSweeps<Result>(work: () => Promise<Result>): Promise<Result>;
};

const it = base.extend(
  'sweeper',
  { scope: 'file' },
  async ({ api: _started }, { onCleanup }): Promise<Sweeper> => {
    const folder = await createTemporaryFolder('bindery-storage-');
    const faultFile = join(folder, 'fault');
    let worker: AppProcess | undefined;
    onCleanup(async () => {
      worker?.signal('SIGKILL');
      await worker?.ended;
      await removeFolder(folder);
    });
    return {
      start: async (fault = '') => {
        await writeFile(faultFile, fault);
        // One that has finished a sweep goes on with the next one: starting workers took most of the time.
        if (worker && !worker.hasEnded()) return worker;
        const often = {
          BINDERY_STORAGE_SWEEP_INTERVAL_MS: '200',
          BINDERY_PURGE_INTERVAL_MS: '200',
          BINDERY_REVISION_RETENTION_DAYS: '30',
        };
        worker = await startApp('worker-maintenance', {
          ...process.env,
          ...often,
          BINDERY_FAULT: `@${faultFile}`,
        });
        return worker;
      },
      betweenSweeps: async (work) => {
        // That of a dead worker would last for a minute.
        if (!worker || worker.hasEnded()) await Lease.deleteMany({});
        const turn = storageTurn();
        await until('end of the sweep', turn.hold, { timeoutMs: 30_000 });
        try {
          return await work();
        } finally {
          await turn.release();
          // Those of dead workers: the next one need not wait for their end.
          await Lease.deleteMany({});
        }
      },
    };
  },
);

/**
 * Builds content that stays, beside content that goes: of a purged space, of an old revision, without a
 * reference, and of an aborted upload.
 */
async function fill(
  organization: OrganizationRecord,
  blobs: Parameters<typeof buildFile>[0],
): Promise<{ upload: ObjectId; gone: SpaceRecord }> {
  await StorageSweep.deleteMany({});
  const make = async () => {
    const space = await buildSpace(organization, { title: newId() });
    const files = [await buildFile(blobs, organization._id, { bytes: newId() })];
    const deep = { id: newId(), path: 'p/q', source: `# ${newId()}` };
    await buildRevision(space, {
      pages: [{ id: newId(), path: 'p', source: `# ${newId()}`, pages: [deep] }],
      files,
    });
    return space;
  };
  const [gone, old] = [await make(), await make()];
  await buildRevision(old, { pages: [{ id: newId(), path: 'p', source: `# ${newId()}` }] });
  await mongoDatabase()
    .collection('revisions')
    .updateMany({ space: old._id }, { $set: { createdAt: new Date(Date.now() - 50 * dayMs) } });
  await changeSpace(gone, { deletedAt: new Date(Date.now() - 8 * dayMs) });
  for (let n = 0; n < 5; n += 1) {
    await storeSource(organization._id, newId());
    await buildFile(blobs, organization._id, { bytes: newId() });
  }
  const upload = new ObjectId(ObjectId.generate(Math.floor((Date.now() - 3 * dayMs) / 1_000)));
  await mongoDatabase()
    .collection('blobs.chunks')
    .insertOne({ files_id: upload, n: 0, data: Buffer.alloc(10) });
  return { upload, gone };
}

// First, while no worker sweeps beside the two.
it(
  'two concurrent sweeps have the same result as one',
  { timeout: 90_000 },
  async ({ api, organization }) => {
    await fill(organization, api.blobs);
    await Promise.all([
      collectAtOnce(organization._id, api.blobs),
      collectAtOnce(organization._id, api.blobs),
    ]);
    expect(await storedNames(organization._id)).toEqual(await neededNames(organization._id));
  },
);

const points = [
  'revisions_trimmed',
  'marked',
  'nodes_swept',
  'documents_swept',
  'blobs_swept',
  'organization_swept',
  'removed_cleared',
];

describe('a worker that is killed while it sweeps the storage', { timeout: 90_000 }, () => {
  it.for(points)(
    'at storage.%s loses no file, and the next worker finishes the sweep',
    async (point, { api, organization, sweeper }) => {
      const { upload, gone, dying } = await sweeper.betweenSweeps(async () => ({
        ...(await fill(organization, api.blobs)),
        dying: await sweeper.start(`storage.${point}:1:kill`),
      }));
      const finished = async () => {
        const startedAt = new Date();
        await until(
          'sweep',
          async () => StorageSweep.exists({ startedAt: { $gt: startedAt }, finishedAt: { $exists: true } }),
          {
            timeoutMs: 30_000,
          },
        );
      };
      expect(await dying.ended).toBe('SIGKILL');
      const isKept = async () => {
        const stored = await storedNames(organization._id);
        return (await neededNames(organization._id)).filter((name) => !stored.includes(name));
      };
      expect(await isKept()).toEqual([]);
      // Another worker may sweep once the lease of the dead one has ended.
      await Lease.deleteMany({});
      const next = await sweeper.start();
      await until('purge', async () => (await Space.countDocuments({ _id: gone._id })) === 0, {
        timeoutMs: 30_000,
      });
      await finished();
      // Dead in the middle of removing, once more.
      await sweeper.betweenSweeps(async () => {
        await passTime(dayMs + 1_000);
        await sweeper.start(`storage.${point === 'revisions_trimmed' ? 'nodes_swept' : point}:1:kill`);
      });
      expect(await next.ended).toBe('SIGKILL');
      expect(await isKept()).toEqual([]);
      await Lease.deleteMany({});
      await sweeper.start();
      await finished();
      expect(await storedNames(organization._id)).toEqual(await neededNames(organization._id));
      expect(await mongoDatabase().collection('blobs.chunks').countDocuments({ files_id: upload })).toBe(0);
    },
  );
});
