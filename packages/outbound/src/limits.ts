/** Time and size limits of one request, redirects included. Sizes are in bytes, times in milliseconds. */
export type OutboundLimits = {
  /** DNS look-up, TCP and TLS handshake of each new connection. */
  connectMs: number;
  /** From the request being sent to the end of the response's headers. */
  headersMs: number;
  /** Longest silence inside the body. */
  idleMs: number;
  /** The whole call. Every byte restarts the idle timer, so only this one and the minimum rate end a drip. */
  totalMs: number;
  /** Body as it comes over the wire. */
  maxBytes: number;
  /** Body after each content coding is undone. */
  maxDecodedBytes: number;
  /** Slower than this over `rateWindowMs` of waiting, counted from the first byte of the body, is a timeout. */
  minBytesPerSecond?: number;
  rateWindowMs?: number;
};

const MiB = 1024 * 1024;

const web = { connectMs: 5_000, headersMs: 10_000, idleMs: 10_000, minBytesPerSecond: 1024, rateWindowMs: 20_000 };

/** The limits for each kind of remote server; a caller with other settings spreads one of them. */
export const outboundLimits = {
  spec: { ...web, totalMs: 30_000, maxBytes: 10 * MiB, maxDecodedBytes: 10 * MiB },
  content: { ...web, totalMs: 60_000, maxBytes: 20 * MiB, maxDecodedBytes: 20 * MiB },
  // A git server sends a line of progress and then thinks: the window for its rate is as long as the silence it is granted.
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
