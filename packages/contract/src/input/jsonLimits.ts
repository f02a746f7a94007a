/**
 * Depth and number of values of a request's JSON. Deeper values would overflow the stack of recursive code.
 */
export const jsonLimits = { depth: 32, nodes: 20_000 } as const;
/** The same limits for a document tree, whose nodes take several values and two or more levels each. */
export const documentLimits = { depth: 80, nodes: 120_000 } as const;
