import { databaseNow, jobCollection, type JobRecord } from '@bindery/models';
import { queueOf, tryRedis } from './client.ts';
import type { QueueName } from '../definitions/defineJob.ts';
import { isOfDispatch, now } from './pipeline.ts';
import { maxCrashes } from '../definitions/retry.ts';

type Dispatched = Pick<JobRecord, '_id' | 'queue' | 'organization' | 'kind' | 'dispatch' | 'crashes'>;

/** The fields of a job needed to dispatch it, as a projection. */
export const dispatchedFields = { queue: 1, organization: 1, kind: 1, dispatch: 1, crashes: 1 } as const;

/** The message about a job in Redis. */
export type Message = {
  id: string;
  dispatch: number;
  /**
   * Decide which limits apply, before MongoDB is queried. Absent in messages of earlier versions of the
   * platform.
   */
  organization?: string;
  kind?: string;
  /** One more crash and the job is given up, so it runs alone in its worker (exclusiveRuns.ts). */
  alone?: true;
};

/** The delay and priority of an id in Redis; the first jobs of all organizations have priority 1. */
export type Timing = { delayMs?: number; priority?: number };

/**
 * BullMQ's id of one dispatch of a job. BullMQ ignores an id that it has seen, so each dispatch has its own.
 */
export function dispatchId(job: { _id: string; dispatch: number }): string {
  return `j-${job._id}-${job.dispatch}`;
}

/**
 * Gives a queued job's id to Redis. Never throws: a job that Redis did not take keeps `dispatchedAt: null`
 * and the sweeper adds it again.
 */
export async function addToQueue(job: Dispatched, timing: Timing = {}): Promise<void> {
  const { name, data, opts } = messageOf(job, timing);
  const added = await tryRedis(() => queueOf(job.queue as QueueName).add(name, data, opts));
  if (added) noteDispatched(job);
}

/**
 * Dispatches accepted jobs, or queued ones again: raises `dispatch` of those unchanged since they were read,
 * and adds the new ids to Redis.
 *
 * Two processes may choose the same job: the second changes nothing, and BullMQ ignores its addition.
 */
export async function dispatchJobs(
  queue: QueueName,
  chosen: readonly { job: Dispatched & Pick<JobRecord, 'state'>; timing: Timing }[],
): Promise<void> {
  if (chosen.length === 0) return;
  const dispatchedAt = databaseNow();
  for (const state of ['accepted', 'queued'] as const) {
    const jobs = chosen
      .filter(({ job }) => job.state === state)
      .map(({ job }) => ({ id: job._id, dispatch: job.dispatch }));
    if (jobs.length === 0) continue;
    await jobCollection().updateMany(
      { _id: { $in: jobs.map(({ id }) => id) }, state, ...isOfDispatch(jobs) },
      {
        $set: { dispatchedAt, state: 'queued' },
        $inc: { dispatch: 1 },
        ...(state === 'accepted' && { $unset: { waiting: '' as const } }),
      },
    );
  }
  const messages = chosen.map(({ job, timing }) => messageOf({ ...job, dispatch: job.dispatch + 1 }, timing));
  const added = await tryRedis(() => queueOf(queue).addBulk(messages));
  if (!added) {
    await jobCollection().updateMany(
      { _id: { $in: chosen.map(({ job }) => job._id) }, state: 'queued', dispatchedAt },
      { $set: { dispatchedAt: null } },
    );
  }
}

function messageOf(
  { _id, dispatch, organization, kind, crashes }: Dispatched,
  { delayMs = 0, priority = 1 }: Timing,
) {
  const data: Message = {
    id: _id,
    dispatch,
    organization,
    kind,
    alone: crashes >= maxCrashes - 1 || undefined,
  };
  return { name: 'job', data, opts: { jobId: dispatchId({ _id, dispatch }), delay: delayMs, priority } };
}

const noteAfterMs = 1_000;
/** The dispatch that Redis has taken, by job id. */
let noted = new Map<string, number>();

/**
 * Notes that Redis has the id, written late and in batches. Only explaining why a job waits reads the note;
 * losing it is harmless, and an earlier claim makes it superfluous.
 */
function noteDispatched({ _id, dispatch }: Dispatched): void {
  if (noted.size === 0) setTimeout(() => void writeNotes().catch(() => {}), noteAfterMs).unref();
  noted.set(_id, dispatch);
}

async function writeNotes(): Promise<void> {
  const jobs = [...noted].map(([id, dispatch]) => ({ id, dispatch }));
  noted = new Map();
  await jobCollection().updateMany(
    { _id: { $in: jobs.map(({ id }) => id) }, dispatchedAt: null, ...isOfDispatch(jobs) },
    [{ $set: { dispatchedAt: now } }],
    { writeConcern: { w: 1, j: false } },
  );
}
