import { ApiError, finalJobStates } from '@bindery/contract';
import { findOutcomes, jobCollection, jobOutcomeCollection, type JobRecord } from '@bindery/models';
import { isJoinKeyTaken } from './acceptOrJoin.ts';
import type { QueueName } from '../definitions/defineJob.ts';
import { addToQueue } from '../queue/dispatch.ts';
import { announce } from '../queue/events.ts';
import { expireLog, keepLog } from '../state/jobLog.ts';
import { isLaneTaken, releaseLane, waitingForLane } from '../queue/lanes.ts';
import { keepingAtEnd } from '../state/outcomes.ts';
import { after } from '../queue/pipeline.ts';
import { eventAtEnd, eventsAtEnd } from '../state/syncEvents.ts';
import { afterRun } from '../state/transitions.ts';
import { withQueueSlot } from '../queue/window.ts';

const final = [...finalJobStates];

/**
 * Cancels a job: immediately when it waits; a running one through its worker, in any process. Cancelling a
 * cancelled job changes nothing.
 *
 * @returns the present job; `cancelRequestedAt` is set while its worker is stopping
 * @throws ApiError conflict when the job has already ended otherwise
 */
export async function cancelJob(id: string): Promise<JobRecord> {
  const isRunning = { $eq: ['$state', 'running'] };
  const { outcome, expireAt } = keepingAtEnd();
  const job = await jobCollection().findOneAndUpdate(
    { _id: id, state: { $nin: final } },
    [
      {
        $set: {
          cancelRequestedAt: { $ifNull: ['$cancelRequestedAt', '$$NOW'] },
          seq: { $add: ['$seq', 1] },
          state: { $cond: [isRunning, 'running', 'cancelled'] },
          finishedAt: { $cond: [isRunning, '$$REMOVE', '$$NOW'] },
          events: {
            $cond: [
              isRunning,
              { $ifNull: ['$events', '$$REMOVE'] },
              eventsAtEnd({ $literal: eventAtEnd({ state: 'cancelled' }) }),
            ],
          },
          outcome: { $cond: [isRunning, '$$REMOVE', outcome] },
          expireAt: { $cond: [isRunning, '$$REMOVE', expireAt] },
        },
      },
      { $unset: ['waiting', 'runAfter'] },
    ],
    { returnDocument: 'after' },
  );
  if (job) {
    announce(id, 'cancel');
    if (job.state === 'cancelled') {
      await expireLog(job);
      await afterRun(job);
    }
    return job;
  }
  const ended = (await jobCollection().findOne({ _id: id })) ?? (await findOutcomes({ job: id }))[0];
  if (ended?.state === 'cancelled') return ended;
  throw new ApiError(
    'conflict',
    `The job has already ended as ${ended?.state ?? 'gone'} and cannot be cancelled.`,
  );
}

/**
 * Runs an ended job again under its own id, and resets its count of attempts.
 *
 * @param dispatch  of the job as the caller knows it: with another one it has run again meanwhile
 * @throws ApiError conflict when the job has not ended, has succeeded, was started in another organization,
 *   or has another dispatch
 */
export async function retryJob(id: string, { dispatch }: { dispatch?: number } = {}): Promise<JobRecord> {
  const stored = await jobCollection().findOne(
    { _id: id },
    { projection: { queue: 1, organization: 1, lane: 1, startedIn: 1 } },
  );
  if (!stored)
    throw new ApiError('conflict', 'The record of the job has been removed, so it cannot be retried.');
  if (stored.startedIn !== undefined) throw startedElsewhere();
  if (stored.lane !== undefined && (await isLaneTaken(stored.lane))) {
    const job = await startAnew({ id, dispatch }, { state: 'accepted', waiting: waitingForLane });
    // If the lane became free after the check above, no other process would release it.
    await releaseLane(stored.lane);
    return job;
  }
  return withQueueSlot(stored.queue as QueueName, stored.organization, async (slot) => {
    const job = await startAnew({ id, dispatch }, { state: slot ? 'queued' : 'accepted' });
    if (slot) await addToQueue(job, { priority: await slot.priority });
    return job;
  });
}

async function startAnew(
  { id, dispatch }: { id: string; dispatch: number | undefined },
  start: Pick<JobRecord, 'state' | 'waiting'>,
): Promise<JobRecord> {
  const job = await jobCollection()
    .findOneAndUpdate(
      {
        _id: id,
        state: { $in: ['failed', 'cancelled', 'timed_out', 'superseded'] },
        startedIn: { $exists: false },
        ...(dispatch !== undefined && { dispatch }),
      },
      [
        {
          $set: {
            ...{
              dispatchedAt: null,
              cancelRequestedAt: null,
              tries: 0,
              crashes: 0,
              resourceTries: 0,
              ...start,
            },
            dispatch: { $add: ['$dispatch', 1] },
            seq: { $add: ['$seq', 1] },
            deadlineAt: { $cond: [{ $gt: ['$maxWaitMs', 0] }, after('$maxWaitMs'), '$$REMOVE'] },
          },
        },
        {
          $unset: [
            'error',
            'result',
            'progress',
            'startedAt',
            'finishedAt',
            'outcome',
            'expireAt',
            'runAfter',
            'leaseUntil',
          ],
        },
      ],
      { returnDocument: 'after' },
    )
    .catch((error: unknown) => {
      if (!isJoinKeyTaken(error)) throw error;
      throw new ApiError('conflict', 'Another job with the same result is running; follow that one.');
    });
  if (job) {
    // Until its next end the job is shown from its record, not from the outcome kept under its id.
    await jobOutcomeCollection().deleteOne({ _id: id, dispatch: { $lt: job.dispatch } });
    await keepLog(job);
    announce(id);
    return job;
  }
  const ended = await jobCollection().findOne({ _id: id }, { projection: { state: 1, startedIn: 1 } });
  if (ended?.startedIn !== undefined) throw startedElsewhere();
  throw new ApiError(
    'conflict',
    `Only a job that failed, was cancelled, timed out or was superseded can be retried; this one is ${ended?.state ?? 'gone'}.`,
  );
}

function startedElsewhere(): ApiError {
  return new ApiError(
    'conflict',
    'The job was started in another organization, before its space was transferred.',
    {
      action: 'Start a new job, with the credentials if it needs any.',
    },
  );
}
