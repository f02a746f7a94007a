import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { mongoDatabase } from '@bindery/models';
import { loadConfig, newId } from '@bindery/runtime';
import { blobKey, createBlobStore, type BlobStore, type BlobStoreSettings } from '@bindery/storage';
import type { FileRecord } from '../../../packages/storage/src/fileRecord.ts';
import { it as base } from '../it.ts';
import { startS3Server, type S3Server } from './s3Server.ts';
import { provideVersitygw } from '../go/versitygw.ts';

const { program, missing } = await provideVersitygw();

/** Why there is no S3 server here, if there is none. */
export const missingS3 = missing;

/** Starts an S3 server. Only where there is one. */
export const startTestS3 = async (): Promise<S3Server> => startS3Server(program);

export const fileRecords = () => mongoDatabase().collection<FileRecord>('blobs.files');

/** The settings of a process with these variables. */
export const settingsFor = (environment: Record<string, string> = {}) =>
  loadConfig({ ...process.env, ...environment }).storage;

/**
 * The `it` of tests of blob stores: `server` is an S3 server of the file, `s3` a store in it, and `owner` an
 * organization that stores nothing else.
 */
export const itWithS3 = base
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads there which fixtures are wanted: none.
  .extend('server', { scope: 'file' }, async ({}, { onCleanup }): Promise<S3Server> => {
    const server = await startTestS3();
    onCleanup(server.close);
    return server;
  })
  // Files of the process's earlier tests would be counted, and those in S3 were in another server.
  .extend('emptied', { scope: 'file' }, async ({ api: _started }) => {
    for (const name of ['files', 'chunks']) await mongoDatabase().collection(`blobs.${name}`).deleteMany({});
    return true;
  })
  .extend('s3', { scope: 'file' }, ({ emptied: _emptied, server }) =>
    createBlobStore(mongoDatabase(), settingsFor(server.environment)),
  )
  .extend('owner', () => newId());

/** One kind of store, as the common tests use it. */
export type TestedStore = {
  blobs: BlobStore;
  withQuota(quotaBytes: number): BlobStore;
  /** The number of uploads whose bytes are stored without a file. */
  stray(): Promise<number>;
};

const inGridFs = itWithS3.extend('store', ({ emptied: _emptied }): TestedStore => ({
  ...storesFor({}),
  async stray() {
    const chunks = await mongoDatabase().collection('blobs.chunks').distinct('files_id');
    return chunks.length - (await fileRecords().countDocuments({ _id: { $in: chunks } }));
  },
}));

const inS3 = itWithS3.extend('store', ({ emptied: _emptied, server }): TestedStore => ({
  ...storesFor(settingsFor(server.environment)),
  async stray() {
    const objects = await server.objects();
    const withFile = await fileRecords().countDocuments({ object: { $in: objects } });
    return objects.length - withFile + (await server.unfinished());
  },
}));

const storesFor = (settings: BlobStoreSettings) => ({
  blobs: createBlobStore(mongoDatabase(), { ...settings, quotaBytes: 0 }),
  withQuota: (quotaBytes: number) => createBlobStore(mongoDatabase(), { ...settings, quotaBytes }),
});

/** All kinds of stores, each with the `it` of its tests, and why it cannot be tested here. */
export const storeKinds = [
  { name: 'GridFS', it: inGridFs, missing: undefined },
  { name: 'S3', it: inS3, missing: missingS3 },
];

/** A stream of these bytes in uneven chunks. */
export function streamOf(bytes: Buffer, chunkBytes = 70_001): Readable {
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
    })(),
  );
}

export function keyOf(owner: string, bytes: Buffer): string {
  return blobKey(owner, createHash('sha256').update(bytes).digest('hex'));
}

/** All bytes under a key, or a range of them. */
export async function readBlob(
  blobs: BlobStore,
  key: string,
  range?: { start: number; end: number },
): Promise<Buffer | undefined> {
  const opened = await blobs.open(key, range);
  return opened && buffer(opened.bytes);
}

/** The `it` of tests whose API stores files in S3. */
export const itOnS3 = itWithS3.extend('environment', { scope: 'file' }, ({ server }) => server.environment);
