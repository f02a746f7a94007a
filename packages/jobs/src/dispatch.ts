import { jobCollection, type JobRecord } from '@bindery/models';
import { queueOf, tryRedis } from './client.ts';
import type { QueueName } from './defineJob.ts';

type Dispatched = Pick<JobRecord, '_id' | 'queue' | 'dispatch'>;

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
  if (added) noteDispatched([job]);
}

/**
 * Dispatches jobs, or dispatches them again: raises `dispatch` of those that nobody changed meanwhile, and gives the new ids to Redis.
 *
 * Two processes may choose the same job: the second changes nothing, and BullMQ ignores its addition.
 */
export async function dispatchJobs(
  queue: QueueName,
  chosen: readonly { job: Pick<JobRecord, '_id' | 'queue' | 'dispatch' | 'state'>; place: Place }[],
): Promise<void> {
  if (chosen.length === 0) return;
  await jobCollection().bulkWrite(
    chosen.map(({ job: { _id, dispatch, state } }) => ({
      updateOne: {
        // A run that came back to life keeps its job.
        filter: { _id, dispatch, state, ...(state === 'running' && { $expr: { $lt: ['$leaseUntil', '$$NOW'] } }) },
        update: {
          $set: { dispatchedAt: null, ...(state === 'accepted' && { state: 'queued' as const }) },
          $inc: { dispatch: 1 },
          ...(state === 'accepted' && { $unset: { waiting: '' as const } }),
        },
      },
    })),
    { ordered: false },
  );
  const raised = chosen.map(({ job, place }) => ({ job: { ...job, dispatch: job.dispatch + 1 }, place }));
  const added = await tryRedis(() => queueOf(queue).addBulk(raised.map(({ job, place }) => messageOf(job, place))));
  if (added) noteDispatched(raised.map(({ job }) => job));
}

function messageOf({ _id, dispatch }: Dispatched, { delayMs = 0, priority = 0 }: Place) {
  return {
    name: 'job',
    data: { id: _id, dispatch },
    opts: { jobId: dispatchId({ _id, dispatch }), delay: delayMs, ...(priority && { priority }) },
  };
}

const noteAfterMs = 250;
let noted: Dispatched[] = [];

/**
 * Notes that Redis has the ids. Only those who ask what a job waits for look at it: nobody waits for the note, losing it costs nothing, and
 * a claim that comes first makes it needless.
 */
function noteDispatched(jobs: readonly Dispatched[]): void {
  if (noted.length === 0) setTimeout(() => void writeNotes().catch(() => {}), noteAfterMs).unref();
  noted.push(...jobs);
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
