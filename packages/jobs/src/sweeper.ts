import { databaseNow, jobCollection, type JobErrorRecord, type JobRecord } from '@bindery/models';
import type { Config, Logger } from '@bindery/runtime';
import { jobClient, queueOf, tryRedis } from './client.ts';
import { queueNames, retiredQueues, type QueueName } from './defineJob.ts';
import { dispatchId, dispatchJobs } from './dispatch.ts';
import { releaseLane } from './lanes.ts';
import { leadInTurns } from './leadership.ts';
import { findLostRuns, type LostRun } from './lostRuns.ts';
import { refill } from './refill.ts';
import { maxCrashes, quarantined } from './retry.ts';
import { afterRun, endLostRun, requeueLostRun, type Ending } from './transitions.ts';
import { endWaiting } from './waitingJobs.ts';
import { watchMongo } from './watchMongo.ts';

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
  const { sweepIntervalMs, leaseMs } = config.jobs;
  const mongo = watchMongo(leaseMs);
  const stop = leadInTurns('sweeper', {
    leaseMs: 3 * sweepIntervalMs,
    pauseMs: sweepIntervalMs,
    turn: async () => sweep({ mayTakeOver: mongo.hasAnsweredForALease }),
    logger,
    failure: 'a sweep failed; the next one follows',
  });
  return async () => {
    await Promise.all([stop(), mongo.stop()]);
  };
}

/**
 * One look at everything. Safe to run at any time and by several processes at once.
 *
 * @param mayTakeOver  whether a run whose lease has ended may be taken for lost: not while its worker has had no time to renew
 */
export async function sweep({ mayTakeOver = () => true }: { mayTakeOver?: () => boolean } = {}): Promise<void> {
  await recoverRuns(mayTakeOver);
  for (const queue of queueNames) {
    await endOverdue(queue);
    await recoverQueued(queue);
    await recoverLanes(queue);
    await refill(queue);
  }
}

/** Jobs that wait, for their first start or for another try, when their deadline is past. */
async function endOverdue(queue: QueueName): Promise<void> {
  const jobs = await jobCollection()
    .find({ queue, state: { $in: ['accepted', 'queued'] }, deadlineAt: { $lt: databaseNow() } })
    .limit(perSweep)
    .toArray();
  for (const job of jobs) if (await endWaiting(job, { state: 'timed_out', error: overdue })) await afterRun(job);
}

/** Lost runs come again, unless their deadline is past, there is no crash left to count, or a cancel was asked for. */
async function recoverRuns(mayTakeOver: () => boolean): Promise<void> {
  const found = await findLostRuns([...queueNames, ...Object.keys(retiredQueues)], { limit: perSweep });
  // Asked now: the answer may have come at the end of an outage, when every lease is over.
  if (!mayTakeOver()) return;
  for (const lost of found) {
    const ending = endingOf(lost);
    if (!ending) await requeueLostRun(lost);
    else if (await endLostRun(lost, ending)) await afterRun(lost.job);
  }
}

function endingOf({ job, isCrash }: LostRun): Ending | undefined {
  if (job.deadlineAt && job.deadlineAt < databaseNow()) return { state: 'timed_out', error: overdue };
  if (job.cancelRequestedAt) return { state: 'cancelled' };
  if (isCrash && job.crashes + 1 >= maxCrashes) return { state: 'failed', error: quarantined(job.crashes + 1) };
  return undefined;
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
