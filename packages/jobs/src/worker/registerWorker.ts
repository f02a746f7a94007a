import { hostname } from 'node:os';
import type { EngineOffer } from '@bindery/contract';
import { WorkerEntry, type WorkerRecord } from '@bindery/models';
import { compact, platformVersion, type Logger } from '@bindery/runtime';
import type { JobDefinition } from '../definitions/defineJob.ts';
import { after, now } from '../queue/pipeline.ts';
import { forgetSlots } from '../queue/slots.ts';

/** A worker counts as dead when its entry is older than this. */
const workerAgeMs = 15_000;

type Registered = {
  id: string;
  app: string;
  queues: string[];
  kinds: Pick<JobDefinition, 'kind' | 'version'>[];
  concurrency: number;
  leaseMs: number;
  /** Differs when the same input gives another result; `outputVersionsOf` tells it to other processes. */
  outputVersion?: string | undefined;
  /** The engines of a worker that translates; told to others by `engineOffers`. */
  engines?: readonly EngineOffer[] | undefined;
  /** The runs that the worker holds now (`runKey`). */
  runs(): string[];
};

type Registration = {
  /**
   * Whether the last written entry is still valid by this process's clock, which only answers its own probes.
   */
  isCurrent(): boolean;
  /** Stops counting as a live worker of its queues. Its runs stay registered. */
  leave(): Promise<void>;
  /** Removes the worker's entry. */
  end(): Promise<void>;
};

/**
 * Keeps a worker registered as live. The entry tells other processes that its queues are served, and that its
 * runs are not lost even if their lease is over (lostRuns.ts).
 */
export async function registerWorker(
  { id, app, queues, kinds, concurrency, leaseMs, outputVersion, engines, runs }: Registered,
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
      version: platformVersion,
      clockAt: new Date(),
      ...compact({ outputVersion, engines: engines && [...engines] }),
    } satisfies Partial<WorkerRecord>;
    const times = {
      startedAt: { $ifNull: ['$startedAt', now] },
      seenAt: now,
      toldAt: now,
      expireAt: hasLeft ? now : after(workerAgeMs),
    };
    await WorkerEntry.updateOne(
      { _id: id },
      [{ $replaceWith: { $mergeObjects: ['$$ROOT', { $literal: entry }, times] } }],
      {
        upsert: true,
        updatePipeline: true,
      },
    );
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
      // A refresh under way would still list the queues.
      await refreshing;
      await refreshOnce();
    },
    async end() {
      clearInterval(timer);
      hasLeft = true;
      // A later refresh would add the entry again.
      await refreshing;
      await WorkerEntry.deleteOne({ _id: id }).catch(() => {});
      forgetSlots();
    },
  };
}
