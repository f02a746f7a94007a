import { JobError, type JobErrorClass, type JobErrorCode } from '@bindery/contract';

import type { RepositoryAsks, RepositoryWork, WorkKind } from './repositoryWork.ts';

/** What the process says to the one that started it. An `ask` waits for the `answer` with its id. */
export type ChildMessage =
  | { kind: 'stage'; stage: RepositoryWork[WorkKind]['stage']; done?: number; total?: number }
  | { kind: 'point'; point: RepositoryWork[WorkKind]['point'] }
  | { kind: 'ask'; id: number; name: keyof RepositoryAsks; argument: unknown }
  | { kind: 'done'; result: RepositoryWork[WorkKind]['result'] }
  | { kind: 'failed'; failure: Failure };

/** What it is told: the request, then the answers. */
export type ParentMessage = Request | { kind: 'answer'; id: number; answer: unknown };

type Request = { [Kind in WorkKind]: { kind: 'request'; work: Kind; request: RepositoryWork[Kind]['request'] } }[WorkKind];

/** A JobError as it crosses the boundary. `trace` is there for errors that are a bug of ours, and only for the log. */
export type Failure = {
  code: JobErrorCode;
  class: JobErrorClass;
  message: string;
  action?: string;
  retryAfterMs?: number;
  trace?: string;
};

export function describeFailure(error: unknown): Failure {
  const known = error instanceof JobError ? error : knownFailure(error);
  if (!known) {
    const trace = error instanceof Error ? error.stack : String(error);
    return {
      ...describeFailure(new JobError('internal', 'The exchange with the repository failed for a reason that is not its fault.')),
      trace,
    };
  }
  const { code, message, action, retryAfterMs } = known;
  return { code, class: known.class, message, ...(action && { action }), ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** What the machine lacks: the code says it, and the text of such errors can hold paths. */
function knownFailure(error: unknown): JobError | undefined {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') {
    return new JobError('no_space', 'There is no room left for the files of the repository.', {
      action: 'Free some disk space for temporary files.',
    });
  }
  if (code === 'ENOMEM' || code === 'Z_MEM_ERROR' || code === 'ERR_MEMORY_ALLOCATION_FAILED') return outOfMemory();
  if (error instanceof RangeError && /allocation failed|Invalid (typed )?array (buffer )?length/i.test(error.message)) return outOfMemory();
  return undefined;
}

export function outOfMemory(): JobError {
  return new JobError('memory', 'The exchange with the repository took more memory than it may.', {
    action: 'Choose a smaller folder of it with `repoProjectDirectory`, or raise BINDERY_GIT_MEMORY_MB.',
  });
}

export function toJobError({ code, message, trace, ...more }: Failure): JobError {
  return new JobError(code, message, { ...more, ...(trace && { cause: new Error(trace) }) });
}
