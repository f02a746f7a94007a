import { setTimeout as delay } from 'node:timers/promises';
import { jobCollection, type JobRecord } from '@bindery/models';
import { newId, type Config, type Logger } from '@bindery/runtime';
import { tryRedis, queueOf } from './client.ts';
import { queueNames, type QueueName } from './defineJob.ts';
import { addToQueue, dispatchId, dispatchNextInLane, refill } from './dispatch.ts';
import { announce } from './events.ts';
import { releaseLeadership, takeLeadership } from './leadership.ts';
import { afterRun, endRun } from './transitions.ts';

/** Only these states of BullMQ mean that it will still deliver the id. */
const deliverable = new Set(['waiting', 'active', 'delayed', 'prioritized']);
const owedAfterMs = 2_000;
const perSweep = 1_000;

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
  const overdue = await jobCollection()
    .find({ queue, $or: [{ state: 'running', $expr: { $lt: ['$leaseUntil', '$$NOW'] } }, { state: 'queued' }], deadlineAt: { $lt: new Date() } })
    .limit(perSweep)
    .toArray();
  for (const job of overdue) {
    const error = { class: 'transient', code: 'deadline', message: 'The job took longer than it may.', action: 'Retry it.' } as const;
    if (job.state === 'running') {
      if (await endRun(job, { state: 'timed_out', error })) await afterRun(job);
    } else {
      const { matchedCount } = await jobCollection().updateOne(
        { _id: job._id, state: 'queued', dispatch: job.dispatch },
        { $set: { state: 'timed_out', error, finishedAt: new Date() }, $inc: { seq: 1 } },
      );
      if (matchedCount) announce(job._id);
    }
  }
}

/** Runs whose lease has ended: the next claim counts the crash. A cancel that was asked for is fulfilled here. */
async function recoverRuns(queue: QueueName): Promise<void> {
  const dead = await jobCollection()
    .find({ queue, state: 'running', $expr: { $lt: ['$leaseUntil', '$$NOW'] } })
    .limit(perSweep)
    .toArray();
  for (const job of dead) {
    if (job.cancelRequestedAt) {
      if (await endRun(job, { state: 'cancelled' })) await afterRun(job);
    } else if (!(await isDeliverable(job))) {
      await redispatch(job);
    }
  }
}

async function recoverQueued(queue: QueueName): Promise<void> {
  const before = new Date(Date.now() - owedAfterMs);
  const queued = await jobCollection()
    .find({ queue, state: 'queued', createdAt: { $lt: before }, $or: [{ dispatchedAt: null }, { dispatchedAt: { $lt: before } }] })
    .project<JobRecord>({ _id: 1, queue: 1, dispatch: 1, organization: 1, state: 1, runAfter: 1 })
    .limit(perSweep)
    .toArray();
  for (const job of queued) {
    if (!(await isDeliverable(job))) await redispatch(job);
  }
}

/** A lane whose last holder died between its end and its call to the next. */
async function recoverLanes(queue: QueueName): Promise<void> {
  const lanes = await jobCollection().distinct('lane', { queue, state: 'accepted', 'waiting.reason': 'lane' });
  for (const lane of lanes) if (lane) await dispatchNextInLane(lane);
}

/** Whether Redis will deliver the job's present dispatch. When Redis does not answer, nothing is done: there is nobody to add to. */
async function isDeliverable(job: JobRecord): Promise<boolean> {
  const state = await tryRedis(() => queueOf(job.queue as QueueName).getJobState(dispatchId(job)));
  // A running job whose dispatch is `active` in Redis belonged to a dead worker; waiting for BullMQ to notice would only take longer.
  if (job.state === 'running' && state === 'active') return false;
  return state === undefined || deliverable.has(state);
}

async function redispatch(job: JobRecord): Promise<void> {
  const raised = await jobCollection().findOneAndUpdate(
    { _id: job._id, dispatch: job.dispatch, state: job.state },
    { $inc: { dispatch: 1 }, $set: { dispatchedAt: null } },
    { returnDocument: 'after' },
  );
  if (!raised) return;
  const delayMs = Math.max(0, (raised.runAfter?.getTime() ?? 0) - Date.now());
  await addToQueue(raised, { delayMs });
}
