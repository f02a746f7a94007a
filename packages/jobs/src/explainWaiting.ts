import { jobCollection, WorkerEntry, type JobRecord } from '@bindery/models';
import { isRedisAnswering } from './client.ts';
import { describeFailure, findFailingWorker } from './workerStates.ts';

export type Waiting = {
  position: number;
  reason: 'queue' | 'lane' | 'retry' | 'no_worker' | 'version' | 'dispatch';
  message: string;
  until?: Date;
};

/** A job that Redis has not taken for so long is not just on its way there. */
const owedMs = 2_000;

type Asked = Omit<JobRecord, 'input' | 'checkpoint'>;

/** Why a job that has not started is not running yet. Tells nothing about the jobs of other organizations. */
export async function explainWaiting(job: Asked): Promise<Waiting | undefined> {
  if (job.state !== 'accepted' && job.state !== 'queued') return undefined;
  const [ahead, hasWorker] = await Promise.all([
    jobCollection().countDocuments({ queue: job.queue, state: { $in: ['accepted', 'queued'] }, createdAt: { $lt: job.createdAt } }),
    hasLiveWorker(job.queue),
  ]);
  const position = ahead + 1;
  if (!hasWorker) return { position, reason: 'no_worker', ...(await explainNoWorker(job.queue)) };
  if (job.waiting) return { position, ...job.waiting };
  if (job.runAfter && job.runAfter > new Date())
    return { position, reason: 'retry', message: 'The last try failed; the next one follows.', until: job.runAfter };
  const isOwed = job.state === 'queued' && job.dispatchedAt === null && Date.now() - job.createdAt.getTime() > owedMs;
  if (isOwed || !isRedisAnswering())
    return { position, reason: 'dispatch', message: 'The queue does not answer at the moment; the job is added when it does.' };
  return { position, reason: 'queue', message: 'The job waits for a free worker.' };
}

async function explainNoWorker(queue: string): Promise<{ message: string; until?: Date }> {
  const failing = await findFailingWorker(queue);
  const cause = failing ? `: ${failing._id} is failing (${describeFailure(failing)})` : '';
  return {
    message: `No worker for ${queue} is running${cause}; the job starts when one does.`,
    ...(failing && failing.restartAt > new Date() && { until: failing.restartAt }),
  };
}

/** Whether a worker that serves the queue has been seen lately. */
export async function hasLiveWorker(queue: string): Promise<boolean> {
  return (await WorkerEntry.exists({ queues: queue, expireAt: { $gt: new Date() } })) !== null;
}
