import { flushCompileCache } from 'node:module';
import type { Logger } from './logger.ts';
import { collectAtRest } from './memory/memoryAtRest.ts';

/**
 * Stops a process once: on SIGTERM, on SIGINT, and when its launcher is gone.
 *
 * `stop` closes the resources of the process, which then exits with 0, or with 1 when stopping failed or took
 * longer than `timeoutMs`. An unhandled error first calls `fail`, if given, in the async context of the
 * error. A second signal within a second is the same Ctrl-C arriving twice (through npm); a later one ends
 * the process immediately. A launcher kills the leftovers of its apps' process groups; without a launcher,
 * the app kills its own group.
 */
export function stopOnSignals(
  logger: Logger,
  { stop, fail, timeoutMs }: { stop: () => Promise<void>; fail?: () => Promise<void>; timeoutMs: number },
): void {
  let stoppingSinceMs: number | undefined;
  const exit = (code: number) => {
    if (process.connected === false) killOwnGroup();
    process.exit(code);
  };
  const begin = (reason: string) => {
    if (stoppingSinceMs !== undefined) {
      if (Date.now() - stoppingSinceMs > 1_000) exit(1);
      return;
    }
    stoppingSinceMs = Date.now();
    logger.info({ reason }, 'stopping');
    setTimeout(() => {
      logger.error('stopping took too long');
      exit(1);
    }, timeoutMs).unref();
    stop().then(
      () => exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        exit(1);
      },
    );
  };
  process.on('SIGTERM', () => begin('SIGTERM'));
  process.on('SIGINT', () => begin('SIGINT'));
  // Only processes started by a launcher have a channel, which may be closed before this process has loaded.
  if (process.connected !== undefined) {
    process.on('disconnect', () => begin('the launcher ended'));
    // Once its launcher has ended, the output of this process goes nowhere.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  }
  if (process.connected === false) begin('the launcher ended');
  // An unhandled error leaves an unknown state: log it, stop in order, let the supervisor restart.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      logger.fatal({ err: error }, event);
      process.exitCode = 1;
      const failed = fail?.() ?? Promise.resolve();
      void failed
        .catch(() => {})
        .then(stop)
        .finally(() => exit(1));
      setTimeout(() => exit(1), 5_000).unref();
    });
  }
}

/** Tells the launcher, if any, that this process is ready. From then on, frees memory while it is at rest. */
export function reportReady(details: Record<string, unknown> = {}): void {
  // A killed process would not save its compile cache, and the next one would compile everything again.
  flushCompileCache();
  if (process.connected) process.send?.({ ready: true, ...details });
  collectAtRest();
}

/**
 * Kills the process group, this process included. A process that leads no group, such as the first of a
 * container, has none to kill.
 */
function killOwnGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
