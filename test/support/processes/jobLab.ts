import {
  awaitRedis,
  closeJobs,
  connectJobs,
  acceptJob,
  defineJob,
  startSweeper,
  startWorker,
  type JobDefinition,
  type JobRequest,
  type Outcome,
  type Run,
  type RunningWorker,
} from '@bindery/jobs';
import {
  disconnectMongo,
  jobCollection,
  jobLogCollection,
  Lease,
  WorkerEntry,
  type JobRecord,
} from '@bindery/models';
import {
  connectRedis,
  createLogger,
  loadConfig,
  newId,
  type Config,
  type Logger,
  type Redis,
} from '@bindery/runtime';
import { z } from 'zod';
import { connectStores } from '../apiServer.ts';
import { findLoggedJob, type LoggedJob } from './loggedJob.ts';
import { slowness } from '../machine.ts';
import { until } from '../until.ts';

const shared = {
  queue: 'maintenance',
  version: 1,
  result: z.object({ name: z.string() }),
  retry: { attempts: 3, baseMs: 20, capMs: 60_000 },
  maxWaitMs: 3_600_000,
  deadlineMs: 60_000,
} as const;

/** Job types whose work a test defines. */
export const testJobs = {
  work: defineJob({ ...shared, kind: 'test-work', input: z.object({ name: z.string() }) }),
  workInLane: defineJob({
    ...shared,
    kind: 'test-lane',
    input: z.object({ name: z.string(), lane: z.string() }),
    lane: ({ lane }) => `test:${lane}`,
  }),
};

/** A worker's processing of a test's jobs; the default result is the job's name. */
export type Work = (name: string, run: Run) => Promise<Outcome<{ name: string }> | void>;

/** The job layer in this process, on the stores of this test worker, with short leases. */
export type JobLab = {
  config: Config;
  logger: Logger;
  redis: Redis;
  /** Accepts a job, optionally in a lane. */
  accept(
    name: string,
    options?: { lane?: string; organization?: string } & Pick<Partial<JobRequest<never>>, 'also'>,
  ): Promise<JobRecord>;
  startWorker(
    work: Work,
    options?: { concurrency?: number; definitions?: Partial<typeof testJobs>; outputVersion?: string },
  ): Promise<RunningWorker>;
  /** Also stops a worker that the test has started itself. */
  stopAtReset(worker: RunningWorker): void;
  startSweeper(): () => Promise<void>;
  find(id: string): Promise<LoggedJob>;
  /** Waits until a job is in a state, or a function accepts it. */
  waitFor(
    id: string,
    state: JobRecord['state'] | ((job: LoggedJob) => unknown),
    timeoutMs?: number,
  ): Promise<LoggedJob>;
  /** Stops everything that the test has started and deletes all jobs. */
  reset(): Promise<void>;
  close(): Promise<void>;
};

export const organization = 'organization-of-the-test';

export async function startJobLab(environment: Record<string, string> = {}): Promise<JobLab> {
  const config = loadConfig({
    ...process.env,
    BINDERY_JOB_LEASE_MS: String(Math.round(600 * slowness())),
    BINDERY_SWEEP_INTERVAL_MS: '150',
    // A job that Redis does not take in time waits in MongoDB for the sweeper, which most tests do not start.
    BINDERY_DISPATCH_TIMEOUT_MS: String(Math.round(400 * slowness())),
    ...environment,
  });
  const logger = createLogger({ log: { level: process.env.BINDERY_TEST_LOG ?? 'silent' } }, { app: 'test' });
  await connectStores(config);
  connectJobs(config);
  await awaitRedis();
  const redis = connectRedis(config, 'worker');
  const workers: RunningWorker[] = [];
  const sweepers: (() => Promise<void>)[] = [];

  const lab: JobLab = {
    config,
    logger,
    redis,
    accept: (name, { lane, organization: owner = organization, also } = {}) => {
      const request = {
        organization: owner,
        subject: { type: 'space', id: 'a-space' },
        startedBy: 'somebody',
        permission: 'space.edit',
        ...(also && { also }),
      } as const;
      return lane === undefined
        ? acceptJob(testJobs.work, { ...request, input: { name } })
        : acceptJob(testJobs.workInLane, { ...request, input: { name, lane } });
    },
    startWorker: async (work, { concurrency = 4, definitions = testJobs, outputVersion } = {}) => {
      const process = async (input: { name: string }, run: Run) =>
        (await work(input.name, run)) ?? { result: { name: input.name } };
      const processors = Object.fromEntries(Object.keys(definitions).map((key) => [key, process]));
      const worker = await startWorker(definitions as Record<string, JobDefinition>, processors as never, {
        app: 'test',
        concurrency,
        outputVersion,
        config,
        logger,
      });
      workers.push(worker);
      return worker;
    },
    stopAtReset: (worker) => void workers.push(worker),
    startSweeper: () => {
      const stop = startSweeper({ config, logger });
      sweepers.push(stop);
      return stop;
    },
    find: findLoggedJob,
    waitFor: (id, state, timeoutMs) => {
      const isThere = typeof state === 'function' ? state : (job: LoggedJob) => job.state === state;
      let last: LoggedJob | undefined;
      return until(
        `job ${typeof state === 'function' ? 'as it was looked for' : `in the state ${state}`}`,
        async () => {
          last = await lab.find(id);
          return isThere(last) ? last : undefined;
        },
        { ...(timeoutMs !== undefined && { timeoutMs }) },
      ).catch((error: unknown) => {
        throw new Error(
          `${String(error)} It is ${last?.state}: ${JSON.stringify({ ...last, log: last?.log.length })}`,
          { cause: error },
        );
      });
    },
    reset: async () => {
      await Promise.all(sweepers.splice(0).map((stop) => stop()));
      await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
      await jobCollection().deleteMany({});
      await jobLogCollection().deleteMany({});
      await WorkerEntry.deleteMany({});
      await Lease.deleteMany({});
      await redis.flushdb();
    },
    close: async () => {
      await lab.reset();
      redis.disconnect();
      await closeJobs();
      await disconnectMongo();
    },
  };
  await lab.reset();
  return lab;
}

/** Waits until a run is aborted, like a processor that passes on its signal. */
export function untilAborted({ signal }: Pick<Run, 'signal'>): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** Returns a new organization, for tests that depend on the job's organization. */
export function anOrganization(): string {
  return `organization-${newId()}`;
}
