/**
 * Whether an error, or what caused it, says that MongoDB or Redis cannot be reached or cannot answer now, so
 * that the same request may well succeed in a few seconds. Told by names, codes and labels: the libraries
 * belong to other packages.
 */
export function isOutage(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    const { code, syscall, errorLabels } = current as {
      code?: unknown;
      syscall?: unknown;
      errorLabels?: unknown;
    };
    if (names.has(current.name) || (typeof code === 'string' && systemCodes.has(code))) return true;
    // The file of a Unix socket is gone while its store does not run.
    if (code === 'ENOENT' && syscall === 'connect') return true;
    if (current.name.startsWith('Mongo') && typeof code === 'number' && codes.has(code)) return true;
    if (Array.isArray(errorLabels) && errorLabels.some((label) => labels.has(String(label)))) return true;
    // Mongoose with bufferCommands off, before the first connection.
    if (current.name === 'MongooseError' && current.message.includes('initial connection')) return true;
    current = current.cause;
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
]);

const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

// The driver sets these on errors that are gone when an election is over.
const labels = new Set([
  'RetryableWriteError',
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
]);

// Host unreachable, host not found, network timeout, MaxTimeMSExpired, shutdown in progress, primary stepped
// down, time limit, socket exception, not writable primary, interrupted (at shutdown, by a state change), not
// primary.
const codes = new Set([6, 7, 89, 50, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);
