import { setTimeout as delay } from 'node:timers/promises';
import { pingMongo } from '@bindery/models';

export type MongoWatch = {
  /** Whether MongoDB has answered this process without interruption for the length of a lease. */
  hasAnsweredForALease(): boolean;
  stop(): Promise<void>;
};

/**
 * Watches whether MongoDB answers. After an outage or a sleep of the machine, every lease and every worker
 * entry has expired; no worker counts as dead before all have had time to renew.
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
    // Shorter pauses come from this process itself. They are frequent on a busy machine; counting them would
    // prevent every takeover of a lost run.
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
      // A ping that stays unanswered marks the beginning of an outage.
      return nowMs - sinceMs >= leaseMs && nowMs - lastMs <= leaseMs;
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
