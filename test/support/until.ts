import { setTimeout as delay } from 'node:timers/promises';
import { slowness } from './machine.ts';

/** The longest pause between two checks. */
const longestPauseMs = 100;

/**
 * Repeats a check until it succeeds; less often the longer it takes, since a check loads the stores and this
 * process.
 *
 * @param look  returns undefined, false or null until it succeeds
 * @param what  the awaited event, for the error message
 */
export async function until<T>(
  what: string,
  look: () => Promise<T> | T,
  { timeoutMs = 10_000, everyMs = 25 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<NonNullable<T>> {
  const startMs = performance.now();
  for (;;) {
    const seen = await look();
    if (seen) return seen as NonNullable<T>;
    // The time limit depends on the machine: a busy one gets more time.
    const waitedMs = performance.now() - startMs;
    if (waitedMs > timeoutMs * slowness()) throw new Error(`Within ${timeoutMs} ms there was no ${what}.`);
    await delay(Math.max(everyMs, Math.min(longestPauseMs, waitedMs / 20)));
  }
}
