/**
 * Thrown by an attempt whose write was refused because of a concurrent change to the data it had read. It
 * wrote nothing.
 */
export class Overtaken extends Error {}

export type OptimisticWork<T> = {
  /** The most attempts; a writer that loses this often competes with writers that never pause. */
  attempts: number;
  /** Reads, prepares, and writes on the condition that nothing changed since the read. */
  attempt: () => Promise<T>;
  /** Whether an error of an attempt means that another writer was faster; by default `Overtaken`. */
  isOvertaken?: (error: unknown) => boolean;
  /** The error after the last attempt; by default the error of that attempt. */
  refusal?: () => Error;
};

/**
 * Retries an optimistic write until no other write came between its read and its write.
 *
 * @throws any other error of an attempt, immediately; after the last attempt `refusal()`
 */
export async function retryOptimistic<T>({
  attempts,
  attempt,
  isOvertaken = isOvertakenError,
  refusal,
}: OptimisticWork<T>): Promise<T> {
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
