import { hostname } from 'node:os';
import { WorkerEntry, type WorkerRecord } from '@bindery/models';
import type { Logger } from '@bindery/runtime';
import type { JobDefinition } from '../definitions/defineJob.ts';
import { after, now } from '../queue/pipeline.ts';
import { forgetSlots } from '../queue/slots.ts';

/** A worker is taken for dead when it has not been seen for this long. */
const workerAgeMs = 15_000;

type Registered = {
  id: string;
  app: string;
  queues: string[];
  kinds: Pick<JobDefinition, 'kind' | 'version'>[];
  concurrency: number;
  leaseMs: number;
  /** The runs that it holds now (`runKey`). */
  runs(): string[];
};

type Registration = {
  /** Whether the last entry that was written still counts. By this process's clock, which only decides what its own probes are told. */
  isCurrent(): boolean;
  /** No longer among the live ones that serve a queue. The runs that it still holds stay its own. */
  leave(): Promise<void>;
  /** Takes the worker out again. */
  end(): Promise<void>;
};

/**
 * Keeps a worker in the register of live ones, by which others know that a queue is served, and that a run whose lease is over still is in good hands
 * (lostRuns.ts).
 */
export async function registerWorker(
  { id, app, queues, kinds, concurrency, leaseMs, runs }: Registered,
  logger: Logger,
): Promise<Registration> {
  let writtenMs = -Infinity;
  let hasLeft = false;
  const refresh = async () => {
    const askedMs = performance.now();
    const held = runs();
    const entry = {
      app,
      queues,
      kinds: kinds.map(({ kind, version }) => ({ kind, version })),
      host: hostname(),
      pid: process.pid,
      concurrency,
      running: held.length,
      runs: held,
    } satisfies Partial<WorkerRecord>;
    const times = {
      startedAt: { $ifNull: ['$startedAt', now] },
      seenAt: now,
      toldAt: now,
      expireAt: hasLeft ? now : after(workerAgeMs),
    };
    await WorkerEntry.updateOne({ _id: id }, [{ $replaceWith: { $mergeObjects: ['$$ROOT', { $literal: entry }, times] } }], {
      upsert: true,
      updatePipeline: true,
    });
    writtenMs = askedMs;
  };
  await refresh();
  forgetSlots();
  let refreshing: Promise<void> | undefined;
  const refreshOnce = () =>
    (refreshing ??= refresh()
      .catch((error: unknown) => logger.debug({ err: error }, 'worker registry'))
      .finally(() => (refreshing = undefined)));
  const timer = setInterval(() => void refreshOnce(), Math.min(workerAgeMs, leaseMs) / 3);
  return {
    isCurrent: () => !hasLeft && performance.now() - writtenMs < workerAgeMs,
    async leave() {
      hasLeft = true;
      // One that is under way says the opposite.
      await refreshing;
      await refreshOnce();
    },
    async end() {
      clearInterval(timer);
      hasLeft = true;
      // A refresh that comes after it would put it in again.
      await refreshing;
      await WorkerEntry.deleteOne({ _id: id }).catch(() => {});
      forgetSlots();
    },
  };
}
