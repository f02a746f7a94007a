import type { PlannedApp } from './apps.ts';
import type { Run } from './run.ts';
import { unlessStopped } from './stopSignal.ts';

/** Longer than the grace that a worker gives its running jobs and the time it then takes to hand them back. */
const afterGraceMs = 20_000;

/** Starts every process of the plan side by side; resolves when all are ready. Each ends with the launcher, whose end closes its channel. */
export async function startApps(
  run: Run,
  apps: readonly PlannedApp[],
  { environment, graceMs }: { environment: NodeJS.ProcessEnv; graceMs: number },
): Promise<void> {
  const started = apps.flatMap(({ name, main, count }) =>
    Array.from({ length: count }, () =>
      run.keep({
        name,
        command: process.execPath,
        args: [main],
        environment,
        hasChannel: true,
        readyMs: 60_000,
        stopMs: graceMs + afterGraceMs,
        stopSignal: 'SIGTERM',
        mustStartAtOnce: false,
      }),
    ),
  );
  run.undo.defer(async () => {
    await Promise.all(started.map((supervised) => supervised.stop()));
  });
  await unlessStopped(run.signal, Promise.all(started.map(({ ready }) => ready)));
}
