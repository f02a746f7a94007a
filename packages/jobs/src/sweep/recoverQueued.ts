import { sweeperRepairs } from '@bindery/metrics';
import { databaseNow, jobCollection, type JobRecord } from '@bindery/models';
import { jobClient, queueOf, tryRedis } from '../queue/client.ts';
import type { QueueName } from '../definitions/defineJob.ts';
import { dispatchedFields, dispatchId, dispatchJobs } from '../queue/dispatch.ts';
import { now } from '../queue/pipeline.ts';

type Queued = Pick<
  JobRecord,
  '_id' | 'queue' | 'organization' | 'kind' | 'dispatch' | 'state' | 'crashes' | 'runAfter' | 'dispatchedAt'
>;

/** The states in which BullMQ will still deliver the id. */
const deliverable = new Set(['waiting', 'active', 'delayed', 'prioritized']);
const maxOwedMs = 2_000;
/** An attempt later than this was delayed by a clock that differs from MongoDB's. */
const maxLateMs = 10_000;
/** The number of states read at once: each is a small script on Redis's only thread. */
const batchSize = 100;

/**
 * Adds queued jobs to Redis that it never got, or has lost.
 *
 * Checks one batch, of the jobs checked longest ago, and more batches only while it finds lost jobs, so that
 * the cost does not grow with the number of jobs waiting for a retry.
 */
export async function recoverQueued(queue: QueueName): Promise<void> {
  const before = new Date(databaseNow().getTime() - Math.min(maxOwedMs, jobClient().config.jobs.leaseMs / 5));
  for (let lost: number | undefined = 1; lost;) {
    const jobs = await jobCollection()
      .find({
        queue,
        state: 'queued',
        createdAt: { $lt: before },
        $or: [{ dispatchedAt: null }, { dispatchedAt: { $lt: before } }],
      })
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
 * Adds the jobs of a batch again that Redis would not deliver, and notes that it has the others.
 *
 * @returns the number of lost jobs; undefined when Redis does not answer
 */
async function redispatchLost(queue: QueueName, jobs: Queued[]): Promise<number | undefined> {
  const states = await tryRedis(() =>
    Promise.all(jobs.map((job) => queueOf(queue).getJobState(dispatchId(job)))),
  );
  if (!states) return undefined;
  const lateBefore = databaseNow().getTime() - maxLateMs;
  const late = jobs.filter(
    (job, index) => states[index] === 'delayed' && job.runAfter && job.runAfter.getTime() < lateBefore,
  );
  const putOff = await findPutOff(queue, late);
  if (!putOff) return undefined;
  const isThere = (job: Queued, index: number) =>
    deliverable.has(states[index] ?? '') && !putOff.has(job._id);
  const there = jobs.filter(isThere);
  const lost = jobs.filter((job, index) => !isThere(job, index));
  const timingOf = timingsByTurns();
  await dispatchJobs(
    queue,
    lost.map((job) => ({ job, timing: timingOf(job) })),
  );
  if (lost.length > 0) sweeperRepairs.add({ repair: 'redispatched' }, lost.length);
  await jobCollection().updateMany(
    { _id: { $in: there.map(({ _id }) => _id) }, state: 'queued' },
    [{ $set: { dispatchedAt: now } }],
    {
      writeConcern: { w: 1, j: false },
    },
  );
  return lost.length;
}

/**
 * BullMQ's score of a delayed message is its delivery time in milliseconds times this factor, plus a counter.
 */
const scorePerMs = 0x1000;

/**
 * Finds late jobs that Redis will not deliver for a while, except jobs that a worker has just put back.
 *
 * @returns their ids; undefined when Redis does not answer
 */
async function findPutOff(queue: QueueName, late: readonly Queued[]): Promise<Set<string> | undefined> {
  if (late.length === 0) return new Set();
  const delayed = queueOf(queue).toKey('delayed');
  const { redis } = jobClient();
  const scores = await tryRedis(() => Promise.all(late.map((job) => redis.zscore(delayed, dispatchId(job)))));
  const soonMs = databaseNow().getTime() + maxLateMs;
  return (
    scores &&
    new Set(
      late.filter((_job, index) => Number(scores[index] ?? 0) / scorePerMs > soonMs).map(({ _id }) => _id),
    )
  );
}

/** Takes turns between organizations among redispatched jobs, too. */
function timingsByTurns() {
  const turns = new Map<string, number>();
  return ({ organization, runAfter }: Queued) => {
    const priority = (turns.get(organization) ?? 0) + 1;
    turns.set(organization, priority);
    return { priority, delayMs: Math.max(0, (runAfter?.getTime() ?? 0) - databaseNow().getTime()) };
  };
}
