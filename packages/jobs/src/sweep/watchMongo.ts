import { setTimeout as delay } from 'node:timers/promises';
import { pingMongo } from '@bindery/models';

export type MongoWatch = {
  /** Whether MongoDB has answered this process without a pause for the length of a lease. */
  hasAnsweredForALease(): boolean;
  stop(): Promise<void>;
};

/**
 * Watches whether MongoDB answers. After an outage, or when the machine has slept, every lease and every entry of a worker has expired: no worker counts
 * as dead before all have had time to renew.
 */
export function watchMongo(leaseMs: number): MongoWatch {
  const everyMs = Math.ceil(leaseMs / 4);
  const stopping = new AbortController();
  let sinceMs = performance.now();
  let lastMs = sinceMs;
  const look = async () => {
    const isThere = await pingMongo(2 * everyMs).then(
      () => true,
      () => false,
    );
    const nowMs = performance.now();
    // Shorter pauses come from this process itself. On a busy machine they are frequent, and no lost run would ever be taken over.
    if (!isThere || nowMs - lastMs > leaseMs) sinceMs = nowMs;
    lastMs = nowMs;
  };
  const loop = async () => {
    while (!stopping.signal.aborted) {
      await look();
      await delay(everyMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = loop();
  return {
    hasAnsweredForALease: () => {
      const nowMs = performance.now();
      // A ping without an answer for long is the beginning of an outage.
      return nowMs - sinceMs >= leaseMs && nowMs - lastMs <= leaseMs;
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
