import { isFinal, notFound } from '@bindery/contract';
import { shownJobFields, type ShownJob } from '@bindery/jobs';
import { jobCollection } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import type { RequestContext } from '../../http/requestContext.ts';
import type { Platform } from '../../platform.ts';
import { enterListener } from './listeners.ts';

export type WaitingRequest = { platform: Platform; actor: Actor; request: RequestContext; waitMs: number };

/**
 * Waits for the end of a job as one of the listeners of this process: their number is limited, and each must
 * keep its access.
 *
 * @returns the job as it is when it ends, `waitMs` have passed, the caller has left, or this process stops
 * @throws not_found or unauthorized when the caller loses access while waiting; rate_limited or unavailable
 *   when too many wait
 */
export async function waitForEnd(
  { _id: id, organization }: Pick<ShownJob, '_id' | 'organization'>,
  { platform, actor, request, waitMs }: WaitingRequest,
): Promise<ShownJob> {
  const listener = enterListener({ platform, actor, job: id, organization });
  try {
    const signals = [request.signal, listener.ended, platform.stopping, AbortSignal.timeout(waitMs)];
    const job = await lastState(id, { platform, enough: AbortSignal.any(signals) });
    await listener.requireAccess();
    return job;
  } finally {
    listener.leave();
  }
}

async function lastState(
  id: string,
  { platform: { jobFeed }, enough }: { platform: Platform; enough: AbortSignal },
): Promise<ShownJob> {
  for await (const { job } of jobFeed.follow(id, enough)) {
    if (isFinal(job.state)) return job;
  }
  const job = await jobCollection().findOne({ _id: id }, { projection: shownJobFields });
  if (!job) throw notFound('job', id);
  return job;
}
