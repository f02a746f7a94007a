import { ApiError } from '@bindery/contract';
import { jobCollection, jobOutcomeCollection, type ClientSession } from '@bindery/models';
import { cancelJob } from './controlJob.ts';
import type { QueueName } from '../definitions/defineJob.ts';
import { announce } from '../queue/events.ts';
import { releaseLane } from '../queue/lanes.ts';
import { now } from '../queue/pipeline.ts';
import { refill } from '../queue/refill.ts';
import { cancelWaiting, type CancelledJob } from '../state/waitingJobs.ts';

/**
 * Hides the jobs of a subject, or of everything in a space, that this transaction removes: without the
 * subject nothing decides who may see them.
 */
export async function hideJobsAbout(subjectId: string, session: ClientSession): Promise<void> {
  await jobCollection().updateMany(of([subjectId]), { $set: { isSubjectGone: true } }, { session });
}

/**
 * Moves the jobs of spaces to another organization, which then lists them in place of the old one. Unfinished
 * jobs are cancelled and none can be retried, because they ran with the rights of the old organization.
 *
 * The transaction that would publish the result of a running job is refused from then on.
 * @returns a function to call once the transaction is committed
 */
export async function transferJobsOf(
  spaces: readonly string[],
  { organization, session }: { organization: string; session: ClientSession },
): Promise<() => Promise<void>> {
  const jobs = of(spaces);
  const waiting = await cancelWaiting(jobs, session);
  const isRunning = { ...jobs, state: 'running' as const };
  const running = await jobCollection()
    .find(isRunning, { session, projection: { _id: 1 } })
    .toArray();
  const cancelRequestedAt = { $ifNull: ['$cancelRequestedAt', now] };
  await jobCollection().updateMany(isRunning, [{ $set: { cancelRequestedAt, seq: { $add: ['$seq', 1] } } }], {
    session,
  });
  const moved = {
    $set: {
      startedIn: { $ifNull: ['$startedIn', '$organization'] },
      organization: { $literal: organization },
    },
  };
  // A seat belongs to the organization that the job ran for; the same seat of the other one may be taken.
  await jobCollection().updateMany(jobs, [moved, { $unset: 'seats' }], { session });
  await jobOutcomeCollection().updateMany({ space: { $in: [...spaces] } }, [moved], { session });
  return async () => {
    for (const { _id } of running) announce(_id, 'cancel');
    await followCancelled(waiting);
  };
}

function of(ids: readonly string[]) {
  return { $or: [{ 'subject.id': { $in: [...ids] } }, { space: { $in: [...ids] } }] };
}

/**
 * Cancels the unfinished jobs of subjects, and of everything in spaces. One write cancels all waiting ones,
 * so that none starts in between. A job missed here finds its subject gone.
 */
export async function cancelJobsAbout(subjects: readonly string[]): Promise<void> {
  if (subjects.length === 0) return;
  await followCancelled(await cancelWaiting(of(subjects)));
  const running = await jobCollection()
    .find({ ...of(subjects), state: { $in: ['accepted', 'queued', 'running'] } }, { projection: { _id: 1 } })
    .toArray();
  for (const { _id } of running) {
    try {
      await cancelJob(_id);
    } catch (error) {
      // It ended in the meantime.
      if (!(error instanceof ApiError && error.code === 'conflict')) throw error;
    }
  }
}

/** Notifies watchers of cancelled jobs, and gives their lanes and queue slots to the next jobs. */
async function followCancelled(jobs: readonly CancelledJob[]): Promise<void> {
  announce(jobs.map(({ _id }) => _id));
  for (const lane of new Set(jobs.map((job) => job.lane))) if (lane !== undefined) await releaseLane(lane);
  for (const queue of new Set(jobs.map((job) => job.queue as QueueName))) refill(queue).catch(() => {});
}
