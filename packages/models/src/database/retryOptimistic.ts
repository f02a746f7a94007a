/** Thrown by an attempt whose write was refused because somebody else changed what it had read. It wrote nothing. */
export class Overtaken extends Error {}

export type OptimisticWork<T> = {
  /** The most attempts; whoever loses this often competes with writers that never pause. */
  attempts: number;
  /** Reads, prepares, and writes on the condition that nothing changed since it read. */
  attempt: () => Promise<T>;
  /** Whether an error of an attempt means that somebody else was faster; `Overtaken` without it. */
  isOvertaken?: (error: unknown) => boolean;
  /** The error after the last attempt; without it that of the last attempt. */
  refusal?: () => Error;
};

/**
 * Repeats an optimistic write until nobody else wrote between its read and its write.
 *
 * @throws the error of an attempt that was not overtaken, at once; after the last attempt `refusal()`
 */
export async function retryOptimistic<T>({ attempts, attempt, isOvertaken = isOvertakenError, refusal }: OptimisticWork<T>): Promise<T> {
  for (let number = 1; ; number += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isOvertaken(error)) throw error;
      if (number >= attempts) throw refusal?.() ?? error;
    }
  }
}

function isOvertakenError(error: unknown): boolean {
  return error instanceof Overtaken;
}
