import { jobCollection, type JobRecord, type JobWaiting } from '@bindery/models';
import type { QueueName } from './defineJob.ts';
import { dispatchJobs } from './dispatch.ts';
import { withPlace } from './window.ts';

/**
 * A lane lets one job run at a time, in the order in which they were accepted, tries again included: what was asked for last is what
 * remains. The others stay in MongoDB as `accepted`, waiting for the lane. Two jobs that are let in at the same moment are told apart by
 * the claim, which MongoDB's unique index allows to one of them only.
 */
export const waitingForLane: JobWaiting = { reason: 'lane', message: 'Another job works on the same thing; this one follows it.' };

/** Whether a lane has a job that has not ended yet. */
export async function isLaneTaken(lane: string): Promise<boolean> {
  return (await jobCollection().findOne({ lane, state: { $in: ['accepted', 'queued', 'running'] } }, { projection: { _id: 1 } })) !== null;
}

/** Lets the oldest job that waits for a lane go on, unless another one is under way in it: into the queue, or among those that wait for room there. */
export async function releaseLane(lane: string): Promise<void> {
  const busy = await jobCollection().findOne(
    { lane, $or: [{ state: { $in: ['queued', 'running'] } }, { state: 'accepted', 'waiting.reason': { $ne: 'lane' } }] },
    { projection: { _id: 1 } },
  );
  if (busy) return;
  const next = await jobCollection().findOneAndUpdate(
    { lane, state: 'accepted', 'waiting.reason': 'lane' },
    { $unset: { waiting: '' }, $inc: { seq: 1 } },
    { sort: { createdAt: 1 }, returnDocument: 'after' },
  );
  if (next) await dispatchIfRoom(next);
}

/** Where there is no place, whoever refills the window finds it. */
async function dispatchIfRoom(job: JobRecord): Promise<void> {
  const queue = job.queue as QueueName;
  await withPlace(queue, job.organization, async (place) => {
    if (place) await dispatchJobs(queue, [{ job, place }]);
  });
}
