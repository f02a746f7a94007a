import type { Logger } from './logger.ts';

/**
 * Runs the end of a process once: on SIGTERM, on SIGINT, and when the launcher that started it is gone.
 *
 * `stop` closes what the process holds; the process then exits with 0, or with 1 when stopping failed or took longer than `timeoutMs`.
 * A further signal within the first second is the same Ctrl-C arriving twice (through npm); a later one ends the process at once.
 */
export function stopOnSignals(logger: Logger, { stop, timeoutMs }: { stop: () => Promise<void>; timeoutMs: number }): void {
  let stoppingSinceMs: number | undefined;
  const begin = (reason: string) => {
    if (stoppingSinceMs !== undefined) {
      if (Date.now() - stoppingSinceMs > 1_000) process.exit(1);
      return;
    }
    stoppingSinceMs = Date.now();
    logger.info({ reason }, 'stopping');
    setTimeout(() => {
      logger.error('stopping took too long');
      process.exit(1);
    }, timeoutMs).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => begin('SIGTERM'));
  process.on('SIGINT', () => begin('SIGINT'));
  // Only processes that a launcher started have a channel.
  if (process.channel) process.on('disconnect', () => begin('the launcher ended'));
  // An error that nobody handled leaves an unknown state: say so, stop in order, let the supervisor start anew.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      logger.fatal({ err: error }, event);
      process.exitCode = 1;
      void stop().finally(() => process.exit(1));
      setTimeout(() => process.exit(1), 5_000).unref();
    });
  }
}

/** Tells the launcher, if one started this process, that it is ready. */
export function reportReady(details: Record<string, unknown> = {}): void {
  process.send?.({ ready: true, ...details });
}
