import { ApiError } from '@bindery/contract';
import { findOutcomes, isDuplicateKey, jobCollection, retryOptimistic, type JobRecord } from '@bindery/models';
import type { z } from 'zod';
import { acceptJob, type JobRequest } from './acceptJob.ts';
import type { JobDefinition } from '../definitions/defineJob.ts';

/**
 * Accepts a job unless one with the same `joinKey` is under way, or has given what is still of use: then that one is the answer, and nothing is
 * written.
 *
 * The key names what comes out of the job, with everything that it depends on. That only one is under way holds between processes too: a unique
 * index on the jobs that have not ended decides.
 * @param request.isOfUse  whether the result of a job that has succeeded is; without it none is
 * @throws what acceptJob throws, and ApiError conflict while the one that is under way is being cancelled, or when others keep starting such jobs
 */
export async function acceptOrJoin<Input extends z.ZodObject, Result extends z.ZodObject>(
  definition: JobDefinition<Input, Result>,
  { isOfUse, ...request }: JobRequest<Input> & { joinKey: string; isOfUse?: (job: JobRecord) => Promise<boolean> },
): Promise<JobRecord> {
  const { joinKey } = request;
  return retryOptimistic({
    attempts: 10,
    attempt: async () => {
      // First the jobs that have not ended: one that ends meanwhile is then found among those that succeeded.
      const underWay = await jobCollection().findOne({ joinKey, state: { $in: ['accepted', 'queued', 'running'] } });
      if (underWay?.cancelRequestedAt)
        throw new ApiError('conflict', 'A job with the same result is being cancelled; try again in a moment.');
      if (underWay) return underWay;
      const done = isOfUse && (await findDone(joinKey));
      if (done && (await isOfUse(done))) return done;
      return acceptJob(definition, request);
    },
    // The job of somebody else has ended by now, or can be joined.
    isOvertaken: isJoinKeyTaken,
    refusal: () => new ApiError('conflict', 'Jobs with the same result keep starting and ending; try again in a moment.'),
  });
}

/** What is kept of it is as good as its record, which expires. */
async function findDone(joinKey: string): Promise<JobRecord | undefined> {
  const done = { joinKey, state: 'succeeded' as const };
  return (await jobCollection().findOne(done, { sort: { createdAt: -1 } })) ?? (await findOutcomes(done))[0];
}

/** Whether a write was refused because another job with the same `joinKey` has not ended. */
export function isJoinKeyTaken(error: unknown): boolean {
  return isDuplicateKey(error) && Object.hasOwn((error as { keyPattern?: object }).keyPattern ?? {}, 'joinKey');
}
