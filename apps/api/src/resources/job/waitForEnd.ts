import { isFinal, notFound } from '@bindery/contract';
import { shownJobFields, type ShownJob } from '@bindery/jobs';
import { jobCollection } from '@bindery/models';
import { thePlatform } from '../../platform.ts';

/** The job once it has ended; or as it is when `waitMs` have passed, the caller has left, or this process stops. */
export async function waitForEnd(id: string, waitMs: number, left: AbortSignal): Promise<ShownJob> {
  const enough = AbortSignal.any([left, thePlatform().stopping, AbortSignal.timeout(waitMs)]);
  for await (const { job } of thePlatform().jobFeed.follow(id, enough)) {
    if (isFinal(job.state)) return job;
  }
  const job = await jobCollection().findOne({ _id: id }, { projection: shownJobFields });
  if (!job) throw notFound('job', id);
  return job;
}
