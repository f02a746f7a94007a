import { databaseNow, jobCollection, type JobRecord } from '@bindery/models';
import { jobClient, queueOf, tryRedis } from '../queue/client.ts';
import type { QueueName } from '../definitions/defineJob.ts';
import { dispatchedFields, dispatchId, dispatchJobs } from '../queue/dispatch.ts';
import { now } from '../queue/pipeline.ts';

type Queued = Pick<JobRecord, '_id' | 'queue' | 'organization' | 'kind' | 'dispatch' | 'state' | 'crashes' | 'runAfter' | 'dispatchedAt'>;

/** The states in which BullMQ will still deliver the id. */
const deliverable = new Set(['waiting', 'active', 'delayed', 'prioritized']);
const maxOwedMs = 2_000;
/** A try that is later than this was delayed by a clock that differs from MongoDB's. */
const maxLateMs = 10_000;
/** The number of states that are asked for at once: each is a small script on Redis's only thread. */
const batchSize = 100;

/**
 * Gives queued jobs to Redis that it does not have, or has lost.
 *
 * Looks at one batch, of the jobs that were looked at longest ago, and at further ones only while it finds lost jobs: so the cost does not grow with
 * the number of jobs that wait for another try.
 */
export async function recoverQueued(queue: QueueName): Promise<void> {
  const before = new Date(databaseNow().getTime() - Math.min(maxOwedMs, jobClient().config.jobs.leaseMs / 5));
  for (let lost: number | undefined = 1; lost;) {
    const jobs = await jobCollection()
      .find({ queue, state: 'queued', createdAt: { $lt: before }, $or: [{ dispatchedAt: null }, { dispatchedAt: { $lt: before } }] })
      .project<Queued>({ ...dispatchedFields, state: 1, runAfter: 1, dispatchedAt: 1 })
      .sort({ dispatchedAt: 1 })
      .limit(batchSize)
      .toArray();
    if (jobs.length === 0) return;
    lost = await redispatchLost(queue, jobs);
    if (jobs.length < batchSize) return;
  }
}

/**
 * Gives Redis the jobs of a batch again that it will not deliver by itself, and notes that the others are there.
 *
 * @returns how many were lost; undefined when Redis does not answer
 */
async function redispatchLost(queue: QueueName, jobs: Queued[]): Promise<number | undefined> {
  const states = await tryRedis(() => Promise.all(jobs.map((job) => queueOf(queue).getJobState(dispatchId(job)))));
  if (!states) return undefined;
  const lateBefore = databaseNow().getTime() - maxLateMs;
  const late = jobs.filter((job, index) => states[index] === 'delayed' && job.runAfter && job.runAfter.getTime() < lateBefore);
  const putOff = await findPutOff(queue, late);
  if (!putOff) return undefined;
  const isThere = (job: Queued, index: number) => deliverable.has(states[index] ?? '') && !putOff.has(job._id);
  const there = jobs.filter(isThere);
  const lost = jobs.filter((job, index) => !isThere(job, index));
  const timingOf = timingsByTurns();
  await dispatchJobs(
    queue,
    lost.map((job) => ({ job, timing: timingOf(job) })),
  );
  await jobCollection().updateMany({ _id: { $in: there.map(({ _id }) => _id) }, state: 'queued' }, [{ $set: { dispatchedAt: now } }], {
    writeConcern: { w: 1, j: false },
  });
  return lost.length;
}

/** BullMQ keeps the time at which it delivers a message, in milliseconds, times this, and a counter. */
const scorePerMs = 0x1000;

/**
 * Finds jobs that are late, but that Redis will not deliver for a while. A job that a worker has put back for a moment is not among them.
 *
 * @returns their ids; undefined when Redis does not answer
 */
async function findPutOff(queue: QueueName, late: readonly Queued[]): Promise<Set<string> | undefined> {
  if (late.length === 0) return new Set();
  const delayed = queueOf(queue).toKey('delayed');
  const { redis } = jobClient();
  const scores = await tryRedis(() => Promise.all(late.map((job) => redis.zscore(delayed, dispatchId(job)))));
  const soonMs = databaseNow().getTime() + maxLateMs;
  return scores && new Set(late.filter((_job, index) => Number(scores[index] ?? 0) / scorePerMs > soonMs).map(({ _id }) => _id));
}

/** Lets organizations take turns among the jobs that are dispatched again, too. */
function timingsByTurns() {
  const turns = new Map<string, number>();
  return ({ organization, runAfter }: Queued) => {
    const priority = (turns.get(organization) ?? 0) + 1;
    turns.set(organization, priority);
    return { priority, delayMs: Math.max(0, (runAfter?.getTime() ?? 0) - databaseNow().getTime()) };
  };
}
