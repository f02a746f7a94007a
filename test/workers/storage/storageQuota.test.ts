import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { mongoDatabase, Space, StorageSweep, type SpaceRecord } from '@bindery/models';
import { createLogger, newId } from '@bindery/runtime';
import { blobKey, createBlobStore } from '@bindery/storage';
import { describe, expect } from 'vitest';
import { purgeSpaces } from '../../../apps/worker-maintenance/src/purgeSpaces.ts';
import { sweepStorage } from '../../../apps/worker-maintenance/src/sweepStorage.ts';
import type { FileRecord } from '../../../packages/storage/src/fileRecord.ts';
import { createQuota, type UsageRecord } from '../../../packages/storage/src/quota.ts';
import {
  buildChangeRequest,
  buildFile,
  buildGrant,
  buildMember,
  buildRevision,
  buildSpace,
  changeSpace,
} from '../../support/factories.ts';
import { itInNewOrganization as base } from '../../support/it.ts';
import { passTime } from '../../support/stores/storedContent.ts';

const KB = 1024;
const MB = 1024 * KB;
const dayMs = 24 * 60 * 60 * 1000;
const { signal } = new AbortController();
const usages = () => mongoDatabase().collection<UsageRecord>('blobs.usage');

const it = base
  .extend('environment', { scope: 'file' }, { BINDERY_STORAGE_QUOTA_MB: '2' })
  .extend('logger', () => createLogger({ log: { level: 'silent' } }, { app: 'test' }))
  .extend('sweep', ({ api, logger }) => async () => {
    await StorageSweep.deleteMany({});
    // As if the last file had been added a while ago.
    await usages().updateMany({}, { $set: { changedAt: new Date(0) } });
    await sweepStorage({ ...api.config.storage, sweepIntervalMs: 0, blobs: api.blobs, logger, signal });
  })
  .extend(
    'ask',
    ({ api, organization, admin }) =>
      async (size: number) =>
        api.call('POST', `/v1/orgs/${organization._id}/storage/upload`, {
          token: admin.token,
          json: { file: { name: 'wiki.zip', type: 'application/zip', size }, kind: 'import_file' },
        }),
  )
  .extend('upload', ({ api, ask }) => async (size: number): Promise<number> => {
    const { status, body } = await ask(size);
    return status === 201 ? (await api.call('PUT', body.url, { body: Buffer.alloc(size) })).status : status;
  })
  .extend('stored', ({ organization }) => async () => {
    const files = await mongoDatabase()
      .collection('blobs.files')
      .find({ filename: { $regex: `^${organization._id}:` } })
      .toArray();
    const chunks = await mongoDatabase().collection('blobs.chunks').countDocuments();
    return { bytes: files.reduce((sum, { length }) => sum + length, 0), chunks };
  });

describe('the quota of an organization', () => {
  it('refuses an upload that does not fit, names the remedy, and stores nothing of it', async ({
    api,
    organization,
    ask,
    upload,
    stored,
  }) => {
    expect(await upload(1536 * KB)).toBe(204);
    const before = await stored();
    const { status, body } = await ask(MB);
    expect(status).toBe(413);
    expect(body.error.message).toBe('Storage quota of 2 MB exceeded: 512 KB left.');
    expect(body.error.action).toMatch(/^Delete files and spaces/);
    // A URL that was given while there was room.
    const urls = [await ask(400 * KB), await ask(400 * KB)].map((answer) => answer.body.url);
    const statuses = await Promise.all(
      urls.map(async (url) => (await api.call('PUT', url, { body: Buffer.alloc(400 * KB) })).status),
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([204, 413]);
    expect((await stored()).bytes).toBe(before.bytes + 400 * KB);
    // Others have their own.
    const other = createBlobStore(mongoDatabase(), { quotaBytes: 2 * MB });
    expect(await other.put(blobKey(newId(), 'x'), Readable.from([Buffer.alloc(MB)]))).toBe(true);
    await expect(
      other.put(blobKey(organization._id, 'x'), Readable.from([Buffer.alloc(MB)])),
    ).rejects.toThrow('quota of 2 MB exceeded');
  });

  it('includes a file that is not yet written when files are counted again', async ({ organization }) => {
    const files = mongoDatabase().collection<FileRecord>('blobs.files');
    const quota = createQuota({ files, usage: usages() }, 2 * MB);
    const taken = quota.take(organization._id);
    await pipeline(
      Readable.from([Buffer.alloc(MB)]),
      taken.through,
      async (bytes) => void (await Array.fromAsync(bytes)),
    );
    await quota.recount(organization._id);
    expect(await usages().findOne({ _id: organization._id })).toMatchObject({ sizeBytes: MB });
    await taken.release();
    expect(await usages().findOne({ _id: organization._id })).toMatchObject({ sizeBytes: 0 });
  });

  it('refuses uploads of a guest who cannot edit any space', async ({ api, organization }) => {
    const guest = await buildMember(organization, null);
    const json = { file: { name: 'wiki.zip', type: 'application/zip', size: 10 }, kind: 'import_file' };
    const ask = async () =>
      (await api.call('POST', `/v1/orgs/${organization._id}/storage/upload`, { token: guest.token, json }))
        .status;
    const space = await buildSpace(organization);
    await buildGrant({ space }, guest, 'read');
    expect(await ask()).toBe(403);
    await buildGrant({ space: await buildSpace(organization) }, guest, 'edit');
    expect(await ask()).toBe(201);
  });

  it('counts each file of content once, however often it is stored', async ({
    api,
    organization,
    admin,
    stored,
  }) => {
    const space = await buildSpace(organization);
    const changeRequest = await buildChangeRequest(space);
    const add = async (...contents: string[]) =>
      api.call('POST', `/v1/spaces/${space._id}/change-requests/${changeRequest._id}/content`, {
        token: admin.token,
        json: {
          changes: [
            {
              operation: 'insert_files',
              files: contents.map((fill, i) => ({
                name: `${i}.bin`,
                contentType: 'application/octet-stream',
                base64: Buffer.alloc(700 * KB, fill).toString('base64'),
              })),
            },
          ],
        },
      });
    expect((await add('a')).status).toBe(200);
    expect((await add('a')).status).toBe(200);
    expect((await add('a')).status).toBe(200);
    const before = await stored();
    // All or nothing.
    expect((await add('b', 'c')).status).toBe(413);
    expect(await stored()).toEqual(before);
    expect((await add('b')).status).toBe(200);
    expect((await add('c')).status).toBe(413);
    expect(await api.blobs.put(blobKey(organization._id, 'empty'), Readable.from([]))).toBe(true);
  });

  it('is freed when deleted files are swept, and stays correct when a process dies', async ({
    api,
    organization,
    logger,
    sweep,
    upload,
  }) => {
    const space = await buildSpace(organization);
    const file = await buildFile(api.blobs, organization._id, {
      bytes: Buffer.alloc(1200 * KB, 7).toString('latin1'),
    });
    await buildRevision(space, { files: [file] });
    expect(await upload(700 * KB)).toBe(204);
    expect(await upload(700 * KB)).toBe(413);
    await sweep();
    expect(await upload(700 * KB)).toBe(413);
    await changeSpace((await Space.findById(space._id).lean()) as SpaceRecord, {
      deletedAt: new Date(Date.now() - 8 * dayMs),
    });
    await purgeSpaces({ logger, signal });
    await sweep();
    await passTime(25 * 60 * 60 * 1000);
    await sweep();
    // The upload that no import has named is gone too.
    expect(await upload(1900 * KB)).toBe(204);
    expect(await upload(200 * KB)).toBe(413);

    // The sweep corrects wrong counts: of bytes that were never written, or written by an earlier version.
    const usage = mongoDatabase().collection<{ _id: string; sizeBytes: number }>('blobs.usage');
    for (const wrong of [{ $set: { sizeBytes: 5 * MB } }, { $set: { sizeBytes: 0 } }]) {
      await usage.updateOne({ _id: organization._id }, wrong);
      await sweep();
      expect((await usage.findOne({ _id: organization._id }))?.sizeBytes).toBe(1900 * KB);
    }
    await usage.deleteOne({ _id: organization._id });
    expect(await upload(200 * KB)).toBe(413);
  });

  it('is freed when an upload breaks off', async ({ api, organization, upload }) => {
    const breaking = Readable.from(
      (async function* () {
        yield Buffer.alloc(MB);
        throw new Error('the client has left');
      })(),
    );
    await expect(api.blobs.put(blobKey(organization._id, 'broken'), breaking)).rejects.toThrow(
      'the client has left',
    );
    const same = await Promise.all(
      [1, 2, 3].map(() =>
        api.blobs.put(blobKey(organization._id, 'same'), Readable.from([Buffer.alloc(MB)])),
      ),
    );
    expect(same.filter(Boolean)).toHaveLength(1);
    expect(await upload(900 * KB)).toBe(204);
  });
});
