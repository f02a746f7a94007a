import { hostname } from 'node:os';
import { WorkerEntry } from '@bindery/models';
import type { Logger } from '@bindery/runtime';
import type { JobDefinition } from './defineJob.ts';

/** A worker is taken for dead when it has not been seen for this long. */
const workerAgeMs = 15_000;

type Registered = {
  id: string;
  app: string;
  queues: string[];
  kinds: Pick<JobDefinition, 'kind' | 'version'>[];
  concurrency: number;
  countRunning(): number;
};

type Registration = {
  /** Whether the last entry that was written still counts. By this process's clock, which only decides what its own probes are told. */
  isCurrent(): boolean;
  /** Takes the worker out again. */
  end(): Promise<void>;
};

/** Keeps a worker in the register of live ones, by which others know that a queue is served. */
export async function registerWorker(
  { id, app, queues, kinds, concurrency, countRunning }: Registered,
  logger: Logger,
): Promise<Registration> {
  const startedAt = new Date();
  let writtenMs = -Infinity;
  const refresh = async () => {
    const askedMs = performance.now();
    const seenAt = new Date();
    await WorkerEntry.updateOne(
      { _id: id },
      {
        $set: {
          app,
          queues,
          kinds: kinds.map(({ kind, version }) => ({ kind, version })),
          host: hostname(),
          pid: process.pid,
          concurrency,
          running: countRunning(),
          startedAt,
          seenAt,
          expireAt: new Date(seenAt.getTime() + workerAgeMs),
        },
      },
      { upsert: true },
    );
    writtenMs = askedMs;
  };
  await refresh();
  let refreshing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    refreshing = refresh().catch((error: unknown) => logger.debug({ err: error }, 'worker registry'));
  }, workerAgeMs / 3);
  return {
    isCurrent: () => performance.now() - writtenMs < workerAgeMs,
    async end() {
      clearInterval(timer);
      // A refresh that comes after it would put it in again.
      await refreshing;
      writtenMs = -Infinity;
      await WorkerEntry.deleteOne({ _id: id }).catch(() => {});
    },
  };
}
