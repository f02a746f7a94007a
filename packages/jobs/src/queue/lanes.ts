import { jobCollection, type JobRecord, type JobWaiting } from '@bindery/models';
import type { QueueName } from '../definitions/defineJob.ts';
import { dispatchJobs } from './dispatch.ts';
import { withQueueSlot } from './window.ts';

/**
 * A lane lets one job run at a time, in the order in which they were accepted, later attempts included: what was asked for last is what
 * remains. The others stay in MongoDB as `accepted`, waiting for the lane. Two jobs that are let in at the same moment are told apart by
 * the claim, which MongoDB's unique index allows to one of them only.
 */
export const waitingForLane: JobWaiting = { reason: 'lane', message: 'Another job works on the same thing; this one follows it.' };

/** Jobs that wait for their lane. */
const isWaiting = { state: 'accepted', 'waiting.reason': 'lane' } as const;
/** Jobs that have been let in: each half is one look into an index, however many jobs wait for the lane. */
const isLetIn = { $or: [{ state: { $in: ['queued', 'running'] } }, { state: 'accepted', 'waiting.reason': { $ne: 'lane' } }] } as const;

/** Whether a lane has a job that has not ended yet. */
export async function isLaneTaken(lane: string): Promise<boolean> {
  return (await jobCollection().findOne({ lane, state: { $in: ['accepted', 'queued', 'running'] } }, { projection: { _id: 1 } })) !== null;
}

/** Lets the oldest job that waits for a lane go on, unless another one is under way in it: into the queue, or among those that wait for room there. */
export async function releaseLane(lane: string): Promise<void> {
  if (await jobCollection().findOne({ lane, ...(isLetIn as object) }, { projection: { _id: 1 } })) return;
  const next = await jobCollection().findOneAndUpdate(
    { lane, ...isWaiting },
    { $unset: { waiting: '' }, $inc: { seq: 1 } },
    { sort: { createdAt: 1 }, returnDocument: 'after' },
  );
  if (next) await dispatchIfRoom(next);
}

/** A job that finds no free slot is added when the window is refilled. */
async function dispatchIfRoom(job: JobRecord): Promise<void> {
  const queue = job.queue as QueueName;
  await withQueueSlot(queue, job.organization, async (slot) => {
    if (slot) await dispatchJobs(queue, [{ job, timing: { priority: await slot.priority } }]);
  });
}

const lanesPerLook = 50;
/** The lane that the last look ended with: the next one begins behind it. */
let lastSeen = '';

/**
 * Releases lanes whose last holder died between its end and its call to the next. A look is for a bounded number of lanes; where more wait, the
 * following looks go on.
 */
export async function recoverLanes(): Promise<void> {
  const lanes: string[] = [];
  while (lanes.length < lanesPerLook) {
    const waiting = await jobCollection().findOne(
      { ...isWaiting, lane: { $gt: lanes.at(-1) ?? lastSeen } },
      { sort: { lane: 1 }, projection: { lane: 1 } },
    );
    if (waiting?.lane === undefined) break;
    lanes.push(waiting.lane);
  }
  lastSeen = lanes.length < lanesPerLook ? '' : (lanes.at(-1) ?? '');
  const busy = new Set(await jobCollection().distinct('lane', { lane: { $in: lanes }, ...(isLetIn as object) }));
  for (const lane of lanes) if (!busy.has(lane)) await releaseLane(lane);
}
