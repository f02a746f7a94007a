import { setTimeout as delay } from 'node:timers/promises';
import { slowness } from './machine.ts';

/** After a wait of some seconds a look may come so much later. */
const longestPauseMs = 100;

/**
 * Looks again and again until there is something to see: the longer it takes, the less often, since a look costs the stores as much as this process.
 *
 * @param look  gives undefined, false or null as long as it is not there yet
 * @param what  what is waited for, for the message of the failure
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
    // Given up by what the machine can do: one that is busy gets more time.
    const waitedMs = performance.now() - startMs;
    if (waitedMs > timeoutMs * slowness()) throw new Error(`Within ${timeoutMs} ms there was no ${what}.`);
    await delay(Math.max(everyMs, Math.min(longestPauseMs, waitedMs / 20)));
  }
}
