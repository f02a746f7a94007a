import { setTimeout as delay } from 'node:timers/promises';
import { forgetFailingApp, noteFailingApp } from '@bindery/models';
import type { SupervisorEvents } from '../supervise.ts';

/** Tells all API processes, through MongoDB, which apps fail and why. */
export type FailureNotices = {
  /** Listeners for the supervision of an app. */
  listenersFor(app: string): Required<Pick<SupervisorEvents, 'onReady' | 'onDeath'>>;
  /**
   * Withdraws all notices, because a stopped app does not fail. Waits only briefly, since MongoDB itself may
   * have failed.
   */
  close(): Promise<void>;
};

const closeMs = 2_000;

/** @param isPrepared  resolves when the database can be written to; earlier notices wait for it */
export function openFailureNotices(isPrepared: Promise<unknown>): FailureNotices {
  const failing = new Set<string>();
  let isClosed = false;
  // In order, so that the last notice remains. The next death repeats a notice that could not be written.
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
      // Also when first ready: an earlier launcher may have left a notice.
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
