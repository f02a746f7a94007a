import { isUnexpired, jobCollection, WorkerEntry, type ClientSession, type JobErrorRecord, type JobRecord } from '@bindery/models';
import type { QueueName } from '../definitions/defineJob.ts';
import { addToQueue, dispatchedFields } from '../queue/dispatch.ts';
import { releaseLane, waitingForLane } from '../queue/lanes.ts';
import { keepingAtEnd } from './outcomes.ts';
import { after, now } from '../queue/pipeline.ts';
import { eventAtEnd, eventsAtEnd } from './syncEvents.ts';
import { priorityBehind } from '../queue/window.ts';

/** Where the state of a job changes that waits. The present dispatch is part of each condition: what was decided on an older one is void. */

type Delivered = Pick<JobRecord, '_id' | 'dispatch'>;

/** How soon a job that needs a newer worker comes back: while the platform is updated, and while no such worker is there. */
const newerWorkerDelayMs = 250;
const noWorkerDelayMs = 5_000;

/** Puts a job aside whose lane is in use; it comes back when the lane is free. */
export async function setAsideForLane({ _id, dispatch }: Delivered): Promise<void> {
  const job = await jobCollection().findOneAndUpdate(
    { _id, dispatch, state: 'queued' },
    { $set: { state: 'accepted', waiting: waitingForLane }, $inc: { seq: 1 }, $unset: { runAfter: '' } },
    { returnDocument: 'after', projection: { lane: 1 } },
  );
  // The lane may have become free between the refusal and this write: nobody else would look then.
  if (job?.lane !== undefined) await releaseLane(job.lane);
}

/** Puts a job aside that needs a newer worker; it comes back after a while. */
export async function setAsideForVersion({ _id, dispatch }: Delivered): Promise<void> {
  const stored = await jobCollection().findOne({ _id }, { projection: { kind: 1, version: 1, queue: 1, organization: 1 } });
  if (!stored) return;
  const delayMs = (await hasWorkerFor(stored)) ? newerWorkerDelayMs : noWorkerDelayMs;
  const job = await jobCollection().findOneAndUpdate(
    { _id, dispatch, state: 'queued' },
    [
      {
        $set: {
          waiting: { reason: 'version', message: 'The job needs a newer worker than the one that received it.', until: after(delayMs) },
          dispatchedAt: null,
          runAfter: after(delayMs),
          dispatch: { $add: ['$dispatch', 1] },
          seq: { $add: ['$seq', 1] },
        },
      },
    ],
    { returnDocument: 'after', projection: dispatchedFields },
  );
  if (job) await addToQueue(job, { delayMs, priority: await priorityBehind(stored.queue as QueueName, stored.organization) });
}

async function hasWorkerFor({ kind, version, queue }: Pick<JobRecord, 'kind' | 'version' | 'queue'>): Promise<boolean> {
  return (
    (await WorkerEntry.exists({
      queues: queue,
      ...isUnexpired,
      kinds: { $elemMatch: { kind, version: { $gte: version } } },
    })) !== null
  );
}

/** Gives a job back that was delivered to a worker which is about to end. */
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
  const { matchedCount } = await jobCollection().updateOne({ _id, dispatch, state: { $in: ['accepted', 'queued'] } }, ending(state, error));
  return matchedCount === 1;
}

/** A job that has not started, as far as it matters to a newer one of its lane. */
export type WaitingJob = Pick<JobRecord, '_id' | 'kind' | 'input'>;

/** Far more than wait in a lane whose jobs take each other's place; what is older runs. */
const maxSuperseded = 1_000;

/**
 * Ends jobs of a lane that have not started: the newer job does all that they would.
 *
 * @returns their ids
 */
export async function supersedeWaiting(
  newer: Pick<JobRecord, '_id' | 'lane'>,
  supersedes: true | ((waiting: readonly WaitingJob[]) => readonly WaitingJob[]),
  session: ClientSession,
): Promise<string[]> {
  if (newer.lane === undefined) return [];
  const waiting = await jobCollection()
    .find(
      { lane: newer.lane, state: { $in: ['accepted', 'queued'] }, startedAt: { $exists: false } },
      { session, projection: { kind: 1, input: 1 } },
    )
    .sort({ createdAt: -1 })
    .limit(maxSuperseded)
    .toArray();
  const ids = (supersedes === true ? waiting : supersedes(waiting)).map(({ _id }) => _id);
  const error: JobErrorRecord = {
    class: 'invalid',
    code: 'superseded',
    message: `The newer job ${newer._id} replaced it before it started.`,
  };
  if (ids.length > 0) await jobCollection().updateMany({ _id: { $in: ids } }, ending('superseded', error), { session });
  return ids;
}

/** A job that was cancelled while it waited, with what the next job needs. */
export type CancelledJob = Pick<JobRecord, '_id' | 'lane' | 'queue'>;

/**
 * Cancels the jobs that match and that no worker has, in one write.
 *
 * @returns those that it found, with what has to be told of their end
 */
export async function cancelWaiting(filter: object, session?: ClientSession): Promise<CancelledJob[]> {
  const waiting = { ...filter, state: { $in: ['accepted', 'queued'] as ('accepted' | 'queued')[] } };
  const inSession = session && { session };
  const jobs = await jobCollection()
    .find(waiting, { ...inSession, projection: { lane: 1, queue: 1 } })
    .toArray();
  if (jobs.length > 0) await jobCollection().updateMany(waiting, [{ $set: { cancelRequestedAt: now } }, ...ending('cancelled')], inSession);
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
