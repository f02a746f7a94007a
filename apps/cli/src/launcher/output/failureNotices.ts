import { setTimeout as delay } from 'node:timers/promises';
import { forgetFailingApp, noteFailingApp } from '@bindery/models';
import type { SupervisorEvents } from '../supervise.ts';

/** Tells the API through MongoDB, which all of its processes see, which apps fail and why. */
export type FailureNotices = {
  /** Listeners for the supervision of an app. */
  listenersFor(app: string): Required<Pick<SupervisorEvents, 'onReady' | 'onDeath'>>;
  /** Takes back what it has told: what is stopped does not fail. Waits for a moment only, since MongoDB may be what has failed. */
  close(): Promise<void>;
};

const closeMs = 2_000;

/** @param isPrepared  resolves when the database can be written to; what is told earlier waits for that */
export function openFailureNotices(isPrepared: Promise<unknown>): FailureNotices {
  const failing = new Set<string>();
  let isClosed = false;
  // One after the other, so that what was told last is what stays. A notice that cannot be written is told anew with the next death.
  let last: Promise<unknown> = isPrepared.catch(() => {});
  const write = (work: () => Promise<void>) => {
    last = last.then(work).catch(() => {});
  };
  const forget = (app: string) => {
    failing.delete(app);
    write(() => forgetFailingApp(app));
  };
  return {
    listenersFor: (app) => ({
      // Also at its first readiness: an earlier launcher may have left a notice.
      onReady: () => !isClosed && forget(app),
      onDeath: (death) => {
        if (isClosed) return;
        failing.add(app);
        write(() => noteFailingApp(app, death));
      },
    }),
    async close() {
      isClosed = true;
      if (failing.size === 0) return;
      for (const app of failing) forget(app);
      const timer = new AbortController();
      await Promise.race([last, delay(closeMs, undefined, { signal: timer.signal }).catch(() => {})]);
      timer.abort();
    },
  };
}
