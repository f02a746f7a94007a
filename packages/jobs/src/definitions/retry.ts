import { ApiError, JobError, type JobErrorCode } from '@bindery/contract';
import { ContentMoved, type JobErrorRecord } from '@bindery/models';
import type { RetryPolicy } from './defineJob.ts';

/** A job is given up after this many crashes: each has taken down a worker. */
export const maxCrashes = 3;

/** The error of a job that has crashed too many workers. */
export function quarantined(crashes: number): JobErrorRecord {
  return {
    class: 'crash',
    code: 'quarantined',
    message: `The job has crashed ${crashes} worker processes and is not retried.`,
    action: 'Check the worker logs for this job; retry it after the cause is resolved.',
  };
}

const maxResourceAttempts = 2;
const throttledDelayMs = 5_000;

export type Failure = { error: JobErrorRecord; retryAfterMs?: number };

export type Decision =
  | { retry: false }
  | { retry: true; delayMs: number; counts: 'tries' | 'resourceTries' | undefined };

/** The disk is full, or a quota or a file size limit is reached. */
const outOfSpace = new Set<unknown>(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * Classifies an error that a processor threw. An unknown error is a bug or an outage, so the job is retried.
 */
export function classify(error: unknown): Failure {
  if (error instanceof JobError) {
    return {
      error: {
        class: error.class,
        code: error.code,
        message: error.message,
        action: error.action || undefined,
      },
      retryAfterMs: error.retryAfterMs,
    };
  }
  if (error instanceof ApiError) {
    return {
      error: {
        class: error.code === 'not_found' ? 'not_found' : 'invalid',
        code: apiCode(error),
        message: error.message,
        action: error.action || undefined,
      },
    };
  }
  if (error instanceof ContentMoved) {
    const message =
      'The content changed repeatedly while this job was about to change it; the job starts over.';
    return { error: { class: 'transient', code: 'internal', message } };
  }
  if (error instanceof Error && 'code' in error && outOfSpace.has(error.code)) {
    return {
      error: {
        class: 'resource',
        code: 'no_space',
        message: 'The worker has no disk space left.',
        action: 'Free space in its temporary folder; the job can then be retried.',
      },
    };
  }
  // The text of an unknown error may contain secrets; the worker logs it under the job's id.
  return {
    error: {
      class: 'transient',
      code: 'internal',
      message: 'The job failed because of an internal error; the worker log contains it.',
    },
  };
}

function apiCode(error: ApiError): JobErrorCode {
  return error.code === 'not_found' ? 'not_found' : 'bad_content';
}

/**
 * Whether and when a failed job is tried again.
 *
 * @param counted  failed attempts that already count, without the one that just failed
 * @param random   0 to 1; full jitter keeps jobs that failed together from coming back together
 */
export function decideRetry(
  { error, retryAfterMs }: Failure,
  counted: { tries: number; resourceTries: number },
  policy: RetryPolicy,
  random: number = Math.random(),
): Decision {
  const backoffMs = Math.round(random * Math.min(policy.capMs, policy.baseMs * 2 ** counted.tries));
  const askedMs = Math.min(retryAfterMs ?? 0, policy.capMs);
  if (error.class === 'throttled')
    return { retry: true, delayMs: Math.max(askedMs || throttledDelayMs, backoffMs), counts: undefined };
  if (error.class === 'transient') {
    if (counted.tries + 1 >= policy.attempts) return { retry: false };
    return { retry: true, delayMs: Math.max(askedMs, backoffMs), counts: 'tries' };
  }
  if (error.class === 'resource') {
    if (counted.resourceTries + 1 >= maxResourceAttempts) return { retry: false };
    return { retry: true, delayMs: Math.max(1_000, backoffMs), counts: 'resourceTries' };
  }
  return { retry: false };
}
