import { connectionErrors, mongoStateChanges } from '@bindery/runtime';

/**
 * Whether an error or one of its causes means that MongoDB, Redis or S3 is temporarily unavailable, so that
 * the same request may succeed in a few seconds. Checks names, codes and labels, because the driver libraries
 * belong to other packages.
 */
export function isOutage(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    const { code, syscall, errorLabels, errorResponse } = current as {
      code?: unknown;
      syscall?: unknown;
      errorLabels?: unknown;
      errorResponse?: unknown;
    };
    if (names.has(current.name) || (typeof code === 'string' && connectionErrors.has(code))) return true;
    // The file of a Unix socket does not exist while its store is down.
    if (code === 'ENOENT' && syscall === 'connect') return true;
    if (current.name.startsWith('Mongo') && typeof code === 'number' && codes.has(code)) return true;
    if (Array.isArray(errorLabels) && errorLabels.some((label) => labels.has(String(label)))) return true;
    // Mongoose with bufferCommands off, before its first connection.
    if (current.name === 'MongooseError' && current.message.includes('initial connection')) return true;
    // A bulk write has the error of its connection there.
    current = current.cause ?? errorResponse;
  }
  return false;
}

const names = new Set([
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoOperationTimeoutError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoServerClosedError',
  'MongoStalePrimaryError',
  'MongoPoolClosedError',
  'MongoPoolClearedError',
  'MongoPoolClearedOnNetworkError',
  'PoolClearedOnNetworkError',
  'MongoWaitQueueTimeoutError',
  'MaxRetriesPerRequestError',
  'ObjectStoreUnavailable',
]);

// Labels of driver errors that go away after an election.
const labels = new Set([
  'RetryableWriteError',
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
]);

// Host unreachable, host not found, network timeout, MaxTimeMSExpired, time limit, socket exception; after an
// election a cursor that is gone, a write that no majority has confirmed in time, and a majority that is not
// known yet.
const codes = new Set([6, 7, 89, 50, 262, 9001, 43, 64, 134, ...mongoStateChanges]);
