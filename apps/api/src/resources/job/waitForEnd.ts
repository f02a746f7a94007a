import { isFinal, notFound } from '@bindery/contract';
import { shownJobFields, type ShownJob } from '@bindery/jobs';
import { jobCollection } from '@bindery/models';
import type { Platform } from '../../platform.ts';

/**
 * Waits for the end of a job; returns it as it is when `waitMs` have passed, the caller has left, or this
 * process stops.
 */
export async function waitForEnd(
  id: string,
  {
    platform: { jobFeed, stopping },
    waitMs,
    left,
  }: { platform: Platform; waitMs: number; left: AbortSignal },
): Promise<ShownJob> {
  const enough = AbortSignal.any([left, stopping, AbortSignal.timeout(waitMs)]);
  for await (const { job } of jobFeed.follow(id, enough)) {
    if (isFinal(job.state)) return job;
  }
  const job = await jobCollection().findOne({ _id: id }, { projection: shownJobFields });
  if (!job) throw notFound('job', id);
  return job;
}
