import { appMemoryVariables, appNodeOptions } from '@bindery/runtime';
import type { PlannedApp } from './apps.ts';
import type { FailureNotices } from './output/failureNotices.ts';
import type { Run } from './run.ts';
import { unlessStopped } from './stopSignal.ts';
import type { Failing, Supervised } from './supervise.ts';

/** Longer than a worker needs to hand back its jobs after their grace period. */
const afterGraceMs = 20_000;
const usualReadyMs = 60_000;
/**
 * One death may be chance, and the next start succeeds. Three at the start of the platform have a cause that
 * needs attention.
 */
const awaitedDeaths = 3;

/**
 * Starts all planned processes concurrently. Each ends with the launcher, whose end closes its channel.
 *
 * @param readyMs  the time limit for becoming ready; default: a minute
 * @returns all of them, once each is ready, has died three times, or has reached the time limit; failing ones
 *   are restarted further, but not awaited
 */
export async function startApps(
  run: Run,
  apps: readonly PlannedApp[],
  {
    environment,
    graceMs,
    notices,
    readyMs = usualReadyMs,
  }: {
    environment: NodeJS.ProcessEnv;
    graceMs: number;
    notices: Pick<FailureNotices, 'listenersFor'>;
    readyMs?: number;
  },
): Promise<Supervised[]> {
  const waits: Promise<unknown>[] = [];
  const started = apps.flatMap(({ name, main, count, isWorker, before }) =>
    Array.from({ length: count }, (_, index) => {
      const failed = Promise.withResolvers<void>();
      const notice = isWorker ? notices.listenersFor(name) : undefined;
      const onDeath = (failing: Failing) => {
        notice?.onDeath(failing);
        if (failing.deaths >= awaitedDeaths) failed.resolve();
      };
      const supervised = run.keep(
        {
          name,
          command: process.execPath,
          args: [...appNodeOptions, main],
          environment: { ...appMemoryVariables, ...environment, ...metricsPort(environment, before + index) },
          hasChannel: true,
          readyMs,
          stopMs: graceMs + afterGraceMs,
          stopSignal: 'SIGTERM',
          isStore: false,
        },
        { onDeath, onReady: notice?.onReady },
      );
      waits.push(Promise.race([supervised.ready, failed.promise]));
      return supervised;
    }),
  );
  run.undo.defer(async () => {
    await Promise.all(started.map((supervised) => supervised.stop()));
  });
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, readyMs);
  run.undo.defer(() => clearTimeout(timer));
  await unlessStopped(run.signal, Promise.race([Promise.all(waits), late.promise]));
  clearTimeout(timer);
  return started;
}

/** Each process serves its metrics on a port of its own. */
function metricsPort({ BINDERY_METRICS_PORT: first }: NodeJS.ProcessEnv, index: number): NodeJS.ProcessEnv {
  return Number(first) > 0 ? { BINDERY_METRICS_PORT: String(Number(first) + index) } : {};
}
