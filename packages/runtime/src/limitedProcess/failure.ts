import { JobError, type JobErrorClass, type JobErrorCode } from '@bindery/contract/jobErrors';

/** An error as sent between processes. `trace` is set for our own bugs, and only logged. */
export type Failure =
  | 'memory'
  | {
      code: JobErrorCode;
      class: JobErrorClass;
      message: string;
      action?: string;
      retryAfterMs?: number;
      trace?: string;
    };

export function describeFailure(error: unknown): Failure {
  if (error instanceof JobError) {
    const { code, message, action, retryAfterMs } = error;
    return {
      code,
      class: error.class,
      message,
      action,
      retryAfterMs,
    };
  }
  // The code names the missing resource; the text of such errors can contain paths.
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') {
    return describeFailure(
      new JobError('no_space', 'The worker has no disk space left.', {
        action: 'Free space in its temporary folder.',
      }),
    );
  }
  if (
    code === 'ENOMEM' ||
    code === 'Z_MEM_ERROR' ||
    code === 'ERR_MEMORY_ALLOCATION_FAILED' ||
    code === 'ERR_STRING_TOO_LONG'
  )
    return 'memory';
  if (error instanceof RangeError) {
    if (/allocation failed|Invalid (typed )?(array|string) (buffer )?length/i.test(error.message))
      return 'memory';
    // Content nested deeper than a parser's stack is hostile or useless.
    if (/call stack/i.test(error.message))
      return describeFailure(new JobError('bad_content', 'The content is nested too deeply.'));
  }
  const trace = (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, 10_000);
  return { ...describeBug, trace };
}

const describeBug = {
  code: 'internal',
  class: 'transient',
  message: 'The job failed for a reason unrelated to its content.',
} as const;

/**
 * Converts a failure to an error. @param outOfMemory makes the error for a process that exceeded its memory
 * limit
 */
export function toJobError(failure: Failure, outOfMemory: () => JobError): JobError {
  if (failure === 'memory') return outOfMemory();
  const { code, message, trace, ...more } = failure;
  return new JobError(code, message, { ...more, cause: trace ? new Error(trace) : undefined });
}
