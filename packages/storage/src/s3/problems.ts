import { connectionErrors } from '@bindery/runtime';

/** The object store refused a request, and would again. `reason` is its code, such as `NoSuchKey`. */
export class ObjectStoreProblem extends Error {
  override name = 'ObjectStoreProblem';
  readonly reason: string;
  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The object store cannot be reached, is overloaded, or failed: the same request may succeed later. */
export class ObjectStoreUnavailable extends Error {
  override name = 'ObjectStoreUnavailable';
}

/** The stored bytes of a file are missing or are not those that were written. */
export class CorruptBlob extends Error {
  override name = 'CorruptBlob';
  constructor(key: string, problem: string) {
    super(`The stored bytes of ${key} ${problem}. Restore them from a backup.`);
  }
}

/**
 * Whether an error of reading a file says that its stored bytes are damaged: other files can be read, and
 * another try does not help.
 */
export function isDamage(error: unknown): boolean {
  return error instanceof CorruptBlob || (error instanceof Error && error.name === 'MongoGridFSChunkError');
}

/**
 * The problem behind an error of the SDK. Built from its code and message alone: its other fields contain key
 * ids and what was signed.
 *
 * @param request  such as `PutObject of <name>`
 */
export function problemOf(error: unknown, request: string): Error {
  const { name, message, code, $metadata } = error as Error & {
    code?: unknown;
    $metadata?: { httpStatusCode?: number };
  };
  const status = $metadata?.httpStatusCode;
  const reason = typeof code === 'string' && name === 'Error' ? code : name;
  const text = `S3, ${request}: ${reason}${message && message !== reason ? `: ${message}` : ''}${status === undefined ? '' : ` (HTTP ${status})`}`;
  const isOutage =
    (status !== undefined && (status >= 500 || status === 429)) ||
    temporary.has(reason) ||
    (typeof code === 'string' && temporary.has(code));
  return isOutage ? new ObjectStoreUnavailable(text) : new ObjectStoreProblem(reason, text);
}

const temporary = new Set([
  'TimeoutError',
  'RequestTimeout',
  'SlowDown',
  'ServiceUnavailable',
  'InternalError',
  'Throttling',
  'ThrottlingException',
  'RequestLimitExceeded',
  ...connectionErrors,
  'ENOTFOUND',
  'EAI_AGAIN',
]);
