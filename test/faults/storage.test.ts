import { mongoDatabase, Space, StorageSweep, type OrganizationRecord, type SpaceRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { ObjectId } from 'mongodb';
import { describe, expect } from 'vitest';
import { startApp, type AppProcess } from '../support/appProcess.ts';
import { storeSource } from '../support/editContent.ts';
import { buildFile, buildRevision, buildSpace, changeSpace } from '../support/factories.ts';
import { itInNewOrganization as base } from '../support/it.ts';
import { collectAtOnce, neededNames, passTime, storedNames } from '../support/storedContent.ts';
import { until } from '../support/until.ts';

const dayMs = 24 * 60 * 60 * 1000;

const it = base.extend('start', async ({ api: _started }, { onCleanup }) => {
  const apps: AppProcess[] = [];
  onCleanup(async () => {
    for (const app of apps.filter((one) => !one.hasEnded())) {
      app.signal('SIGKILL');
      await app.ended;
    }
  });
  return async (fault = '') => {
    const often = { BINDERY_STORAGE_SWEEP_INTERVAL_MS: '200', BINDERY_PURGE_INTERVAL_MS: '200', BINDERY_REVISION_RETENTION_DAYS: '30' };
    const app = await startApp('worker-maintenance', { ...process.env, ...often, ...(fault && { BINDERY_FAULT: fault }) });
    apps.push(app);
    return app;
  };
});

/** Builds content that stays, beside content that goes: of a purged space, of an old revision, without a reference, and of an aborted upload. */
async function fill(
  organization: OrganizationRecord,
  blobs: Parameters<typeof buildFile>[0],
): Promise<{ upload: ObjectId; gone: SpaceRecord }> {
  await StorageSweep.deleteMany({});
  // A worker of the test before may still hold the lease.
  await mongoDatabase().collection('leases').deleteMany({});
  const make = async () => {
    const space = await buildSpace(organization, { title: newId() });
    const files = [await buildFile(blobs, organization._id, { bytes: newId() })];
    const deep = { id: newId(), path: 'p/q', source: `# ${newId()}` };
    await buildRevision(space, { pages: [{ id: newId(), path: 'p', source: `# ${newId()}`, pages: [deep] }], files });
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
  const upload = ObjectId.createFromTime(Math.floor((Date.now() - 3 * dayMs) / 1_000));
  await mongoDatabase()
    .collection('blobs.chunks')
    .insertOne({ files_id: upload, n: 0, data: Buffer.alloc(10) });
  return { upload, gone };
}

const points = ['revisions_trimmed', 'marked', 'nodes_swept', 'documents_swept', 'blobs_swept', 'organization_swept', 'removed_cleared'];

describe('a worker that is killed while it sweeps the storage', { timeout: 90_000 }, () => {
  it.for(points)('at storage.%s has lost nothing, and the next worker finishes the sweep', async (point, { api, organization, start }) => {
    const { upload, gone } = await fill(organization, api.blobs);
    const finished = async () => {
      const startedAt = new Date();
      await until('sweep', async () => StorageSweep.exists({ startedAt: { $gt: startedAt }, finishedAt: { $exists: true } }), {
        timeoutMs: 30_000,
      });
    };
    expect(await (await start(`storage.${point}:1:kill`)).ended).toBe('SIGKILL');
    const isKept = async () => {
      const stored = await storedNames(organization._id);
      return (await neededNames(organization._id)).filter((name) => !stored.includes(name));
    };
    expect(await isKept()).toEqual([]);
    // Another worker may sweep once the lease of the dead one has ended.
    await mongoDatabase().collection('leases').deleteMany({});
    const next = await start();
    await until('purge', async () => (await Space.countDocuments({ _id: gone._id })) === 0, { timeoutMs: 30_000 });
    await finished();
    // Dead in the middle of removing, once more.
    await passTime(dayMs + 1_000);
    next.signal('SIGTERM');
    await next.ended;
    const late = await start(`storage.${point === 'revisions_trimmed' ? 'nodes_swept' : point}:1:kill`);
    expect(await late.ended).toBe('SIGKILL');
    expect(await isKept()).toEqual([]);
    await mongoDatabase().collection('leases').deleteMany({});
    await start();
    await finished();
    expect(await storedNames(organization._id)).toEqual(await neededNames(organization._id));
    expect(await mongoDatabase().collection('blobs.chunks').countDocuments({ files_id: upload })).toBe(0);
  });
});

it('two workers that sweep at once have the result of one', { timeout: 90_000 }, async ({ api, organization }) => {
  await fill(organization, api.blobs);
  await Promise.all([collectAtOnce(organization._id, api.blobs), collectAtOnce(organization._id, api.blobs)]);
  expect(await storedNames(organization._id)).toEqual(await neededNames(organization._id));
});
