/** Time and size limits of one request, redirects included. Sizes are in bytes, times in milliseconds. */
export type OutboundLimits = {
  /** DNS lookup, TCP and TLS handshake of each new connection. */
  connectMs: number;
  /** From the request being sent to the end of the response's headers. */
  headersMs: number;
  /** Longest silence inside the body. */
  idleMs: number;
  /**
   * The whole call. Every byte restarts the idle timer, so only this limit and the minimum rate end a slow
   * drip.
   */
  totalMs: number;
  /** Size of the body as received. */
  maxBytes: number;
  /** Size of the body after each content decoding. */
  maxDecodedBytes: number;
  /** Average over `rateWindowMs` of waiting, from the first byte of the body; a slower body is a timeout. */
  minBytesPerSecond?: number;
  rateWindowMs?: number;
};

const MiB = 1024 * 1024;

const web = {
  connectMs: 5_000,
  headersMs: 10_000,
  idleMs: 10_000,
  minBytesPerSecond: 1024,
  rateWindowMs: 20_000,
};

/** The limits for each kind of remote server; a caller with other settings spreads one of them. */
export const outboundLimits = {
  spec: { ...web, totalMs: 30_000, maxBytes: 32 * MiB, maxDecodedBytes: 32 * MiB },
  content: { ...web, totalMs: 60_000, maxBytes: 20 * MiB, maxDecodedBytes: 20 * MiB },
  // A git server sends a line of progress and then works silently: the window of its rate is as long as the
  // permitted silence.
  git: {
    connectMs: 5_000,
    headersMs: 60_000,
    idleMs: 60_000,
    totalMs: 300_000,
    maxBytes: 250 * MiB,
    maxDecodedBytes: 250 * MiB,
    minBytesPerSecond: 1024,
    rateWindowMs: 60_000,
  },
} as const satisfies Record<string, OutboundLimits>;
