import type { Worker } from 'node:worker_threads';

/**
 * Time without work after which a thread ends, in milliseconds. An idle thread holds 30 to 60 MB of loaded
 * modules; starting it again takes about a second.
 */
export const threadRestMs = 5 * 60_000;

/** The idle times of a kept thread. */
export type ThreadRest = {
  /** The thread has no work: it does not keep the process alive, and ends after a time. */
  begin(): void;
  /** The thread gets work. */
  end(): void;
};

/**
 * Ends a kept thread after a time without work.
 *
 * @param options.restMs  milliseconds without work after which the thread ends
 * @param options.onRested  called before the thread ends: forgets it, so that the next work starts another
 */
export function createThreadRest(
  worker: Worker,
  { restMs = threadRestMs, onRested }: { restMs?: number | undefined; onRested: () => void },
): ThreadRest {
  let timer: NodeJS.Timeout | undefined;
  worker.once('exit', () => clearTimeout(timer));
  return {
    begin: () => {
      worker.unref();
      clearTimeout(timer);
      timer = setTimeout(() => {
        onRested();
        void worker.terminate();
      }, restMs).unref();
    },
    end: () => {
      clearTimeout(timer);
      worker.ref();
    },
  };
}
