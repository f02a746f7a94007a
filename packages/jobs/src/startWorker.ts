import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { WorkerEntry } from '@bindery/models';
import { connectRedis, type Config, type Logger } from '@bindery/runtime';
import { Worker } from 'bullmq';
import { withTimeout } from './client.ts';
import type { JobDefinition } from './defineJob.ts';
import { openJobFeed } from './events.ts';
import type { Processor } from './processor.ts';
import { runJob, type ActiveRun, type AnyProcessor } from './runJob.ts';
import { claimJob, setAside } from './transitions.ts';

/** A worker is taken for dead when it has not been seen for this long. */
const workerAgeMs = 15_000;
const versionDelayMs = 5_000;

export type RunningWorker = {
  id: string;
  /** Takes no further job, lets running ones finish for `graceMs`, hands the others back, and closes. */
  stop(graceMs: number): Promise<void>;
};

/** Exactly one processor for each job type. */
type Processors<Definitions> = { [Name in keyof Definitions]: Processor<Definitions[Name]> };

/**
 * Starts a worker for a group of job types: one BullMQ worker for each of their queues, which carries ids; MongoDB decides what runs.
 */
export async function startWorker<Definitions extends Record<string, Pick<JobDefinition, 'kind' | 'queue' | 'version'>>>(
  definitions: Definitions,
  processors: Processors<Definitions>,
  { app, concurrency, config, logger }: { app: string; concurrency: number; config: Config; logger: Logger },
): Promise<RunningWorker> {
  const id = `${app}-${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
  const types = new Map(
    Object.entries(definitions as unknown as Record<string, JobDefinition>).map(([name, definition]) => [
      definition.kind,
      { definition, processor: (processors as unknown as Record<string, AnyProcessor>)[name] as AnyProcessor },
    ]),
  );
  const active = new Map<string, ActiveRun>();
  const feed = openJobFeed(config);
  feed.onCancel((jobId) => active.get(jobId)?.abort('cancel'));

  const handle = (queue: string) => async (message: { data: { id: string; dispatch: number } }) => {
    const { id: jobId, dispatch } = message.data;
    const known = [...types.values()].filter(({ definition }) => definition.queue === queue).map(({ definition }) => definition);
    const claim = await claimJob(jobId, dispatch, {
      worker: id,
      known,
      deadlineMs: (kind) => types.get(kind)?.definition.deadlineMs ?? 0,
      leaseMs: config.jobs.leaseMs,
    });
    if ('refused' in claim) {
      if (claim.refused === 'lane') await setAside(jobId, dispatch, { reason: 'lane', message: 'Another job works on the same thing; this one follows it.' });
      if (claim.refused === 'version') {
        await setAside(jobId, dispatch, {
          reason: 'version',
          message: 'The job needs a newer worker than the one that looked at it.',
          until: new Date(Date.now() + versionDelayMs),
        });
      }
      return;
    }
    const type = types.get(claim.job.kind);
    if (!type) return;
    const run = runJob(claim.job, { ...type, leaseMs: config.jobs.leaseMs, logger });
    active.set(jobId, run);
    await run.done.finally(() => active.delete(jobId));
  };

  const queues = [...new Set([...types.values()].map(({ definition }) => definition.queue))];
  const connection = connectRedis(config, 'worker');
  const workers = queues.map((queue) => {
    const process = handle(queue);
    const worker = new Worker(
      queue,
      // Three plain parameters: BullMQ hands over its signal only then, and its lock may be lost while ours is held.
      async (message, _token, _signal) => process(message),
      {
        connection,
        prefix: config.redis.prefix,
        concurrency,
        lockDuration: config.jobs.leaseMs,
        stalledInterval: Math.ceil(config.jobs.leaseMs / 2),
        maxStalledCount: 2,
        removeOnComplete: { age: 3_600, count: 1_000 },
        removeOnFail: { age: 86_400, count: 5_000 },
      },
    );
    worker.on('error', (error) => logger.debug({ err: error, queue }, 'queue connection'));
    worker.on('failed', (_message, error) => logger.warn({ err: error, queue }, 'a job could not be claimed; the sweeper will bring it again'));
    return worker;
  });
  const unregister = await register({ id, app, queues, kinds: [...types.values()].map(({ definition }) => definition), concurrency, active, logger });

  return {
    id,
    async stop(graceMs) {
      await Promise.allSettled(workers.map((worker) => withTimeout(worker.pause(true), 1_000)));
      const ended = () => Promise.allSettled([...active.values()].map((run) => run.done));
      await Promise.race([ended(), new Promise((resolve) => setTimeout(resolve, graceMs).unref())]);
      for (const run of active.values()) run.abort('shutdown');
      await ended();
      // A Redis that is away would hold up the end: its locks run out by themselves.
      await Promise.allSettled(workers.map((worker) => withTimeout(worker.close(), 2_000)));
      await unregister();
      feed.close();
      connection.disconnect();
    },
  };
}

/** Keeps this worker in the registry, from which the API tells why a job waits. */
async function register({ id, app, queues, kinds, concurrency, active, logger }: { id: string; app: string; queues: string[]; kinds: JobDefinition[]; concurrency: number; active: Map<string, ActiveRun>; logger: Logger }): Promise<() => Promise<void>> {
  const startedAt = new Date();
  const refresh = async () => {
    const seenAt = new Date();
    await WorkerEntry.updateOne(
      { _id: id },
      {
        $set: { app, queues, kinds: kinds.map(({ kind, version }) => ({ kind, version })), host: hostname(), pid: process.pid, concurrency, running: active.size, startedAt, seenAt, expireAt: new Date(seenAt.getTime() + workerAgeMs) },
      },
      { upsert: true },
    );
  };
  await refresh();
  const timer = setInterval(() => void refresh().catch((error: unknown) => logger.debug({ err: error }, 'worker registry')), workerAgeMs / 3);
  return async () => {
    clearInterval(timer);
    await WorkerEntry.deleteOne({ _id: id }).catch(() => {});
  };
}
