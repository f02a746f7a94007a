/** Codes of system errors that mean: a server cannot be reached now, and may be in a few seconds. */
export const connectionErrors: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/**
 * Codes of errors with which MongoDB says that it shuts down, or is not the primary (any more): 91
 * ShutdownInProgress, 189 PrimarySteppedDown, 10107 NotWritablePrimary, 11600 InterruptedAtShutdown, 11602
 * InterruptedDueToReplStateChange, 13435 NotPrimaryNoSecondaryOk, 13436 NotPrimaryOrSecondary.
 */
export const mongoStateChanges: ReadonlySet<number> = new Set([
  91, 189, 10_107, 11_600, 11_602, 13_435, 13_436,
]);
