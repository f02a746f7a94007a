import { setTimeout as delay } from 'node:timers/promises';
import { jobCollection, type JobErrorRecord, type JobRecord } from '@bindery/models';
import { newId, type Config, type Logger } from '@bindery/runtime';
import { jobClient, queueOf, tryRedis } from './client.ts';
import { queueNames, type QueueName } from './defineJob.ts';
import { dispatchId, dispatchJobs } from './dispatch.ts';
import { releaseLane } from './lanes.ts';
import { releaseLeadership, takeLeadership } from './leadership.ts';
import { isLeaseOver } from './pipeline.ts';
import { refill } from './refill.ts';
import { maxCrashes, quarantined } from './retry.ts';
import { afterRun, endLostRun, requeueLostRun, type Ending } from './transitions.ts';
import { endWaiting } from './waitingJobs.ts';

/** Only these states of BullMQ mean that it will still deliver the id. */
const deliverable = new Set(['waiting', 'active', 'delayed', 'prioritized']);
const maxOwedMs = 2_000;
const perSweep = 1_000;
/** So many states are asked for at once: each is a small script on the one thread that Redis has. */
const batchSize = 100;

const overdue: JobErrorRecord = {
  class: 'transient',
  code: 'deadline',
  message: 'The job did not end within the time that it may take.',
  action: 'Retry it; when that does not help, make the work smaller or raise its time limit.',
};

/**
 * Brings back what was lost between MongoDB and Redis: jobs owed to a queue, jobs that Redis forgot, runs whose worker died,
 * jobs past their deadline. Any number may run; one of them sweeps.
 *
 * @returns a function that stops it
 */
export function startSweeper({ config, logger }: { config: Config; logger: Logger }): () => Promise<void> {
  const holder = newId();
  const stopping = new AbortController();
  const { sweepIntervalMs } = config.jobs;
  const loop = async () => {
    while (!stopping.signal.aborted) {
      try {
        if (await takeLeadership('sweeper', holder, 3 * sweepIntervalMs)) await sweep();
      } catch (error) {
        logger.warn({ err: error }, 'a sweep failed; the next one follows');
      }
      // Jitter keeps several sweepers from looking at the same moment.
      await delay(sweepIntervalMs * (0.8 + 0.4 * Math.random()), undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = loop();
  return async () => {
    stopping.abort();
    await running;
    await releaseLeadership('sweeper', holder);
  };
}

/** One look at everything. Safe to run at any time and by several processes at once. */
export async function sweep(): Promise<void> {
  for (const queue of queueNames) {
    await endOverdue(queue);
    await recoverRuns(queue);
    await recoverQueued(queue);
    await recoverLanes(queue);
    await refill(queue);
  }
}

/** Past its deadline and nobody there to notice: the run's own worker is dead, or the job waits for another try. */
async function endOverdue(queue: QueueName): Promise<void> {
  const jobs = await jobCollection()
    .find({
      queue,
      $or: [{ state: 'running', ...isLeaseOver }, { state: { $in: ['accepted', 'queued'] } }],
      deadlineAt: { $lt: new Date() },
    })
    .limit(perSweep)
    .toArray();
  for (const job of jobs) {
    const ending = { state: 'timed_out', error: overdue } as const;
    if (job.state === 'running' ? await endLostRun({ job, isCrash: true }, ending) : await endWaiting(job, ending)) await afterRun(job);
  }
}

/** Runs whose lease has ended come again, unless there is no crash left to count or a cancel was asked for. */
async function recoverRuns(queue: QueueName): Promise<void> {
  const dead = await jobCollection()
    .find({ queue, state: 'running', ...isLeaseOver })
    .limit(perSweep)
    .toArray();
  for (const job of dead) {
    const ending: Ending | undefined = job.cancelRequestedAt
      ? { state: 'cancelled' }
      : job.crashes + 1 >= maxCrashes
        ? { state: 'failed', error: quarantined(job.crashes + 1) }
        : undefined;
    if (!ending) await requeueLostRun({ job, isCrash: true });
    else if (await endLostRun({ job, isCrash: true }, ending)) await afterRun(job);
  }
}

/** Jobs that were to be given to Redis and are not there, or not any more. */
async function recoverQueued(queue: QueueName): Promise<void> {
  const before = new Date(Date.now() - Math.min(maxOwedMs, jobClient().config.jobs.leaseMs / 5));
  const queued = jobCollection()
    .find({ queue, state: 'queued', createdAt: { $lt: before }, $or: [{ dispatchedAt: null }, { dispatchedAt: { $lt: before } }] })
    .project<JobRecord>({ queue: 1, dispatch: 1, organization: 1, state: 1, runAfter: 1, crashes: 1 });
  let batch: JobRecord[] = [];
  for await (const job of queued) {
    batch.push(job);
    if (batch.length < batchSize) continue;
    if (!(await redispatch(queue, batch))) return;
    batch = [];
  }
  await redispatch(queue, batch);
}

/** Lanes whose last holder died between its end and its call to the next. */
async function recoverLanes(queue: QueueName): Promise<void> {
  const lanes = await jobCollection().distinct('lane', { queue, state: 'accepted', 'waiting.reason': 'lane' });
  for (const lane of lanes) if (lane) await releaseLane(lane);
}

/**
 * Gives those jobs to Redis again that it will not deliver by itself.
 *
 * @returns false when Redis does not answer: there is nobody to give them to
 */
async function redispatch(queue: QueueName, jobs: JobRecord[]): Promise<boolean> {
  const states = await tryRedis(() => Promise.all(jobs.map((job) => queueOf(queue).getJobState(dispatchId(job)))));
  if (!states) return false;
  const placeOf = placesByTurns();
  const lost = jobs.filter((_, index) => !deliverable.has(states[index] ?? ''));
  await dispatchJobs(
    queue,
    lost.map((job) => ({ job, place: placeOf(job) })),
  );
  return true;
}

/** Organizations take turns among jobs that are dispatched again, too. */
function placesByTurns() {
  const turns = new Map<string, number>();
  return ({ organization, runAfter }: JobRecord) => {
    const priority = (turns.get(organization) ?? 0) + 1;
    turns.set(organization, priority);
    return { priority, delayMs: Math.max(0, (runAfter?.getTime() ?? 0) - Date.now()) };
  };
}
