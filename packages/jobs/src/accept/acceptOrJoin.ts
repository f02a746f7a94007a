import { ApiError } from '@bindery/contract';
import {
  findOutcomes,
  isDuplicateKey,
  jobCollection,
  retryOptimistic,
  type JobRecord,
} from '@bindery/models';
import type { z } from 'zod';
import { acceptJob, type JobRequest } from './acceptJob.ts';
import type { JobDefinition } from '../definitions/defineJob.ts';

/**
 * Accepts a job, or returns an existing one with the same `joinKey` that has not ended or whose result is
 * still of use; then nothing is written.
 *
 * The key identifies the result and everything it depends on. A unique index on the jobs that have not ended
 * enforces one job per key across processes.
 * @param request.isOfUse  whether the result of a succeeded job can be reused; without it, none is
 * @param request.requireRoom  throws when no further job may be accepted; not called for an existing one
 * @throws what acceptJob and `requireRoom` throw; ApiError conflict while the existing job is being
 *   cancelled, or when other callers keep starting such jobs
 */
export async function acceptOrJoin<Input extends z.ZodObject, Result extends z.ZodObject>(
  definition: JobDefinition<Input, Result>,
  {
    isOfUse,
    requireRoom,
    ...request
  }: JobRequest<Input> & {
    joinKey: string;
    isOfUse?: (job: JobRecord) => Promise<boolean>;
    requireRoom?: () => Promise<void>;
  },
): Promise<JobRecord> {
  const { joinKey } = request;
  return retryOptimistic({
    attempts: 10,
    attempt: async () => {
      // Unfinished jobs first: a job that ends between the two queries is then found among the succeeded
      // ones.
      const underWay = await jobCollection().findOne({
        joinKey,
        state: { $in: ['accepted', 'queued', 'running'] },
      });
      if (underWay?.cancelRequestedAt)
        throw new ApiError(
          'conflict',
          'A job with the same result is being cancelled; try again in a moment.',
        );
      if (underWay) return underWay;
      const done = isOfUse && (await findDone(joinKey));
      if (done && (await isOfUse(done))) return done;
      await requireRoom?.();
      return acceptJob(definition, request);
    },
    // The job that caused the conflict has ended, or can be joined.
    isOvertaken: isJoinKeyTaken,
    refusal: () =>
      new ApiError('conflict', 'Jobs with the same result keep starting and ending; try again in a moment.'),
  });
}

/** A kept outcome counts no longer than its record, which expires. */
async function findDone(joinKey: string): Promise<JobRecord | undefined> {
  const done = { joinKey, state: 'succeeded' as const };
  return (await jobCollection().findOne(done, { sort: { createdAt: -1 } })) ?? (await findOutcomes(done))[0];
}

/** Whether a write was refused because another job with the same `joinKey` has not ended. */
export function isJoinKeyTaken(error: unknown): boolean {
  return (
    isDuplicateKey(error) && Object.hasOwn((error as { keyPattern?: object }).keyPattern ?? {}, 'joinKey')
  );
}
