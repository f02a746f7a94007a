import { setTimeout as delay } from 'node:timers/promises';
import { slowness } from './machine.ts';

/**
 * Looks again and again until there is something to see.
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
    if (performance.now() - startMs > timeoutMs * slowness()) throw new Error(`Within ${timeoutMs} ms there was no ${what}.`);
    await delay(everyMs);
  }
}
