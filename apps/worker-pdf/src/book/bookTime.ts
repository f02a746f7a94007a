import { JobError } from '@bindery/contract';
import { bookMs, fallbackMs } from './plan/limits.ts';

/** The time limits of a book. Parts that fail have a time of their own, so that they take none of others. */
export type BookTime = {
  /** Aborts when also the time for parts that fail is used up. */
  readonly signal: AbortSignal;
  /** The page that is being printed, for the error. */
  reach(page: string | undefined): void;
  /** @throws JobError when the time is used up */
  check(): void;
  /** Does what a failed part requires; all time since `beganMs` counts as its own. */
  fallback<T>(beganMs: number, work: () => Promise<T>): Promise<T>;
  /** Counts all time so far as that of a failed part, because the book begins again. */
  restart(): void;
  tooSlow(): JobError;
};

/** @param pages  the number of pages of the book */
export function startBookTime(pages: number): BookTime {
  const startMs = performance.now();
  const limitMs = bookMs(pages);
  const signal = AbortSignal.timeout(limitMs + fallbackMs);
  let page: string | undefined;
  let inFallbacksMs = 0;
  let fallbackSinceMs: number | undefined;

  const tooSlow = () =>
    new JobError(
      'limit',
      `Printing ${pages} ${pages === 1 ? 'page' : 'pages'} takes longer than ${Math.round(limitMs / 1_000)} seconds` +
        `${inFallbacksMs > 0 ? `, and printing failed pages again takes longer than ${fallbackMs / 1_000}` : ''}.` +
        `${page === undefined ? '' : ` The last page was ${page}.`}`,
      { class: 'resource', action: 'Print the book in parts, with `page`, or simplify its slowest pages.' },
    );
  return {
    signal,
    reach: (name) => (page = name),
    check() {
      const now = performance.now();
      const spentMs = inFallbacksMs + (fallbackSinceMs === undefined ? 0 : now - fallbackSinceMs);
      if (spentMs > fallbackMs || now - startMs - spentMs > limitMs) throw tooSlow();
    },
    async fallback(beganMs, work) {
      fallbackSinceMs = beganMs;
      try {
        return await work();
      } finally {
        inFallbacksMs += performance.now() - beganMs;
        fallbackSinceMs = undefined;
      }
    },
    restart: () => (inFallbacksMs = performance.now() - startMs),
    tooSlow,
  };
}
