import { isFinal, notFound } from '@bindery/contract';
import { jobCollection, type JobRecord } from '@bindery/models';
import { thePlatform } from '../../platform.ts';

/** The job once it has ended; or as it is when `waitMs` have passed, the caller has left, or this process stops. */
export async function waitForEnd(id: string, waitMs: number, left: AbortSignal): Promise<JobRecord> {
  const enough = AbortSignal.any([left, thePlatform().stopping, AbortSignal.timeout(waitMs)]);
  for await (const _ of thePlatform().jobFeed.watch(id, enough)) {
    const job = await jobCollection().findOne({ _id: id });
    if (!job) throw notFound('job', id);
    if (isFinal(job.state)) return job;
  }
  const job = await jobCollection().findOne({ _id: id });
  if (!job) throw notFound('job', id);
  return job;
}
