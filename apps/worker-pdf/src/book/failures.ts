import { JobError, type JobErrorCode } from '@bindery/contract';

/** Failures that the printed content may have caused: another way of printing it may help. */
const causedByContent: ReadonlySet<JobErrorCode> = new Set([
  'timeout',
  'memory',
  'crashed',
  'bad_content',
  'too_large',
  'limit',
  'deadline',
]);

export function isOfContent(error: unknown): error is JobError {
  return error instanceof JobError && causedByContent.has(error.code);
}

/** The writer does not take a chunk; it takes nothing more after that. */
export class ChunkRefused extends Error {
  readonly chunk: number;
  override readonly cause: JobError;

  constructor(chunk: number, cause: JobError) {
    super(`The writer refused chunk ${chunk}.`);
    this.chunk = chunk;
    this.cause = cause;
  }
}

/** Tells a reader of the book why a page is not printed as it is; the same for each run. */
export function reasonOf({ code, message }: JobError): string {
  // A page that takes too much may reach another limit each time.
  const reason = code === 'bad_content' ? message : 'Printing it takes too long, or too much memory.';
  return `This page could not be laid out: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
}

/** An error of the whole book that names the page which caused it. */
export function unprintable(name: string, error: JobError): JobError {
  const { code, message, action } = error;
  return new JobError(code, `${name} cannot be printed. ${message}`, {
    class: error.class,
    action,
    cause: error,
  });
}
