const megabyte = 1024 * 1024;

/**
 * How much is read of a branch's history. Beyond that the older part is left out: the pages that it is about
 * have no authors then, but no import fails.
 */
export const historyLimits = {
  /** How many commits deep a branch is followed. */
  depth: 10_000,
  /** Commits and trees, those of merged branches among them. */
  objects: 200_000,
  /** Their size, unpacked. */
  storedBytes: 256 * megabyte,
  /** Of the trees that are compared: the same one may be compared often. */
  comparedBytes: 512 * megabyte,
  /** Files that differ between two commits, all together. */
  differences: 500_000,
  fetchMs: 60_000,
} as const;
