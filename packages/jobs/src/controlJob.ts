import { ApiError, finalJobStates } from '@bindery/contract';
import { jobCollection, type JobRecord } from '@bindery/models';
import { jobClient } from './client.ts';
import { addToQueue, findSlot } from './dispatch.ts';
import { announce } from './events.ts';
import { afterRun } from './transitions.ts';
import type { QueueName } from './defineJob.ts';

const final = [...finalJobStates];

/**
 * Cancels a job: at once when it waits, otherwise its worker is told, in whatever process it runs.
 * Cancelling a cancelled job changes nothing.
 *
 * @returns the job as it is now; `cancelRequestedAt` is set while its worker still stops
 * @throws ApiError conflict when the job has already ended otherwise
 */
export async function cancelJob(id: string): Promise<JobRecord> {
  const retentionMs = jobClient().config.jobs.retentionDays * 86_400_000;
  const job = await jobCollection().findOneAndUpdate(
    { _id: id, state: { $nin: final } },
    [
      {
        $set: {
          cancelRequestedAt: { $ifNull: ['$cancelRequestedAt', '$$NOW'] },
          seq: { $add: ['$seq', 1] },
          state: { $cond: [{ $eq: ['$state', 'running'] }, 'running', 'cancelled'] },
          finishedAt: { $cond: [{ $eq: ['$state', 'running'] }, '$$REMOVE', '$$NOW'] },
          expireAt: { $cond: [{ $eq: ['$state', 'running'] }, '$$REMOVE', { $dateAdd: { startDate: '$$NOW', unit: 'millisecond', amount: retentionMs } }] },
        },
      },
    ],
    { returnDocument: 'after' },
  );
  if (job) {
    announce(id, 'cancel');
    if (job.state === 'cancelled') await afterRun(job);
    return job;
  }
  const ended = await jobCollection().findOne({ _id: id });
  if (ended?.state === 'cancelled') return ended;
  throw new ApiError('conflict', `The job has already ended as ${ended?.state ?? 'gone'} and cannot be cancelled.`);
}

/**
 * Runs an ended job again under its own id, with its tries counted anew.
 *
 * @throws ApiError conflict when the job has not ended, or has succeeded
 */
export async function retryJob(id: string): Promise<JobRecord> {
  const stored = await jobCollection().findOne({ _id: id });
  const slot = stored && (await findSlot(stored.queue as QueueName, stored.organization));
  const job = await jobCollection().findOneAndUpdate(
    { _id: id, state: { $in: ['failed', 'cancelled', 'timed_out', 'superseded'] } },
    {
      $set: { state: slot ? 'queued' : 'accepted', dispatchedAt: null, cancelRequestedAt: null, tries: 0, crashes: 0, resourceTries: 0 },
      $inc: { dispatch: 1, seq: 1 },
      $unset: { error: '', result: '', progress: '', finishedAt: '', expireAt: '', runAfter: '', deadlineAt: '', waiting: '', leaseUntil: '' },
    },
    { returnDocument: 'after' },
  );
  if (!job) throw new ApiError('conflict', `Only a job that failed, was cancelled, timed out or was superseded can be retried; this one is ${stored?.state ?? 'gone'}.`);
  announce(id);
  if (slot) await addToQueue(job, slot);
  return job;
}
