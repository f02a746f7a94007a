import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { EngineOffer } from '@bindery/contract';
import { connectRedis, type Config, type Logger } from '@bindery/runtime';
import { DelayedError, Worker, type Job } from 'bullmq';
import { claimJobs, type Claim, type ClaimRequest } from '../state/claims.ts';
import { withTimeout } from '../queue/client.ts';
import type { JobDefinition, QueueName } from '../definitions/defineJob.ts';
import type { Message } from '../queue/dispatch.ts';
import { openJobFeed } from '../queue/events.ts';
import { runKey } from '../state/lostRuns.ts';
import type { Processor } from './processor.ts';
import { refill } from '../queue/refill.ts';
import { registerWorker } from './registerWorker.ts';
import { findJobAtWork, runJob, type ActiveRun, type AnyProcessor } from './runJob.ts';
import { limitsOf, waitingForLimit } from '../queue/kindLimits.ts';
import { isKindPaused, waitingForResume } from '../state/pauses.ts';
import { putAside } from '../state/putAside.ts';
import { claimSeated, createSeats, hasFreeSeats } from '../state/seats.ts';
import { poolsOf } from '../queue/slots.ts';
import { createExclusiveRuns, settledWithin } from './exclusiveRuns.ts';
import { together } from '../state/together.ts';
import { handBack, setAsideForLane, setAsideForVersion } from '../state/waitingJobs.ts';

export type RunningWorker = {
  id: string;
  /**
   * Whether other processes see this worker as live: its last entry in the register of workers has not
   * expired.
   */
  isRegistered(): boolean;
  /**
   * Hands back all runs because an unhandled error ends the process. Called by the handler of that error: a
   * crash is counted for the job that caused it or, if that is unknown, for every job.
   */
  fail(): Promise<void>;
  /** Takes no further jobs, lets running ones finish for `graceMs`, hands the others back, and closes. */
  stop(graceMs: number): Promise<void>;
};

/** A queue from which a worker takes jobs. */
type Served = { queue: QueueName; claimTogether: (request: ClaimRequest) => Promise<Claim> };

/** Exactly one processor for each job type. */
export type Processors<Definitions> = { [Name in keyof Definitions]: Processor<Definitions[Name]> };

/**
 * Starts a worker for a group of job types: one BullMQ worker, which delivers ids, for each of their queues;
 * MongoDB decides which jobs run.
 *
 * @param outputVersion  what its results depend on besides their input, for `outputVersionsOf`
 * @param engines  of a worker that translates, for `engineOffers`
 */
export async function startWorker<
  Definitions extends Record<string, Pick<JobDefinition, 'kind' | 'queue' | 'version'>>,
>(
  definitions: Definitions,
  processors: Processors<Definitions>,
  {
    app,
    concurrency,
    outputVersion,
    engines,
    config,
    logger,
  }: {
    app: string;
    concurrency: number;
    outputVersion?: string | undefined;
    engines?: readonly EngineOffer[] | undefined;
    config: Config;
    logger: Logger;
  },
): Promise<RunningWorker> {
  const id = `${app}-${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
  const types = new Map(
    Object.entries(definitions as unknown as Record<string, JobDefinition>).map(([name, definition]) => [
      definition.kind,
      {
        definition,
        processor: (processors as unknown as Record<string, AnyProcessor>)[name] as AnyProcessor,
      },
    ]),
  );
  const kinds = [...types.values()].map(({ definition }) => definition);
  const { leaseMs } = config.jobs;
  // A job that was lost and claimed again by the same process runs twice in it until the first run notices.
  const runs = new Set<ActiveRun>();
  const handling = new Set<Promise<void>>();
  /** `hasSeat` once only MongoDB can still refuse the claim. */
  const claims = new Set<{ jobId: string; kind: string; hasSeat: boolean; isCancelled: boolean }>();
  const seats = createSeats();
  const exclusiveRuns = createExclusiveRuns();
  /** Kinds of which this worker has logged that it leaves jobs to newer workers. */
  const leftToNewer = new Set<string>();
  let isStopping = false;

  const feed = openJobFeed(config);
  feed.onCancel((jobId) => {
    for (const run of runs) if (run.job._id === jobId) run.abort('cancel');
    // A claim may have been written before the cancel while its answer is still under way.
    for (const claim of claims) if (claim.jobId === jobId) claim.isCancelled = true;
  });

  const isKindFull = (kind: string, limit = concurrency) => {
    const running = [...runs].filter(({ job }) => job.kind === kind);
    const starting = [...claims].filter((claim) => claim.kind === kind && claim.hasSeat);
    return running.length + starting.length >= limit;
  };
  const seating = async (queue: QueueName, { organization = '', kind = '' }: Message) => {
    // Messages of earlier versions of the platform name neither organization nor kind, so those limits do not
    // apply to them.
    const pools = organization === '' ? [] : await poolsOf(queue, kind, organization);
    return { organization, pools, seats };
  };

  /** Why an operator does not let a job start; undefined when it may. */
  const findHold = async ({ kind = '', organization = '' }: Message) => {
    if (await isKindPaused(kind)) return waitingForResume;
    return (await limitsOf(kind, organization)).ofOrganization === 0 ? waitingForLimit : undefined;
  };

  const handle = async ({ queue, claimTogether }: Served, message: Job<Message>, token?: string) => {
    const { id: jobId, dispatch, kind = '', organization = '' } = message.data;
    const delivered = { _id: jobId, dispatch };
    // BullMQ may still deliver a job after it was told to pause.
    if (isStopping) return handBack(delivered);
    const hold = await findHold(message.data);
    if (hold) {
      await putAside(delivered, hold);
      refill(queue).catch(() => {});
      return;
    }
    const { ofProcess } = await limitsOf(kind, organization);
    if (isKindFull(kind, ofProcess)) return putBack(message, token);
    const underWay = { jobId, kind, hasSeat: false, isCancelled: false };
    claims.add(underWay);
    const claimIt = async () => {
      return claimSeated(await seating(queue, message.data), async (chosen) => {
        // Other jobs of the kind may have found their seats during the wait.
        if (isKindFull(kind, ofProcess)) return { refused: 'seat' };
        underWay.hasSeat = true;
        const answer = await claimTogether({ id: jobId, dispatch, seats: chosen });
        if ('refused' in answer) underWay.hasSeat = false;
        return answer;
      });
    };
    const { claim, leave } = await claimIt().finally(() => claims.delete(underWay));
    if ('refused' in claim) {
      if (claim.refused === 'seat') return putBack(message, token);
      if (claim.refused === 'lane') await setAsideForLane(delivered);
      if (claim.refused === 'version') {
        await setAsideForVersion(delivered);
        if (!leftToNewer.has(kind))
          logger.warn({ job: jobId, kind }, 'a job needs a newer version of this worker, and is left to one');
        leftToNewer.add(kind);
      }
      // It has left its slot in the window.
      refill(queue).catch(() => {});
      return;
    }
    const type = types.get(claim.job.kind);
    if (!type) return leave();
    const run = runJob(claim.job, { ...type, leaseMs, logger });
    runs.add(run);
    if (underWay.isCancelled) run.abort('cancel');
    if (isStopping) run.abort('shutdown');
    await run.done.finally(() => {
      runs.delete(run);
      leave();
    });
  };
  const track = async (served: Served, message: Job<Message>, token?: string) => {
    const handleIt = () => handle(served, message, token);
    const startAlone = async () => {
      const { kind = '', organization = '' } = message.data;
      if (await findHold(message.data)) return handleIt();
      // Running jobs do not make way for a job that cannot start.
      const mayStart =
        !isKindFull(kind, (await limitsOf(kind, organization)).ofProcess) &&
        (await hasFreeSeats(await seating(served.queue, message.data)));
      return mayStart
        ? (exclusiveRuns.exclusive(handleIt) ?? putBack(message, token))
        : putBack(message, token, lonerPutBackMs);
    };
    const work = message.data.alone
      ? startAlone()
      : (exclusiveRuns.shared(handleIt) ?? putBack(message, token));
    handling.add(work);
    try {
      await work;
    } finally {
      handling.delete(work);
    }
  };

  const queues = [...new Set(kinds.map(({ queue }) => queue))];
  const registration = await registerWorker(
    {
      id,
      app,
      queues,
      kinds,
      concurrency,
      leaseMs,
      outputVersion,
      engines,
      runs: () => [...runs].map(({ job }) => runKey(job)),
    },
    logger,
  );
  const connection = connectRedis(config, 'worker');
  const workers = queues.map((queue) => {
    const known = kinds.filter((definition) => definition.queue === queue);
    const claimant = {
      worker: id,
      known,
      deadlineMs: (of: string) => types.get(of)?.definition.deadlineMs ?? 0,
      leaseMs,
    };
    const served = {
      queue,
      claimTogether: together((requests: ClaimRequest[]) => claimJobs(requests, claimant)),
    };
    const worker = new Worker<Message>(
      queue,
      // Three plain parameters, because BullMQ passes its signal only then; it aborts when BullMQ's lock is
      // lost, which may happen while ours is held.
      async (message, token, _signal) => track(served, message, token),
      {
        connection,
        prefix: config.redis.prefix,
        concurrency,
        lockDuration: leaseMs,
        stalledInterval: Math.ceil(leaseMs / 2),
        maxStalledCount: 2,
        // A worker that is frozen while it waits swallows the wake-up for one job; others find that job by
        // their own polling.
        drainDelay: 2,
        // The default of 15 s would keep a worker idle for that long after Redis has come back.
        runRetryDelay: 1_000,
        removeOnComplete: { age: 3_600, count: 1_000 },
        removeOnFail: { age: 86_400, count: 5_000 },
      },
    );
    worker.on('error', (error) => logger.debug({ err: error, queue }, 'queue connection'));
    worker.on('failed', (_message, error) =>
      logger.warn({ err: error, queue }, 'a job could not be claimed; the sweeper will bring it again'),
    );
    return worker;
  });

  return {
    id,
    isRegistered: () => registration.isCurrent(),
    async fail() {
      isStopping = true;
      const culprit = findJobAtWork();
      const isKnown = [...runs].some(({ job }) => job._id === culprit);
      for (const run of runs) run.abort(isKnown && run.job._id !== culprit ? 'shutdown' : 'fault');
      await Promise.allSettled([...runs].map(({ done }) => done));
    },
    async stop(graceMs) {
      isStopping = true;
      // Without MongoDB this would delay the shutdown.
      await Promise.allSettled([withTimeout(registration.leave(), 1_000)]);
      await Promise.allSettled(workers.map((worker) => withTimeout(worker.pause(true), 1_000)));
      await settledWithin(handling, graceMs);
      for (const run of runs) run.abort('shutdown');
      while (handling.size > 0) await Promise.allSettled(handling);
      // Without Redis this would delay the shutdown; its locks expire by themselves.
      await Promise.allSettled([withTimeout(registration.end(), 2_000)]);
      await Promise.allSettled(workers.map((worker) => withTimeout(worker.close(), 2_000)));
      feed.close();
      connection.disconnect();
    },
  };
}

/**
 * How long a message that could not run here is hidden from all workers; later messages come first in that
 * time.
 */
const putBackMs = 250;
/** The same for a job that must run alone, because each of its tries may keep out other jobs. */
const lonerPutBackMs = 2_000;

/**
 * Returns a message to the queue for other workers or for later: its organization or kind has reached its
 * limit, or a job here must run alone. The message keeps its place.
 *
 * @throws DelayedError, which tells BullMQ that the message was not handled
 */
async function putBack(
  message: Job<Message>,
  token: string | undefined,
  delayMs = putBackMs,
): Promise<never> {
  await message.moveToDelayed(Date.now() + delayMs * (0.5 + Math.random()), token);
  throw new DelayedError();
}
