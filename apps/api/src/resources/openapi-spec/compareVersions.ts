import { ApiError, type OpenAPISettings } from '@bindery/contract';
import type { OpenAPISpecVersionRecord } from '@bindery/models';
import { createTurns } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import { answerOfThread } from '../../http/answerOfThread.ts';
import { openText } from '../../records/storeText.ts';

export const diffFormats = ['json', 'markdown', 'html'] as const;
export type DiffFormat = (typeof diffFormats)[number];

export type DiffTask = {
  before: Uint8Array;
  after: Uint8Array;
  title: string;
  format: DiffFormat;
  /** By rule; rules that are not named keep theirs. */
  severities: OpenAPISettings['changeSeverities'];
};

/** Two versions of a usual specification take less than a second. */
const limitMs = 20_000;
/** Heap of the thread, in megabytes. */
const memoryMb = 512;

/** One at a time, because each may need all of the memory above. */
const takeTurn = createTurns(1);
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
    'title' | 'format' | 'severities'
  >,
): Promise<string> {
  if (pending >= mostPending)
    throw new ApiError('unavailable', 'Too many specifications are being compared.', {
      action: 'Try again in a few seconds.',
      headers: { 'Retry-After': '5' },
    });
  pending += 1;
  const turn = await takeTurn();
  try {
    return await runThread({
      ...task,
      before: await bytesOf(blobs, before),
      after: await bytesOf(blobs, after),
    });
  } finally {
    pending -= 1;
    turn.end();
  }
}

async function bytesOf(
  blobs: BlobStore,
  { organization, filesystem }: OpenAPISpecVersionRecord,
): Promise<Uint8Array> {
  return Buffer.concat(await (await openText(blobs, { organization, hash: filesystem.blob })).toArray());
}

async function runThread(workerData: DiffTask): Promise<string> {
  const script = new URL('./diffThread.ts', import.meta.url);
  return answerOfThread<string>(script, { workerData, memoryMb, limitMs }).catch((error: unknown) => {
    throw new ApiError('unavailable', 'The versions could not be compared within the limits of the server.', {
      action: 'Compare them with `bindery openapi diff`.',
      cause: error,
    });
  });
}
