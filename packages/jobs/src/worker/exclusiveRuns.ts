/** The longest wait of a job for the others to end, which may take half an hour. */
const patienceMs = 30_000;

/** Decides which jobs of a worker run concurrently. */
export type ExclusiveRuns = {
  /**
   * Runs work beside other work. @returns undefined while another job runs alone or waits to: another worker
   * may take the work
   */
  shared(work: () => Promise<void>): Promise<void> | undefined;
  /**
   * Runs work once all other work has ended, and keeps new work out until then. @returns undefined while
   * another job runs alone or waits to
   */
  exclusive(work: () => Promise<void>): Promise<void> | undefined;
};

/**
 * Runs a job alone that has already crashed two workers: if it is the cause, its third crash takes down no
 * other job, and a job that merely ran beside the cause is not given up for it. It waits before its claim,
 * because a claimed job counts as running.
 */
export function createExclusiveRuns(): ExclusiveRuns {
  const inside = new Set<Promise<void>>();
  let isExclusive = false;
  return {
    shared(work) {
      if (isExclusive) return undefined;
      const running = work();
      inside.add(running);
      return running.finally(() => inside.delete(running));
    },
    exclusive(work) {
      if (isExclusive) return undefined;
      isExclusive = true;
      return settledWithin(inside, patienceMs)
        .then(work)
        .finally(() => (isExclusive = false));
    },
  };
}

/** Waits until everything settles, at most for `timeoutMs`. */
export async function settledWithin(work: Iterable<Promise<void>>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
  await Promise.race([Promise.allSettled(work), late]);
  clearTimeout(timer);
}
