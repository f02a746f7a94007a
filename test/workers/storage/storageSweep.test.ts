import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { duplicateSpace, trimRevisions } from '@bindery/content';
import { storageTurn } from '@bindery/jobs';
import {
  DocumentLinks,
  GitSyncPoint,
  mongoDatabase,
  Revision,
  Space,
  StorageSweep,
  type SpaceRecord,
} from '@bindery/models';
import { createLogger, newId } from '@bindery/runtime';
import { ObjectId } from 'mongodb';
import { describe, expect } from 'vitest';
import { purgeSpaces } from '../../../apps/worker-maintenance/src/purgeSpaces.ts';
import { sweepStorage } from '../../../apps/worker-maintenance/src/sweepStorage.ts';
import { storeSource } from '../../support/content/editContent.ts';
import {
  buildChangeRequest,
  buildFile,
  buildJob,
  buildRevision,
  buildSpace,
  changeSpace,
} from '../../support/factories.ts';
import { itInNewOrganization as base } from '../../support/it.ts';
import {
  buildFilledSpace,
  collectAtOnce,
  neededNames,
  passTime,
  storedNames,
} from '../../support/stores/storedContent.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const { signal } = new AbortController();

const it = base
  .extend(
    'isFirstSweep',
    { auto: true },
    async ({ api: _started }) => (await StorageSweep.deleteMany({})).acknowledged,
  )
  .extend('logger', () => createLogger({ log: { level: 'silent' } }, { app: 'test' }))
  .extend(
    'sweep',
    ({ api, logger }) =>
      async (more: { revisionRetentionDays?: number } = {}) =>
        sweepStorage({
          ...api.config.storage,
          sweepIntervalMs: 0,
          blobs: api.blobs,
          logger,
          signal,
          ...more,
        }),
  )
  .extend('purge', ({ logger }) => async (...spaces: SpaceRecord[]) => {
    for (const space of spaces) await changeSpace(space, { deletedAt: new Date(Date.now() - 8 * dayMs) });
    expect(await purgeSpaces({ logger, signal })).toBe(spaces.length);
  })
  .extend(
    'fill',
    ({ api, organization }) =>
      () =>
        buildFilledSpace(organization, api.blobs),
  );

describe('the file of a job', () => {
  it('is removed after the retention time of PDFs without use', async ({ api, organization, sweep }) => {
    const space = await buildSpace(organization);
    const store = (name: string) => buildFile(api.blobs, organization._id, { bytes: Buffer.from(name) });
    const [old, used] = [await store('old'), await store('used')];
    const ago = (ms: number) => new Date(Date.now() - ms);
    const printed = { queue: 'pdf', state: 'succeeded' as const, finishedAt: ago(25 * hourMs) };
    await buildJob(space, { ...printed, result: { file: old.blob } });
    await buildJob(space, { ...printed, result: { file: used.blob }, resultUsedAt: ago(hourMs) });
    await sweep();
    await passTime(25 * hourMs);
    expect(await sweep()).toMatchObject({ blobs: 1 });
    const keys = [old, used].map(({ blob }) => `${organization._id}:${blob}`);
    expect(await api.blobs.findStored(keys)).toEqual(new Set([keys[1]]));
  });
});

describe('the content of a purged space', () => {
  it('is removed after the grace period, and stays when other content refers to it', async ({
    api,
    organization,
    sweep,
    purge,
    fill,
  }) => {
    const [gone, kept] = [await fill(), await fill()];
    const before = await storedNames(organization._id);
    const copy = await duplicateSpace({
      space: (await Space.findById(gone.space._id).lean()) as SpaceRecord,
      createdBy: 'nobody',
    });
    await purge(gone.space);
    await sweep();
    expect(await storedNames(organization._id)).toEqual(before);
    // The copy has all content of the purged space except its first revision, of one empty page.
    await passTime(23 * hourMs);
    expect(await sweep()).toMatchObject({ nodes: 0, documents: 0, blobs: 0 });
    await passTime(2 * hourMs);
    expect(await sweep()).toMatchObject({ documents: 0, blobs: 0 });
    expect(await storedNames(organization._id)).toEqual(await neededNames(organization._id));

    await purge(copy);
    await sweep();
    await passTime(25 * hourMs);
    expect(await sweep()).toMatchObject({ documents: 1, blobs: 1 });
    expect(await storedNames(organization._id)).toEqual(await neededNames(organization._id));
    expect((await api.blobs.findStored([`${organization._id}:${kept.file.blob}`])).size).toBe(1);
    // The bytes stay for readers that have begun.
    const chunks = async () => mongoDatabase().collection('blobs.chunks').countDocuments();
    const withBytes = await chunks();
    await passTime(25 * hourMs);
    await sweep();
    expect(await chunks()).toBe(withBytes - 1);
  });

  it('is readable at its URLs until the purge; then they answer 404', async ({
    api,
    admin,
    organization,
    sweep,
    purge,
    fill,
  }) => {
    const { space, file } = await fill();
    const { body } = await api.call('GET', `/v1/spaces/${space._id}/content/files/f`, { token: admin.token });
    const status = async () => (await api.call('GET', body.downloadURL)).status;
    expect(await status()).toBe(200);
    await changeSpace(space, { deletedAt: new Date() });
    expect(await status()).toBe(200);
    await purge(space);
    expect((await api.blobs.findStored([`${organization._id}:${file.blob}`])).size).toBe(1);
    expect(await status()).toBe(404);
    await sweep();
    await passTime(25 * hourMs);
    await sweep();
    expect((await api.blobs.findStored([`${organization._id}:${file.blob}`])).size).toBe(0);
    expect(await status()).toBe(404);
  });

  it('is removed together with the link facts of its documents', async ({
    organization,
    sweep,
    purge,
    fill,
  }) => {
    const { space } = await fill();
    const source = `# ${newId()}`;
    await buildRevision(space, { pages: [{ id: 'p', path: 'p', source }] });
    const hash = await storeSource(organization._id, source);
    const facts = { organization: organization._id, format: 1, links: [], anchors: [] };
    const ids = [`${organization._id}:${hash}`, `${organization._id}:${hash}:content`];
    await DocumentLinks.create(ids.map((_id) => ({ _id, ...facts })));
    await sweep();
    expect(await DocumentLinks.countDocuments({ _id: { $in: ids } })).toBe(2);
    await purge(space);
    await sweep();
    await passTime(25 * hourMs);
    await sweep();
    expect(await DocumentLinks.countDocuments({ _id: { $in: ids } })).toBe(0);
  });
});

describe('a reader', () => {
  it('reads a file to its end although it is removed meanwhile', async ({ api, organization, sweep }) => {
    const key = `${organization._id}:${newId()}`;
    const bytes = Buffer.alloc(3_000_000, 'abcdefghij');
    await api.blobs.put(key, Readable.from([bytes]));
    await sweep();
    await passTime(25 * hourMs);
    const opened = await api.blobs.open(key);
    await sweep();
    expect(await api.blobs.open(key)).toBeUndefined();
    expect((await buffer(opened!.bytes)).equals(bytes)).toBe(true);
    // Storing it again works as if it had never been there.
    expect(await api.blobs.put(key, Readable.from([bytes]))).toBe(true);
    expect((await buffer((await api.blobs.open(key))!.bytes)).equals(bytes)).toBe(true);
  });
});

describe('aborted uploads', () => {
  const files = () => mongoDatabase().collection('blobs.files');
  const chunks = () => mongoDatabase().collection('blobs.chunks');
  const beginUpload = async (at: Date): Promise<ObjectId> => {
    const id = new ObjectId(ObjectId.generate(Math.floor(at.getTime() / 1_000)));
    // Without the first chunk, as an interrupted removal leaves them.
    const pieces = [1, 2, 3].map((n) => ({ files_id: id, n, data: Buffer.alloc(10) }));
    await chunks().insertMany(pieces);
    return id;
  };
  const chunksOf = async (id: ObjectId) => chunks().countDocuments({ files_id: id });

  it('are removed after a day', async ({ api, organization, sweep }) => {
    await chunks().deleteMany({});
    await files().deleteMany({});
    const { blob } = await buildFile(api.blobs, organization._id, { bytes: 'complete' });
    const [old, late] = [
      await beginUpload(new Date(Date.now() - 26 * hourMs)),
      await beginUpload(new Date(Date.now() - 23 * hourMs)),
    ];
    const removed = await sweep();
    expect(removed).toMatchObject({ uploads: 1 });
    expect([await chunksOf(old), await chunksOf(late)]).toEqual([0, 3]);
    expect(await api.blobs.open(`${organization._id}:${blob}`)).toBeDefined();
    expect(await sweep()).toMatchObject({ uploads: 0 });
    // An upload that goes on after all fails, instead of ending as a file without its bytes.
    await expect(files().insertOne({ _id: old, filename: newId(), length: 40 })).rejects.toMatchObject({
      code: 11000,
    });
    await passTime(25 * hourMs);
    await sweep();
    expect(await files().countDocuments({ _id: old })).toBe(0);
  });

  it('are searched only in the period that no sweep has covered yet', async ({ sweep }) => {
    await sweep();
    const forgotten = await beginUpload(new Date(Date.now() - 30 * dayMs));
    expect(await sweep()).toMatchObject({ uploads: 0 });
    expect(await chunksOf(forgotten)).toBe(3);
    await StorageSweep.deleteMany({});
    expect(await sweep()).toMatchObject({ uploads: 1 });
  });
});

describe('a sweep', () => {
  it('removes nothing while a backup runs', async ({ organization, sweep }) => {
    await storeSource(organization._id, newId());
    await sweep();
    await passTime(dayMs + 1_000);
    const [stored] = await storedNames(organization._id);
    const backup = storageTurn();
    expect(await backup.hold()).toBe(true);
    expect(await sweep()).toBeUndefined();
    expect(await storedNames(organization._id)).toContain(stored);
    await backup.release();
    expect(await sweep()).toMatchObject({ documents: 1 });
    expect(await storedNames(organization._id)).not.toContain(stored);
  });

  it('starts when it is due, and continues where the last one ended', async ({
    api,
    logger,
    organization,
    fill,
  }) => {
    await fill();
    const options = { ...api.config.storage, blobs: api.blobs, logger, signal };
    expect(await sweepStorage(options)).toBeDefined();
    expect(await sweepStorage(options)).toBeUndefined();
    await StorageSweep.updateOne(
      {},
      { $unset: { finishedAt: 1 }, $set: { after: organization._id, 'removed.documents': 7 } },
    );
    await storeSource(organization._id, newId());
    expect(await sweepStorage(options)).toMatchObject({ documents: 7 });
    // The sweep was done with this organization.
    const noted = { _id: { $regex: `^${organization._id}:` }, unreachableSince: { $exists: true } };
    expect(
      await mongoDatabase()
        .collection('documents')
        .countDocuments(noted as never),
    ).toBe(0);
  });
});

describe('the history of a space', () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);
  const revisionsAt = async (space: SpaceRecord, ...days: number[]) => {
    await Revision.deleteMany({ space: space._id });
    const ids: string[] = [];
    for (const age of days) {
      const { _id } = await buildRevision(space, { pages: [{ id: 'p', path: 'p', source: `# ${newId()}` }] });
      await Revision.collection.updateOne({ _id: _id as never }, { $set: { createdAt: daysAgo(age) } });
      ids.push(_id);
    }
    return ids;
  };
  const left = async (space: SpaceRecord) =>
    (await Revision.find({ space: space._id }).sort({ createdAt: 1 }).lean()).map(({ _id }) => _id);

  it('is kept completely without a limit', async ({ organization, sweep }) => {
    const space = await buildSpace(organization);
    const ids = await revisionsAt(space, 900, 800, 1);
    await sweep();
    expect(await left(space)).toEqual(ids);
  });

  it('starts with the revision that the space showed at the limit; older content is removed', async ({
    organization,
    api,
    sweep,
  }) => {
    const space = await buildSpace(organization);
    const ids = await revisionsAt(space, 90, 60, 40, 20, 1);
    await sweep({ revisionRetentionDays: 30 });
    expect(await left(space)).toEqual(ids.slice(2));
    await collectAtOnce(organization._id, api.blobs);
    const stored = await storedNames(organization._id);
    expect(stored).toEqual(await neededNames(organization._id));
    expect(stored.filter((name) => name.startsWith('documents/'))).toHaveLength(3);
  });

  it('keeps revisions that a change request, a sync point, a job or the index refers to', async ({
    organization,
  }) => {
    const space = await buildSpace(organization);
    const ids = await revisionsAt(space, 90, 80, 70, 60, 50, 40, 1);
    const [first, second, third, fourth] = ids as [string, string, string, string];
    await buildChangeRequest(space, { revisionInitial: first });
    await GitSyncPoint.create({
      _id: newId(),
      space: space._id,
      commit: 'c',
      revision: second,
      updatedAt: new Date(),
    });
    await buildJob(space, { state: 'succeeded', result: { revision: third } });
    const pages = (await Revision.findById(fourth).lean())?.pages;
    await mongoDatabase()
      .collection('spaceIndexes')
      .insertOne({
        _id: space._id as never,
        space: space._id,
        begun: [pages],
        run: 1,
        pages: 0,
        version: 0,
        format: 1,
      });
    expect(await trimRevisions(space, { before: daysAgo(30), signal })).toBe(1);
    expect(await left(space)).toEqual(ids.filter((id) => id !== ids[4]));
  });
});
