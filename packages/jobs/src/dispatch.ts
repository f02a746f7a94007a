import { jobCollection, type JobRecord } from '@bindery/models';
import { queueOf, tryRedis } from './client.ts';
import type { QueueName } from './defineJob.ts';
import { maxCrashes } from './retry.ts';

type Dispatched = Pick<JobRecord, '_id' | 'queue' | 'dispatch' | 'crashes'>;

/** What Redis carries of a job. */
export type Message = {
  id: string;
  dispatch: number;
  /** One more crash and the job is given up: nothing else shall run in its worker then (solitude.ts). */
  alone?: true;
};

/** When and before which others Redis delivers an id; priority 0 goes before all others. */
export type Place = { delayMs?: number; priority?: number };

/** The id under which BullMQ knows one dispatch of a job. It ignores an id that it has seen, so each addition has its own. */
export function dispatchId(job: { _id: string; dispatch: number }): string {
  return `j-${job._id}-${job.dispatch}`;
}

/**
 * Gives a queued job's id to Redis. Never throws: a job that Redis did not take keeps `dispatchedAt: null` and the sweeper adds it again.
 */
export async function addToQueue(job: Dispatched, place: Place = {}): Promise<void> {
  const { name, data, opts } = messageOf(job, place);
  const added = await tryRedis(() => queueOf(job.queue as QueueName).add(name, data, opts));
  if (added) noteDispatched(job);
}

/**
 * Dispatches accepted jobs, or queued ones again: raises `dispatch` of those that nobody changed meanwhile, and gives the new ids to Redis.
 *
 * Two processes may choose the same job: the second changes nothing, and BullMQ ignores its addition.
 */
export async function dispatchJobs(
  queue: QueueName,
  chosen: readonly { job: Dispatched & Pick<JobRecord, 'state'>; place: Place }[],
): Promise<void> {
  if (chosen.length === 0) return;
  const dispatchedAt = new Date();
  await jobCollection().bulkWrite(
    chosen.map(({ job: { _id, dispatch, state } }) => ({
      updateOne: {
        filter: { _id, dispatch, state },
        update: {
          $set: { dispatchedAt, ...(state === 'accepted' && { state: 'queued' as const }) },
          $inc: { dispatch: 1 },
          ...(state === 'accepted' && { $unset: { waiting: '' as const } }),
        },
      },
    })),
    { ordered: false },
  );
  const messages = chosen.map(({ job, place }) => messageOf({ ...job, dispatch: job.dispatch + 1 }, place));
  const added = await tryRedis(() => queueOf(queue).addBulk(messages));
  if (!added) {
    await jobCollection().updateMany(
      { _id: { $in: chosen.map(({ job }) => job._id) }, state: 'queued', dispatchedAt },
      { $set: { dispatchedAt: null } },
    );
  }
}

function messageOf({ _id, dispatch, crashes }: Dispatched, { delayMs = 0, priority = 0 }: Place) {
  const data: Message = { id: _id, dispatch, ...(crashes >= maxCrashes - 1 && { alone: true as const }) };
  return { name: 'job', data, opts: { jobId: dispatchId({ _id, dispatch }), delay: delayMs, ...(priority && { priority }) } };
}

const noteAfterMs = 1_000;
let noted: Dispatched[] = [];

/**
 * Notes that Redis has the id. Only those who ask what a job waits for look at it, after a while: nobody waits for the note, losing it costs
 * nothing, and a claim that comes first makes it needless.
 */
function noteDispatched(job: Dispatched): void {
  if (noted.length === 0) setTimeout(() => void writeNotes().catch(() => {}), noteAfterMs).unref();
  noted.push(job);
}

async function writeNotes(): Promise<void> {
  const jobs = noted;
  noted = [];
  await jobCollection().bulkWrite(
    jobs.map(({ _id, dispatch }) => ({
      updateOne: { filter: { _id, dispatch, dispatchedAt: null }, update: [{ $set: { dispatchedAt: '$$NOW' } }] },
    })),
    { ordered: false, writeConcern: { w: 1, j: false } },
  );
}
