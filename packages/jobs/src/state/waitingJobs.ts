import {
  isUnexpired,
  jobCollection,
  WorkerEntry,
  type ClientSession,
  type JobErrorRecord,
  type JobRecord,
} from '@bindery/models';
import type { QueueName } from '../definitions/defineJob.ts';
import { addToQueue, dispatchedFields } from '../queue/dispatch.ts';
import { releaseLane, waitingForLane } from '../queue/lanes.ts';
import { keepingAtEnd } from './outcomes.ts';
import { after, now } from '../queue/pipeline.ts';
import { eventAtEnd, eventsAtEnd } from './syncEvents.ts';
import { priorityBehind } from '../queue/window.ts';

/**
 * State changes of waiting jobs. Each condition includes the present dispatch, so that a decision about an
 * older one has no effect.
 */

type Delivered = Pick<JobRecord, '_id' | 'dispatch'>;

/**
 * The delays of a job that needs a newer worker: during an update of the platform, and without a live worker
 * of the needed version.
 */
const newerWorkerDelayMs = 250;
const noWorkerDelayMs = 5_000;

/** Puts aside a job whose lane is taken; it is dispatched when the lane is free. */
export async function setAsideForLane({ _id, dispatch }: Delivered): Promise<void> {
  const job = await jobCollection().findOneAndUpdate(
    { _id, dispatch, state: 'queued' },
    { $set: { state: 'accepted', waiting: waitingForLane }, $inc: { seq: 1 }, $unset: { runAfter: '' } },
    { returnDocument: 'after', projection: { lane: 1 } },
  );
  // The lane may have become free between the refusal and this write; then no other process would release it.
  if (job?.lane !== undefined) await releaseLane(job.lane);
}

/** Puts aside a job that needs a newer worker, and dispatches it again after a delay. */
export async function setAsideForVersion({ _id, dispatch }: Delivered): Promise<void> {
  const stored = await jobCollection().findOne(
    { _id },
    { projection: { kind: 1, version: 1, queue: 1, organization: 1 } },
  );
  if (!stored) return;
  const delayMs = (await hasWorkerFor(stored)) ? newerWorkerDelayMs : noWorkerDelayMs;
  const job = await jobCollection().findOneAndUpdate(
    { _id, dispatch, state: 'queued' },
    [
      {
        $set: {
          waiting: {
            reason: 'version',
            message: 'The job needs a newer worker than the one that received it.',
            until: after(delayMs),
          },
          dispatchedAt: null,
          runAfter: after(delayMs),
          dispatch: { $add: ['$dispatch', 1] },
          seq: { $add: ['$seq', 1] },
        },
      },
    ],
    { returnDocument: 'after', projection: dispatchedFields },
  );
  if (job)
    await addToQueue(job, {
      delayMs,
      priority: await priorityBehind(stored.queue as QueueName, stored.organization),
    });
}

async function hasWorkerFor({
  kind,
  version,
  queue,
}: Pick<JobRecord, 'kind' | 'version' | 'queue'>): Promise<boolean> {
  return (
    (await WorkerEntry.exists({
      queues: queue,
      ...isUnexpired,
      kinds: { $elemMatch: { kind, version: { $gte: version } } },
    })) !== null
  );
}

/** Hands back a job that was delivered to a worker about to stop. */
export async function handBack({ _id, dispatch }: Delivered): Promise<void> {
  const job = await jobCollection().findOneAndUpdate(
    { _id, dispatch, state: 'queued' },
    { $set: { dispatchedAt: null }, $inc: { dispatch: 1 } },
    { returnDocument: 'after', projection: dispatchedFields },
  );
  if (job) await addToQueue(job);
}

/** Ends a job that is not running. */
export async function endWaiting(
  { _id, dispatch }: Delivered,
  { state, error }: { state: 'timed_out'; error: JobErrorRecord },
): Promise<boolean> {
  const { matchedCount } = await jobCollection().updateOne(
    { _id, dispatch, state: { $in: ['accepted', 'queued'] } },
    ending(state, error),
  );
  return matchedCount === 1;
}

/** The fields of an unstarted job that a newer one of its lane needs. */
export type WaitingJob = Pick<JobRecord, '_id' | 'kind' | 'input'>;

/**
 * The jobs of a lane that a newer one supersedes: `unstarted`; `waiting`, which includes those between two
 * attempts, for kinds whose failed attempts leave nothing; or those that the function picks from a list of
 * the unstarted, sorted newest first.
 */
export type Supersedes =
  | 'unstarted'
  | 'waiting'
  | ((unstarted: readonly WaitingJob[]) => readonly WaitingJob[]);

/** Far more than ever wait in a lane whose jobs supersede each other; older ones run. */
const maxSuperseded = 1_000;

/**
 * Supersedes waiting jobs of a lane: the newer job includes all their work.
 *
 * @returns their ids
 */
export async function supersedeWaiting(
  newer: Pick<JobRecord, '_id' | 'lane'>,
  supersedes: Supersedes,
  session: ClientSession,
): Promise<string[]> {
  if (newer.lane === undefined) return [];
  const waiting = await jobCollection()
    .find(
      {
        lane: newer.lane,
        state: { $in: ['accepted', 'queued'] },
        ...(supersedes !== 'waiting' && { startedAt: { $exists: false } }),
      },
      { session, projection: { kind: 1, input: 1 } },
    )
    .sort({ createdAt: -1 })
    .limit(maxSuperseded)
    .toArray();
  const ids = (typeof supersedes === 'function' ? supersedes(waiting) : waiting).map(({ _id }) => _id);
  const error: JobErrorRecord = {
    class: 'invalid',
    code: 'superseded',
    message: `The newer job ${newer._id} replaced it.`,
  };
  if (ids.length > 0)
    await jobCollection().updateMany({ _id: { $in: ids } }, ending('superseded', error), { session });
  return ids;
}

/** A job cancelled while it waited, with the fields needed to start the next one. */
export type CancelledJob = Pick<JobRecord, '_id' | 'lane' | 'queue'>;

/**
 * Cancels in one write the matching jobs that no worker has claimed.
 *
 * @returns the cancelled jobs, with the fields needed to follow up
 */
export async function cancelWaiting(filter: object, session?: ClientSession): Promise<CancelledJob[]> {
  const waiting = { ...filter, state: { $in: ['accepted', 'queued'] as ('accepted' | 'queued')[] } };
  const inSession = session && { session };
  const jobs = await jobCollection()
    .find(waiting, { ...inSession, projection: { lane: 1, queue: 1 } })
    .toArray();
  if (jobs.length > 0)
    await jobCollection().updateMany(
      waiting,
      [{ $set: { cancelRequestedAt: now } }, ...ending('cancelled')],
      inSession,
    );
  return jobs;
}

function ending(state: 'timed_out' | 'superseded' | 'cancelled', error?: JobErrorRecord) {
  return [
    {
      $set: {
        state,
        ...(error && { error: { $literal: error } }),
        seq: { $add: ['$seq', 1] },
        finishedAt: now,
        events: eventsAtEnd({ $literal: eventAtEnd({ state }) }),
        ...keepingAtEnd(),
      },
    },
    { $unset: ['waiting', 'runAfter'] },
  ];
}
