import { JobError, type JobErrorClass, type JobErrorCode } from '@bindery/contract/jobErrors';

/** An error as it crosses the boundary. `trace` is there for errors that are a bug of ours, and only for the log. */
export type Failure =
  | 'memory'
  | { code: JobErrorCode; class: JobErrorClass; message: string; action?: string; retryAfterMs?: number; trace?: string };

export function describeFailure(error: unknown): Failure {
  if (error instanceof JobError) {
    const { code, message, action, retryAfterMs } = error;
    return { code, class: error.class, message, ...(action && { action }), ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
  // The code says what the machine lacks; the text of such errors can hold paths.
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') {
    return describeFailure(
      new JobError('no_space', 'The worker has no disk space left.', { action: 'Free space in its temporary folder.' }),
    );
  }
  if (code === 'ENOMEM' || code === 'Z_MEM_ERROR' || code === 'ERR_MEMORY_ALLOCATION_FAILED' || code === 'ERR_STRING_TOO_LONG')
    return 'memory';
  if (error instanceof RangeError) {
    if (/allocation failed|Invalid (typed )?(array|string) (buffer )?length/i.test(error.message)) return 'memory';
    // Whoever nests deeper than a parser can follow means harm, or nothing.
    if (/call stack/i.test(error.message)) return describeFailure(new JobError('bad_content', 'The content is nested too deeply.'));
  }
  const trace = (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, 10_000);
  return { ...describeBug, trace };
}

const describeBug = {
  code: 'internal',
  class: 'transient',
  message: 'The job failed for a reason unrelated to its content.',
} as const;

/** @param outOfMemory  what the user is told when the process took more memory than it may */
export function toJobError(failure: Failure, outOfMemory: () => JobError): JobError {
  if (failure === 'memory') return outOfMemory();
  const { code, message, trace, ...more } = failure;
  return new JobError(code, message, { ...more, ...(trace && { cause: new Error(trace) }) });
}
