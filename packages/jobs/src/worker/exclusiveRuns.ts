/** Longer than that a job does not wait for the others to end: they may take half an hour. */
const patienceMs = 30_000;

/** Decides which jobs of a worker run beside each other. */
export type ExclusiveRuns = {
  /** Runs work beside other work. @returns undefined while a job is or wants to be alone: another worker may take the work */
  shared(work: () => Promise<void>): Promise<void> | undefined;
  /** Runs work when all other work has ended, and keeps new work out until then. @returns undefined while another job is or wants to be alone */
  exclusive(work: () => Promise<void>): Promise<void> | undefined;
};

/**
 * A job that has already ended two workers runs alone in the next: should it be the cause, then it takes no other job with it a third
 * time, and a job that only happened to run beside the cause is not given up for it. It waits before it is claimed: a claimed job counts
 * as one that runs.
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

/** Waits for everything to settle, or for as long as it may take. */
export async function settledWithin(work: Iterable<Promise<void>>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
  await Promise.race([Promise.allSettled(work), late]);
  clearTimeout(timer);
}
