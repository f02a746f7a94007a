import { Worker } from 'node:worker_threads';
import { ApiError } from '@bindery/contract';
import type { OpenAPISpecVersionRecord } from '@bindery/models';
import type { BlobStore } from '@bindery/storage';
import { openText } from '../../records/storeText.ts';

export const diffFormats = ['json', 'markdown', 'html'] as const;
export type DiffFormat = (typeof diffFormats)[number];

export type DiffTask = { before: Uint8Array; after: Uint8Array; title: string; format: DiffFormat };

/** Two versions of a usual specification take less than a second. */
const limitMs = 20_000;
/** Heap of the thread, in megabytes. */
const memoryMb = 512;

/** The comparison that runs now: one at a time, because each may need all of the memory above. */
let running: Promise<unknown> = Promise.resolve();
/** Comparisons that run or wait. One caller with slow documents must not make all others wait for minutes. */
let pending = 0;
const mostPending = 4;

/**
 * Compares two versions of a specification on a thread.
 *
 * @returns the report in the given format
 * @throws unavailable when the documents are too large to be compared here, or too many wait already
 */
export async function compareVersions(
  blobs: BlobStore,
  {
    before,
    after,
    ...task
  }: { before: OpenAPISpecVersionRecord; after: OpenAPISpecVersionRecord } & Pick<
    DiffTask,
    'title' | 'format'
  >,
): Promise<string> {
  if (pending >= mostPending)
    throw new ApiError('unavailable', 'Too many specifications are being compared.', {
      action: 'Try again in a few seconds.',
      headers: { 'Retry-After': '5' },
    });
  pending += 1;
  const mine = running.then(async () =>
    runThread({ ...task, before: await bytesOf(blobs, before), after: await bytesOf(blobs, after) }),
  );
  running = mine.catch(() => {});
  try {
    return await mine;
  } finally {
    pending -= 1;
  }
}

async function bytesOf(
  blobs: BlobStore,
  { organization, filesystem }: OpenAPISpecVersionRecord,
): Promise<Uint8Array> {
  return Buffer.concat(await (await openText(blobs, { organization, hash: filesystem.blob })).toArray());
}

async function runThread(workerData: DiffTask): Promise<string> {
  // The thread must not inherit the Node options of this process.
  const worker = new Worker(new URL('./diffThread.ts', import.meta.url), {
    execArgv: [],
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const timer = setTimeout(() => void worker.terminate(), limitMs);
  try {
    return await new Promise<string>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('The thread ended.')));
    });
  } catch (error) {
    throw new ApiError('unavailable', 'The versions could not be compared within the limits of the server.', {
      action: 'Compare them with `bindery openapi diff`.',
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
