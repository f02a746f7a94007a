import { flushCompileCache } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { JobError } from '@bindery/contract/jobErrors';
import { serveMetrics } from '@bindery/metrics';
import { createLimitedProcesses, findIsolation, reapOrphans } from '@bindery/runtime';
import type { HostileWork, WorkerCommand, WorkerMessage } from './hostileWork.ts';

// A worker with hostile children; a test sends it works to run, and kills it.

await serveMetrics(
  { port: Number(process.env.METRICS_PORT ?? 0), host: '127.0.0.1' },
  { app: 'limited-worker', logger: { warn: () => {} } },
);
const processes = createLimitedProcesses<HostileWork>({
  name: 'hostile',
  script: new URL('hostileChild.ts', import.meta.url),
  memoryMb: 64,
  prewarmed: Number(process.env.PREWARMED ?? 0),
  environment: { GIVEN: 'yes' },
  startsGroups: process.env.STARTS_GROUPS === '1',
  outOfMemory: () => new JobError('memory', 'Too much.'),
});
const running = new Map<number, AbortController>();

process.on('message', (command: WorkerCommand) => {
  if (command.kind === 'close') void processes.close();
  else if (command.kind === 'abort') running.get(command.id)?.abort(new Error('cancelled by its user'));
  else void run(command);
});
process.on('disconnect', () => process.exit(0));
// The kill would be too late for saving the compile cache.
flushCompileCache();
say({ ready: true, reaped: await reapOrphans(), isolation: findIsolation().kind });

async function run({ id, work, request, options }: Extract<WorkerCommand, { kind: 'run' }>): Promise<void> {
  const { asks = {}, failingAsk, quietMs, eventMs, folder } = options;
  let [handled, most] = [0, 0];
  const controller = new AbortController();
  running.set(id, controller);
  const answers = Object.entries(asks).map(([name, answer]) => [
    name,
    async () => {
      if (name === failingAsk) throw new JobError('not_found', 'Gone.');
      return answer;
    },
  ]);
  try {
    const result = await processes.run(work, request as never, {
      signal: controller.signal,
      asks: Object.fromEntries(answers) as never,
      onEvent: async (event: unknown) => {
        if (eventMs === undefined) return say({ kind: 'event', id, event });
        most = Math.max(most, ++handled);
        await delay(eventMs);
        handled -= 1;
      },
      ...(quietMs !== undefined && {
        quiet: { ms: quietMs, tooSlow: () => new JobError('limit', 'Too slow.') },
      }),
      ...(folder && { folder }),
    });
    say({ kind: 'done', id, result, most });
  } catch (error) {
    const { message, cause, ...fields } = error as Error;
    say({
      kind: 'failed',
      id,
      failure: { message, ...fields, ...(cause instanceof Error && { cause: cause.message }) },
    });
  }
}

function say(message: WorkerMessage): void {
  process.send?.(message);
}
