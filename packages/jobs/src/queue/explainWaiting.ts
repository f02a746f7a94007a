import { databaseNow, isUnexpired, jobCollection, WorkerEntry, type JobRecord } from '@bindery/models';
import { isRedisAnswering } from './client.ts';
import type { QueueName } from '../definitions/defineJob.ts';
import { isKindPaused, waitingForResume } from '../state/pauses.ts';
import { limitsOf, waitingForLimit } from './kindLimits.ts';
import { poolsOf } from './slots.ts';
import { describeFailure, failingOr, findFailingWorker } from './workerStates.ts';

export type Waiting = {
  /**
   * The job's place among those of its organization in the queue: 1 is the next. Absent when it does not wait
   * for its turn, and beyond a hundred.
   */
  position?: number;
  reason: 'queue' | 'lane' | 'retry' | 'no_worker' | 'version' | 'dispatch' | 'paused' | 'limit';
  message: string;
  until?: Date;
};

/** A job that Redis has not taken after this time is no longer just on its way. */
const owedMs = 2_000;
const maxPosition = 100;

type Asked = Omit<JobRecord, 'input' | 'checkpoint'>;

/** Explains why a job has not started. Reveals nothing about the jobs of other organizations. */
export async function explainWaiting(job: Asked): Promise<Waiting | undefined> {
  if (job.state !== 'accepted' && job.state !== 'queued') return undefined;
  if (job.waiting?.reason === 'lane') return job.waiting;
  if (await isKindPaused(job.kind)) return waitingForResume;
  if ((await limitsOf(job.kind, job.organization)).ofOrganization === 0) return waitingForLimit;
  const now = databaseNow();
  const [hasWorker, position] = await Promise.all([hasLiveWorker(job), findPosition(job)]);
  if (!hasWorker) return { ...position, reason: 'no_worker', ...(await explainNoWorker(job)) };
  if (job.waiting) return job.waiting;
  if (job.runAfter && job.runAfter > now)
    return {
      reason: 'retry',
      message: 'The last attempt failed; the next one follows.',
      until: job.runAfter,
    };
  const isOwed =
    job.state === 'queued' && job.dispatchedAt === null && now.getTime() - job.createdAt.getTime() > owedMs;
  if (isOwed || !isRedisAnswering())
    return {
      ...position,
      reason: 'dispatch',
      message: 'The queue does not answer at the moment; the job is added when it does.',
    };
  const full = (await findFullPool(job)) ?? (await findFullProcesses(job));
  if (full) return { ...position, ...full };
  return { ...position, reason: 'queue', message: 'The job waits for a free worker.' };
}

/**
 * The cost does not grow with the number of waiting jobs: the index groups them by organization, and the
 * count stops at `maxPosition`.
 */
async function findPosition({ queue, organization, createdAt }: Asked): Promise<{ position?: number }> {
  const ahead = await jobCollection().countDocuments(
    {
      queue,
      state: { $in: ['accepted', 'queued'] },
      'waiting.reason': null as never,
      organization,
      // Jobs that wait for a retry come after all others.
      runAfter: null as never,
      createdAt: { $lt: createdAt },
    },
    { limit: maxPosition },
  );
  return ahead < maxPosition ? { position: ahead + 1 } : {};
}

type Full = Pick<Waiting, 'reason' | 'message'>;

/** The limit of running jobs of this queue or kind that the organization has reached. */
async function findFullPool({ organization, queue, kind }: Asked): Promise<Full | undefined> {
  const pools = await poolsOf(queue as QueueName, kind, organization);
  const areFull = await Promise.all(
    pools.map(async ({ name, size, kind: ofKind }) => {
      // Jobs that started before a limit was set hold no seat of it.
      const counted = ofKind
        ? { kind: ofKind }
        : { seats: { $elemMatch: { $gte: `${name}:`, $lt: `${name};` } } as never };
      const running = { organization, state: 'running', ...counted } as const;
      return (await jobCollection().countDocuments(running, { limit: size })) >= size;
    }),
  );
  const full = pools.find((_pool, index) => areFull[index]);
  if (!full) return undefined;
  const which = full.kind ? ` of this kind, ${full.size}` : '';
  return {
    reason: full.kind ? 'limit' : 'queue',
    message: `The organization has reached its limit of running jobs${which}; this one starts when one of them ends.`,
  };
}

/** Whether all workers of a kind have reached a limit of each process. Tells no numbers of others. */
async function findFullProcesses({ organization, queue, kind }: Asked): Promise<Full | undefined> {
  const { ofProcess } = await limitsOf(kind, organization);
  if (ofProcess === undefined) return undefined;
  const workers = await WorkerEntry.countDocuments({ queues: queue, 'kinds.kind': kind, ...isUnexpired });
  const most = Math.max(1, workers * ofProcess);
  const running = await jobCollection().countDocuments({ kind, state: 'running' }, { limit: most });
  if (running < most) return undefined;
  return {
    reason: 'limit',
    message: `Each worker runs at most ${ofProcess} jobs of this kind at once; this one starts when one of them ends.`,
  };
}

async function explainNoWorker({ queue, kind }: Asked): Promise<{ message: string; until?: Date }> {
  const failing = await findFailingWorker(queue);
  const cause = failing ? `: ${failing._id} is ${failingOr(failing)} (${describeFailure(failing)})` : '';
  return {
    message: `No worker for ${kind} is running${cause}; the job starts when one does.`,
    ...(failing && failing.deaths > 0 && failing.restartAt > databaseNow() && { until: failing.restartAt }),
  };
}

/**
 * Whether a live worker runs this kind of job in this queue. Two apps share some kinds, each with a queue of
 * its own.
 */
export async function hasLiveWorker({ queue, kind }: Pick<JobRecord, 'queue' | 'kind'>): Promise<boolean> {
  return (await WorkerEntry.exists({ queues: queue, 'kinds.kind': kind, ...isUnexpired })) !== null;
}

/**
 * The versions of output that the live workers of a kind make, each once. Empty without a worker, and when
 * their output depends on the input alone.
 */
export async function outputVersionsOf({
  queue,
  kind,
}: Pick<JobRecord, 'queue' | 'kind'>): Promise<string[]> {
  const workers = await WorkerEntry.find(
    { queues: queue, 'kinds.kind': kind, ...isUnexpired },
    { outputVersion: 1 },
  ).lean<{ outputVersion?: string }[]>();
  return [...new Set(workers.flatMap(({ outputVersion }) => outputVersion ?? []))];
}
