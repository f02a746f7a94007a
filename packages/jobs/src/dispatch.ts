import { Job, jobCollection, WorkerEntry, type JobRecord } from '@bindery/models';
import { jobClient, queueOf, tryRedis } from './client.ts';
import type { QueueName } from './defineJob.ts';

/** Below this many waiting jobs order is of no account: whoever comes is served at once. */
const uncrowded = 4;
const windowAgeMs = 5_000;

type Dispatchable = Pick<JobRecord, '_id' | 'queue' | 'dispatch' | 'organization'>;

/** The id under which BullMQ knows one dispatch of a job. It ignores an id that it has seen, so each addition has its own. */
export function dispatchId(job: { _id: string; dispatch: number }): string {
  return `j-${job._id}-${job.dispatch}`;
}

/**
 * Gives a queued job's id to Redis. Never throws: a job that Redis did not take keeps `dispatchedAt: null` and the sweeper adds it again.
 */
export async function addToQueue(job: Dispatchable, { delayMs = 0, priority = 0 }: { delayMs?: number; priority?: number } = {}): Promise<void> {
  const added = await tryRedis(() => queueOf(job.queue as QueueName).add('job', { id: job._id, dispatch: job.dispatch }, { jobId: dispatchId(job), delay: delayMs, ...(priority && { priority }) }));
  if (added) noteDispatched([job]);
}

/** The note saves the sweeper a look; losing it costs nothing, so nobody waits for it. */
function noteDispatched(jobs: Dispatchable[]): void {
  for (const job of jobs) {
    jobCollection()
      .updateOne({ _id: job._id, dispatch: job.dispatch, dispatchedAt: null }, [{ $set: { dispatchedAt: '$$NOW' } }], { writeConcern: { w: 1, j: false } })
      .catch(() => {});
  }
}

/**
 * Whether the queue's window in Redis has room for one more job of this organization, and which priority the job then has.
 *
 * The n-th waiting job of an organization has priority n: organizations take turns, however many jobs one of them has.
 * @returns undefined when the job must wait in MongoDB, also when Redis does not answer
 */
export async function findSlot(queue: QueueName, organization: string): Promise<{ priority: number } | undefined> {
  const waiting = await countWaiting(queue);
  if (waiting === undefined) return undefined;
  if (waiting < uncrowded) return { priority: 0 };
  const window = await windowOf(queue);
  if (waiting >= window) return undefined;
  const own = await jobCollection().countDocuments({ queue, state: 'queued', organization });
  return own < shareOf(window) ? { priority: own + 1 } : undefined;
}

async function countWaiting(queue: QueueName): Promise<number | undefined> {
  const counts = await tryRedis(() => queueOf(queue).getJobCounts('waiting', 'prioritized'));
  return counts && (counts['waiting'] ?? 0) + (counts['prioritized'] ?? 0);
}

/** One organization fills at most half of the window, so that another one always finds room. */
function shareOf(window: number): number {
  return Math.ceil(window / 2);
}

const windows = new Map<string, { size: number; untilMs: number }>();

/** Four jobs for every one that the live workers can run at once, and never less than the configured minimum. */
async function windowOf(queue: QueueName): Promise<number> {
  const minimum = jobClient().config.jobs.window;
  const known = windows.get(queue);
  if (known && Date.now() < known.untilMs) return Math.max(minimum, known.size);
  const workers = await WorkerEntry.find({ queues: queue, expireAt: { $gt: new Date() } }, { concurrency: 1 }).lean();
  const size = 4 * workers.reduce((sum, worker) => sum + worker.concurrency, 0);
  windows.set(queue, { size, untilMs: Date.now() + windowAgeMs });
  return Math.max(minimum, size);
}

const refilling = new Map<string, { again: boolean }>();

/**
 * Moves accepted jobs of a queue into its window, round robin over the organizations, oldest first.
 * Called by whoever finishes a job and by the sweeper; calls that arrive while one runs are joined into one more.
 */
export async function refill(queue: QueueName): Promise<void> {
  const running = refilling.get(queue);
  if (running) {
    running.again = true;
    return;
  }
  const state = { again: true };
  refilling.set(queue, state);
  try {
    while (state.again) {
      state.again = false;
      await refillOnce(queue);
    }
  } finally {
    refilling.delete(queue);
  }
}

async function refillOnce(queue: QueueName): Promise<void> {
  const waiting = await countWaiting(queue);
  if (waiting === undefined) return;
  const window = await windowOf(queue);
  // Half empty is early enough: filling up in batches costs one write for many jobs.
  if (waiting > window / 2) return;
  const organizations = (await Job.distinct('organization', { queue, state: 'accepted' })) as string[];
  if (organizations.length === 0) return;
  const room = window - waiting;
  const each = Math.max(1, Math.ceil(Math.min(room, shareOf(window)) / organizations.length));
  const chosen: { job: JobRecord; priority: number }[] = [];
  for (const organization of rotated(organizations).slice(0, room)) {
    const own = waiting < uncrowded ? 0 : await jobCollection().countDocuments({ queue, state: 'queued', organization });
    const jobs = await Job.find({ queue, state: 'accepted', organization, 'waiting.reason': { $ne: 'lane' } }, { queue: 1, dispatch: 1, organization: 1 })
      .sort({ createdAt: 1 })
      .limit(Math.min(each, Math.max(0, shareOf(window) - own)))
      .lean<JobRecord[]>();
    jobs.forEach((job, index) => chosen.push({ job, priority: own + index + 1 }));
  }
  await dispatchAll(queue, chosen);
}

/** Two processes may choose the same job: the second changes nothing, and BullMQ ignores its addition. */
async function dispatchAll(queue: QueueName, chosen: { job: JobRecord; priority: number }[]): Promise<void> {
  if (chosen.length === 0) return;
  await jobCollection().updateMany(
    { _id: { $in: chosen.map(({ job }) => job._id) }, state: 'accepted' },
    { $set: { state: 'queued', dispatchedAt: null }, $inc: { dispatch: 1 }, $unset: { waiting: '' } },
  );
  const jobs = chosen.map(({ job, priority }) => ({ job: { ...job, dispatch: job.dispatch + 1 }, priority }));
  const added = await tryRedis(() => queueOf(queue).addBulk(jobs.map(({ job, priority }) => ({ name: 'job', data: { id: job._id, dispatch: job.dispatch }, opts: { jobId: dispatchId(job), priority } }))));
  if (!added) return;
  await jobCollection().updateMany(
    { _id: { $in: jobs.map(({ job }) => job._id) }, state: 'queued', dispatchedAt: null },
    [{ $set: { dispatchedAt: '$$NOW' } }],
    { writeConcern: { w: 1, j: false } },
  );
}

/** Which organization comes first changes with every call. */
function rotated<T>(items: T[]): T[] {
  const start = Math.floor(Math.random() * items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}

/** Dispatches the oldest job that waits for a lane, once nobody runs in it. */
export async function dispatchNextInLane(lane: string): Promise<void> {
  const busy = await jobCollection().findOne({ lane, state: 'running' }, { projection: { _id: 1 } });
  if (busy) return;
  const next = await jobCollection().findOneAndUpdate(
    { lane, state: 'accepted', 'waiting.reason': 'lane' },
    { $set: { state: 'queued', dispatchedAt: null }, $inc: { dispatch: 1, seq: 1 }, $unset: { waiting: '' } },
    { sort: { createdAt: 1 }, returnDocument: 'after' },
  );
  if (next) await addToQueue(next);
}
