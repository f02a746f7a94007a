import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepPrograms, type Run } from './run.ts';
import { startApps } from './startApps.ts';
import type { Failing } from './supervise.ts';

let folder: string;
let run: Run;
let said: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bindery-apps-'));
  said = [];
  const say = (line: string) => void said.push(line);
  const { keep } = keepPrograms({ say, isTerminal: false, onChange: () => {}, onFailed: () => {} });
  run = {
    environment: process.env,
    signal: new AbortController().signal,
    say,
    undo: new AsyncDisposableStack(),
    keep,
  };
});
afterEach(async () => {
  await run.undo.disposeAsync();
  await rm(folder, { recursive: true });
});

async function app(name: string, source: string) {
  const main = join(folder, `${name}.js`);
  await writeFile(main, source);
  return { name, main, count: 1, before: 0, isWorker: true };
}

it('stops waiting after the time limit for an app that neither dies nor becomes ready, which is killed and restarted', async () => {
  const deaths: Failing[] = [];
  const notices = {
    listenersFor: () => ({ onReady: () => {}, onDeath: (failing: Failing) => void deaths.push(failing) }),
  };
  const apps = [
    await app('hangs', 'setInterval(() => {}, 1000)'),
    await app(
      'runs',
      `setInterval(() => {}, 1000); process.on("SIGTERM", () => process.exit(0)); process.send({ ready: true })`,
    ),
  ];
  const [hangs, runs] = await startApps(run, apps, {
    environment: process.env,
    graceMs: 0,
    notices,
    readyMs: 2_000,
  });
  expect([hangs?.isReady(), runs?.isReady()]).toEqual([false, true]);
  await vi.waitFor(() => expect(deaths).toMatchObject([{ reason: 'not ready within 2 s', deaths: 1 }]), {
    timeout: 10_000,
  });
  expect(said.join('\n')).toMatch(/hangs died \(not ready within 2 s\); starting it again in [\d.]+ s/);
  const dead = deaths[0]?.pid;
  await vi.waitFor(() => expect(hangs?.pid()).toEqual(expect.any(Number)), { timeout: 10_000 });
  expect(hangs?.pid()).not.toBe(dead);
});
