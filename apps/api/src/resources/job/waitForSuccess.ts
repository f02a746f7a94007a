import { ApiError } from '@bindery/contract';
import { hasLiveWorker, type ShownJob } from '@bindery/jobs';
import type { JobRecord } from '@bindery/models';
import type { Links } from '../../presenters/links.ts';
import { waitForEnd, type WaitingRequest } from './waitForEnd.ts';

/** The error of a failed job, and the headers that name the job, for the error of the request. */
export type FailedJob = Partial<NonNullable<JobRecord['error']>> & { headers: Record<string, string> };

type Waiting = WaitingRequest & {
  messages: { noWorker: string; unfinished: string; cancelled: string };
  /** Makes the error for a job that failed or timed out. */
  refuse: (failed: FailedJob) => ApiError | Promise<ApiError>;
};

/**
 * Waits for the job whose result answers a request.
 *
 * @returns the job once it has succeeded
 * @throws unavailable, with the job, when it still runs or no worker is there for it; conflict when it was
 *   cancelled; the error of `refuse` when it failed; the errors of `waitForEnd`
 */
export async function waitForSuccess(
  job: JobRecord,
  { messages, refuse, ...waiting }: Waiting,
): Promise<ShownJob> {
  const headers = headersOf(job, waiting.platform.links);
  if (!(await hasLiveWorker(job))) throw notYet(messages.noWorker, headers);
  const ended = await waitForEnd(job, waiting);
  const { state, error } = ended;
  if (state === 'succeeded') return ended;
  if (state === 'failed' || state === 'timed_out') throw await refuse({ ...error, headers });
  if (state === 'cancelled' || state === 'superseded')
    throw new ApiError('conflict', messages.cancelled, { action: 'Repeat the request.', headers });
  throw notYet(messages.unfinished, headers);
}

/** The error for a failure that the same request may avoid in a few seconds. */
export function passingFailure(
  message: string,
  { action, headers }: Pick<FailedJob, 'action' | 'headers'>,
): ApiError {
  return new ApiError('unavailable', message, { action, headers: { ...headers, 'Retry-After': '10' } });
}

function notYet(message: string, headers: Record<string, string>): ApiError {
  return passingFailure(message, {
    action: 'Follow the job that `Link` names; the same request joins it while it runs.',
    headers,
  });
}

function headersOf({ _id }: JobRecord, links: Links): Record<string, string> {
  return { 'X-Job-Id': _id, Link: `<${links.api(`/jobs/${_id}`)}>; rel="monitor"` };
}
