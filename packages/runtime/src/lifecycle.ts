import { flushCompileCache } from 'node:module';
import type { Logger } from './logger.ts';

/**
 * Runs the end of a process once: on SIGTERM, on SIGINT, and when the launcher that started it is gone.
 *
 * `stop` closes what the process holds; the process then exits with 0, or with 1 when stopping failed or took longer than `timeoutMs`.
 * An error that nobody handled calls `fail` first, if there is one, in the context of what threw it.
 * A further signal within the first second is the same Ctrl-C arriving twice (through npm); a later one ends the process at once.
 * A launcher kills what is left of its apps' process groups; where it is gone, the app takes its own group with it.
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
  // Only processes that a launcher started have a channel; it may have been closed before this process had loaded.
  if (process.connected !== undefined) {
    process.on('disconnect', () => begin('the launcher ended'));
    // Nobody reads the lines of a process whose launcher has ended.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  }
  if (process.connected === false) begin('the launcher ended');
  // An error that nobody handled leaves an unknown state: say so, stop in order, let the supervisor start anew.
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

/** Tells the launcher, if one started this process, that it is ready. */
export function reportReady(details: Record<string, unknown> = {}): void {
  // A process that is killed writes down nothing any more, and the next one would compile all of it again.
  flushCompileCache();
  if (process.connected) process.send?.({ ready: true, ...details });
}

/** Ends this process too. One that leads no group, as a container's first process, has none to end. */
function killOwnGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
