import { jobCollection, type JobRecord, type JobWaiting } from '@bindery/models';
import type { QueueName } from '../definitions/defineJob.ts';
import { dispatchJobs } from './dispatch.ts';
import { withQueueSlot } from './window.ts';

/**
 * A lane runs one job at a time, in the order of acceptance, retries included, so that the result of the last
 * request remains. The others stay in MongoDB as `accepted`, waiting for the lane. Two jobs let in at the
 * same moment are separated by the claim, which MongoDB's unique index allows to only one of them.
 */
export const waitingForLane: JobWaiting = {
  reason: 'lane',
  message: 'Another job works on the same thing; this one follows it.',
};

/** Jobs waiting for their lane. */
const isWaiting = { state: 'accepted', 'waiting.reason': 'lane' } as const;
/** Jobs let into their lane. Each half is one index lookup, however many jobs wait for the lane. */
const isLetIn = {
  $or: [{ state: { $in: ['queued', 'running'] } }, { state: 'accepted', 'waiting.reason': { $ne: 'lane' } }],
} as const;

/** Whether a lane has an unfinished job. */
export async function isLaneTaken(lane: string): Promise<boolean> {
  return (
    (await jobCollection().findOne(
      { lane, state: { $in: ['accepted', 'queued', 'running'] } },
      { projection: { _id: 1 } },
    )) !== null
  );
}

/**
 * Lets the oldest job waiting for a lane into the queue, or makes it wait for a queue slot; does nothing
 * while another job is in the lane.
 */
export async function releaseLane(lane: string): Promise<void> {
  if (await jobCollection().findOne({ lane, ...(isLetIn as object) }, { projection: { _id: 1 } })) return;
  const next = await jobCollection().findOneAndUpdate(
    { lane, ...isWaiting },
    { $unset: { waiting: '' }, $inc: { seq: 1 } },
    { sort: { createdAt: 1 }, returnDocument: 'after' },
  );
  if (next) await dispatchIfRoom(next);
}

/** Without a free slot the job is dispatched when the window is refilled. */
async function dispatchIfRoom(job: JobRecord): Promise<void> {
  const queue = job.queue as QueueName;
  await withQueueSlot(queue, job.organization, async (slot) => {
    if (slot) await dispatchJobs(queue, [{ job, timing: { priority: await slot.priority } }]);
  });
}

const lanesPerLook = 50;
/** The last lane of the previous recovery; the next one starts after it. */
let lastSeen = '';

/**
 * Releases lanes whose last job ended in a process that died before it released them. Each call handles a
 * limited number of lanes; the next calls continue.
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
  const busy = new Set(
    await jobCollection().distinct('lane', { lane: { $in: lanes }, ...(isLetIn as object) }),
  );
  for (const lane of lanes) if (!busy.has(lane)) await releaseLane(lane);
}
