import { Worker } from 'node:worker_threads';
import { JobError } from '@bindery/contract/jobErrors';
import type { RevisionRecord } from '@bindery/models';
import { toJobError, type Failure } from '@bindery/runtime';
import { createThreadRest, type ThreadRest } from '@bindery/runtime/threads';
import type { NewAddition } from '../import/prepareAddition.ts';

const resourceLimits = { maxOldGenerationSizeMb: 512, stackSizeMb: 4 };

/** Megabytes of memory that the thread may use. */
export const treeBuildingMemoryMb = resourceLimits.maxOldGenerationSizeMb;

/** An addition with packed pages (packedContent.ts). */
export type PackedAddition = Omit<NewAddition, 'pages'> & { pages: Uint8Array };

/** A message to the thread; the reply has the same `id`. */
export type TreeRequest = { id: number; base: RevisionRecord; added: PackedAddition };
export type TreeAnswer = { id: number } & ({ revision: RevisionRecord } | { failure: Failure });

/**
 * Builds trees of pages on a thread with its own connection to MongoDB. Hashing and writing thousands of
 * pages would block the main thread for too long, for example for renewing leases. The thread ends after
 * minutes without work; the next call starts it again.
 */
export type TreeBuilder = {
  /**
   * Starts the thread if none runs. Called in advance, because starting it takes as long as building a small
   * tree.
   */
  start(): void;
  /** As `prepareAddition`. @throws JobError, with the code `memory` when the thread ran out of memory */
  prepareAddition(base: RevisionRecord, added: PackedAddition): Promise<RevisionRecord>;
  /** Ends the thread; running calls fail. */
  close(): Promise<void>;
};

type Waiting = { resolve(revision: RevisionRecord): void; reject(error: Error): void };

export function createTreeBuilder({ mongo }: { mongo: { uri: string } }): TreeBuilder {
  let thread: { worker: Worker; rest: ThreadRest } | undefined;
  let isClosed = false;
  let requests = 0;
  const waiting = new Map<number, Waiting>();

  const take = (answer: TreeAnswer) => {
    const one = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) thread?.rest.begin();
    if ('revision' in answer) one?.resolve(answer.revision);
    else one?.reject(toJobError(answer.failure, outOfMemory));
  };
  const failAll = (error: Error) => {
    thread = undefined;
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
  };
  const start = (): { worker: Worker; rest: ThreadRest } => {
    if (isClosed) throw new JobError('internal', 'The thread that builds page trees has ended.');
    if (thread) return thread;
    // The thread must not inherit the Node options of this process.
    const worker = new Worker(new URL('./treeBuilderThread.ts', import.meta.url), {
      execArgv: [],
      resourceLimits,
      workerData: { mongo },
    });
    let reason: Error | undefined;
    worker.on('message', take);
    // The thread exits after an error, and `exit` rejects the waiting calls.
    worker.on('error', (error: NodeJS.ErrnoException) => {
      reason = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfMemory() : error;
    });
    worker.on('exit', () => {
      if (thread?.worker === worker)
        failAll(reason ?? new Error('The thread that builds page trees has ended.'));
    });
    const onRested = () => {
      if (thread?.worker === worker) thread = undefined;
    };
    thread = { worker, rest: createThreadRest(worker, { onRested }) };
    thread.rest.begin();
    return thread;
  };
  return {
    start: () => void start(),
    prepareAddition: (base, added) =>
      new Promise((resolve, reject) => {
        const { worker, rest } = start();
        rest.end();
        const id = (requests += 1);
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, base, added } satisfies TreeRequest);
      }),
    close: async () => {
      isClosed = true;
      await thread?.worker.terminate();
    },
  };
}

function outOfMemory(): JobError {
  return new JobError('memory', 'Building the page tree exceeded its memory limit.', {
    action: 'Import the content in parts.',
  });
}
