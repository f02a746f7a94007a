/** The reason for a stop. A signal is the user's wish, so the exit code is 0. */
export class StopRequest extends Error {}

/** Aborts at the first of these signals; the same one again ends the process at once. */
export function abortOn(signals: readonly NodeJS.Signals[]): AbortSignal {
  const controller = new AbortController();
  for (const name of signals) process.once(name, () => controller.abort(new StopRequest(name)));
  return controller.signal;
}

const parentCheckMs = 500;
const secondSignalAfterMs = 1_000;

/**
 * Aborts on SIGINT, SIGTERM, a closed terminal (SIGHUP) and the death of the parent (npm, a shell).
 *
 * @param onSecond  called for a second signal after more than a second: the user does not want to wait. An
 *   earlier one is the same Ctrl-C, which reaches the launcher twice, directly and through npm.
 */
export function listenForStop({ onSecond }: { onSecond: () => void }): AbortSignal {
  const controller = new AbortController();
  let firstAt: number | undefined;
  const stop = (reason: string) => {
    if (firstAt === undefined) {
      firstAt = Date.now();
      controller.abort(new StopRequest(reason));
    } else if (Date.now() - firstAt > secondSignalAfterMs) {
      onSecond();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal));

  // Without a listener, a line written to a closed terminal would crash the launcher and leave everything
  // else running.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    stop('the process that started it ended');
  }, parentCheckMs);
  check.unref();
  return controller.signal;
}

/** Waits for a promise unless the launcher is told to stop first. */
export function unlessStopped<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  if (signal.aborted) {
    // Nobody waits for it any more, and its failure must not end the process during an orderly stop.
    promise.catch(() => {});
    return Promise.reject(signal.reason as Error);
  }
  const stopped = Promise.withResolvers<never>();
  const abort = () => stopped.reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([promise, stopped.promise]).finally(() => signal.removeEventListener('abort', abort));
}

/** Waits for the signal and throws its reason. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return unlessStopped(signal, new Promise<never>(() => {}));
}
