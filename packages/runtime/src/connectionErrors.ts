/** Codes of system errors that mean: a server cannot be reached now, and may be in a few seconds. */
export const connectionErrors: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
