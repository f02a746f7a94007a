import { databaseNow, isUnexpired, jobCollection, WorkerEntry, type JobRecord } from '@bindery/models';
import { isRedisAnswering } from './client.ts';
import type { QueueName } from '../definitions/defineJob.ts';
import { poolsOf } from './slots.ts';
import { describeFailure, findFailingWorker } from './workerStates.ts';

export type Waiting = {
  /**
   * How many jobs of its organization come before it in its queue, and itself: 1 is the next one. Absent where it does not wait for its turn, and
   * beyond a hundred.
   */
  position?: number;
  reason: 'queue' | 'lane' | 'retry' | 'no_worker' | 'version' | 'dispatch';
  message: string;
  until?: Date;
};

/** A job that Redis has not taken for so long is not just on its way there. */
const owedMs = 2_000;
const maxPosition = 100;

type Asked = Omit<JobRecord, 'input' | 'checkpoint'>;

/** Why a job that has not started is not running yet. Tells nothing about the jobs of other organizations. */
export async function explainWaiting(job: Asked): Promise<Waiting | undefined> {
  if (job.state !== 'accepted' && job.state !== 'queued') return undefined;
  if (job.waiting?.reason === 'lane') return job.waiting;
  const now = databaseNow();
  const [hasWorker, position] = await Promise.all([hasLiveWorker(job), findPosition(job)]);
  if (!hasWorker) return { ...position, reason: 'no_worker', ...(await explainNoWorker(job)) };
  if (job.waiting) return job.waiting;
  if (job.runAfter && job.runAfter > now)
    return { reason: 'retry', message: 'The last attempt failed; the next one follows.', until: job.runAfter };
  const isOwed = job.state === 'queued' && job.dispatchedAt === null && now.getTime() - job.createdAt.getTime() > owedMs;
  if (isOwed || !isRedisAnswering())
    return { ...position, reason: 'dispatch', message: 'The queue does not answer at the moment; the job is added when it does.' };
  if (await isOrganizationFull(job))
    return {
      ...position,
      reason: 'queue',
      message: 'The organization has reached its limit of running jobs; this one starts when one of them ends.',
    };
  return { ...position, reason: 'queue', message: 'The job waits for a free worker.' };
}

/** It costs the same however many wait: the index has the jobs of an organization together, and no more are looked at than are told. */
async function findPosition({ queue, organization, createdAt }: Asked): Promise<{ position?: number }> {
  const ahead = await jobCollection().countDocuments(
    {
      queue,
      state: { $in: ['accepted', 'queued'] },
      'waiting.reason': null as never,
      organization,
      // Those that come for another try are behind all others.
      runAfter: null as never,
      createdAt: { $lt: createdAt },
    },
    { limit: maxPosition },
  );
  return ahead < maxPosition ? { position: ahead + 1 } : {};
}

/** Whether the organization runs as many jobs of this queue or kind as it may. */
async function isOrganizationFull({ organization, queue, kind }: Asked): Promise<boolean> {
  const pools = await poolsOf(queue as QueueName, kind);
  const counts = await Promise.all(
    pools.map(({ name, size }) =>
      jobCollection().countDocuments(
        { organization, state: 'running', seats: { $elemMatch: { $gte: `${name}:`, $lt: `${name};` } } as never },
        { limit: size },
      ),
    ),
  );
  return pools.some(({ size }, index) => (counts[index] ?? 0) >= size);
}

async function explainNoWorker({ queue, kind }: Asked): Promise<{ message: string; until?: Date }> {
  const failing = await findFailingWorker(queue);
  const cause = failing ? `: ${failing._id} is failing (${describeFailure(failing)})` : '';
  return {
    message: `No worker for ${kind} is running${cause}; the job starts when one does.`,
    ...(failing && failing.restartAt > databaseNow() && { until: failing.restartAt }),
  };
}

/** Whether a worker that does jobs of this kind in this queue has been seen lately: some kinds are done by two apps, each with a queue of its own. */
export async function hasLiveWorker({ queue, kind }: Pick<JobRecord, 'queue' | 'kind'>): Promise<boolean> {
  return (await WorkerEntry.exists({ queues: queue, 'kinds.kind': kind, ...isUnexpired })) !== null;
}
