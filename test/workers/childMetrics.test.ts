import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../apps/cli/src/launcher/freePort.ts';
import { startLimitedWorker, type LimitedWorker } from '../support/processes/startLimitedWorker.ts';
import { until } from '../support/until.ts';

let folder: string;
let worker: LimitedWorker;
let port: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bindery-child-metrics-'));
  port = await freePort(undefined, '127.0.0.1');
  worker = await startLimitedWorker({ TMPDIR: folder, PREWARMED: '1', METRICS_PORT: String(port) });
});
afterAll(async () => {
  worker?.kill('SIGKILL');
  await worker?.ended;
  rmSync(folder, { recursive: true, force: true });
});

/** The values of the metrics of children, by name and the label that differs. */
async function read(): Promise<Record<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const lines = [...text.matchAll(/^bindery_(child\w*)\{(.*?)\} (\S+)$/gm)];
  return Object.fromEntries(
    lines.flatMap(([, name = '', labels = '', value]) => {
      if (name.endsWith('_bucket')) return [];
      expect(labels).toContain('kind="hostile"');
      const outcome = /outcome="(\w+)"/.exec(labels)?.[1];
      return [[outcome ? `${name} ${outcome}` : name, Number(value)]];
    }),
  );
}

it('the metrics of child processes count how each one ended', { timeout: 60_000 }, async () => {
  const ask = worker.run('ask', 'name', { asks: { name: 'Ada' } });
  await ask.ended;
  for (const how of ['throttled', 'memory', 'die', 'exit'] as const) await worker.run('end', how).ended;
  await worker.run('end', 'hang', { quietMs: 2_000 }).ended;
  const cancelled = worker.run('look', { worker: worker.pid, others: [] });
  await cancelled.event;
  cancelled.abort();
  await cancelled.ended;
  // The one that waits for work.
  await until('a child that waits', () => worker.children('hostileChild').length === 1);
  const [waiting] = worker.children('hostileChild');
  const before = await read();
  expect(before).toMatchObject({
    'child_ends_total ok': 1,
    'child_ends_total failed': 1,
    'child_ends_total memory_limit': 2,
    'child_ends_total time_limit': 1,
    'child_ends_total stopped': 1,
    'child_ends_total crashed': 1,
    child_starts_total: 8,
    children: 1,
    child_run_seconds_count: 7,
  });
  // Those that lived when they had answered, or when their time was over.
  expect(before.child_peak_memory_bytes_count).toBeGreaterThanOrEqual(3);
  expect(before.child_peak_memory_bytes_sum! / before.child_peak_memory_bytes_count!).toBeGreaterThan(2e7);

  process.kill(waiting!, 'SIGKILL');
  await until('count of its end', async () => (await read())['child_ends_total crashed'] === 2);
  await until('another one', async () => (await read()).child_starts_total === 9);
  expect(await read()).toMatchObject({ children: 1, child_run_seconds_count: 7 });
});
