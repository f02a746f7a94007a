import { appMemoryVariables, appNodeOptions } from '@bindery/runtime';
import type { PlannedApp } from './apps.ts';
import type { FailureNotices } from './output/failureNotices.ts';
import type { Run } from './run.ts';
import { unlessStopped } from './stopSignal.ts';
import type { Failing, Supervised } from './supervise.ts';

/** Longer than the grace that a worker gives its running jobs and the time it then takes to hand them back. */
const afterGraceMs = 20_000;
const usualReadyMs = 60_000;
/** One death may be chance, and the next start heals it. Three at the start of the platform have a cause that a person has to look at. */
const awaitedDeaths = 3;

/**
 * Starts every process of the plan side by side. Each ends with the launcher, whose end closes its channel.
 *
 * @param readyMs  how long each may take to become ready; default: a minute
 * @returns all of them, when each is ready, or has died three times, or that time has passed: what does not run then is started on and on, but not
 *          waited for
 */
export async function startApps(
  run: Run,
  apps: readonly PlannedApp[],
  {
    environment,
    graceMs,
    notices,
    readyMs = usualReadyMs,
  }: { environment: NodeJS.ProcessEnv; graceMs: number; notices: Pick<FailureNotices, 'listenersFor'>; readyMs?: number },
): Promise<Supervised[]> {
  const waits: Promise<unknown>[] = [];
  const started = apps.flatMap(({ name, main, count, isWorker }) =>
    Array.from({ length: count }, () => {
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
          environment: { ...appMemoryVariables, ...environment },
          hasChannel: true,
          readyMs,
          stopMs: graceMs + afterGraceMs,
          stopSignal: 'SIGTERM',
          isStore: false,
        },
        { onDeath, ...(notice && { onReady: notice.onReady }) },
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
