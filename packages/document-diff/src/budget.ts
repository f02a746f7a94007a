/**
 * The work that one comparison of two documents may still do, in compared members. Once it is used up, texts
 * are replaced as a whole.
 */
export type Budget = { left: number };

/** A few milliseconds for two usual pages, and at most about 50. */
const wholeWork = 600_000;

export function newBudget(): Budget {
  return { left: wholeWork };
}
