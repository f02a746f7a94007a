import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { identityOf, isRunning } from '@bindery/runtime';
import { supervise, type Failing, type ProgramFailed } from './supervise.ts';
import type { Program } from '../program.ts';

/** Builds a small Node program. */
function program(source: string, more: Partial<Program> = {}): Program {
  return {
    name: 'sample',
    command: process.execPath,
    args: ['-e', source],
    environment: process.env,
    hasChannel: true,
    readyMs: 10_000,
    stopMs: 10_000,
    stopSignal: 'SIGTERM',
    isStore: false,
    ...more,
  };
}

function listen() {
  const said: string[] = [];
  const pids: number[] = [];
  const gaveUp = Promise.withResolvers<ProgramFailed>();
  const onLine = vi.fn<(line: string) => void>();
  const onReady = vi.fn<() => void>();
  const deaths: Failing[] = [];
  return {
    said,
    pids,
    gaveUp: gaveUp.promise,
    onLine,
    onReady,
    deaths,
    events: {
      onLine,
      onReady,
      say: (line: string) => said.push(line),
      onStart: (pid: number) => {
        started.push(pid);
        pids.push(pid);
      },
      onDeath: (failing: Failing) => deaths.push(failing),
      onGiveUp: gaveUp.resolve,
    },
  };
}

/** A busy machine needs longer to start Node. */
const patience = { timeout: 15_000, interval: 10 };

/** Process groups of the present test. */
const started: number[] = [];
afterEach(async () => {
  await vi.waitFor(() => expect(started.filter((group) => isRunning({ pid: -group }))).toEqual([]), patience);
  started.length = 0;
});

describe('a supervised program', () => {
  it('is ready when it reports so through its channel, and ends when asked', async () => {
    const { events, pids, said } = listen();
    const supervised = supervise(
      program(`process.send({ ready: true }); process.on('SIGTERM', () => process.exit(0))`),
      events,
    );
    await supervised.ready;
    expect(supervised.pid()).toBe(pids[0]);
    await supervised.stop();
    expect(supervised.pid()).toBeUndefined();
    expect(said).toEqual([]);
  });

  it('reports its own reason when it cannot start', async () => {
    const { events, deaths, said } = listen();
    const supervised = supervise(
      program(`process.send({ failed: 'there is no Chromium' }, () => process.exit(1))`),
      events,
    );
    await vi.waitFor(() => expect(deaths).toHaveLength(1), patience);
    await supervised.stop();
    expect(deaths[0]?.reason).toBe('there is no Chromium');
    expect(said[0]).toContain('sample died (exit code 1: there is no Chromium)');
  });

  it('is ready when it prints a line, without a channel', async () => {
    const { events, onLine } = listen();
    const supervised = supervise(
      program(`console.log('open'); setInterval(() => {}, 1000)`, {
        hasChannel: false,
        isReadyLine: (line) => line === 'open',
      }),
      events,
    );
    await supervised.ready;
    expect(onLine).toHaveBeenCalledWith('open');
    await supervised.stop();
  });

  it('is restarted when it dies, and announced when it runs again', async () => {
    const { events, pids, said } = listen();
    const supervised = supervise(
      program(`process.send({ ready: true }); setInterval(() => {}, 1000)`),
      events,
      { pauseMs: () => 100 },
    );
    await supervised.ready;
    process.kill(pids[0] ?? 0, 'SIGKILL');
    await vi.waitFor(() => expect(said).toHaveLength(2), patience);
    expect(said).toEqual(['sample died (SIGKILL); starting it again in 0.1 s', 'sample runs again']);
    expect(pids).toHaveLength(2);
    expect([supervised.isReady(), supervised.failing()]).toEqual([true, undefined]);
    await supervised.stop();
  });

  it('is restarted without limit if it is not a store, after a pause for each death in a row', async () => {
    const { events, deaths, said, onReady } = listen();
    // It fails while the file is missing.
    const cause = join(await mkdtemp(join(tmpdir(), 'bindery-supervise-')), 'gone');
    const source = `if (require('node:fs').existsSync(process.env.CAUSE_GONE)) { process.send({ ready: true }); setInterval(() => {}, 1000); }
      else { console.error('no configuration'); process.exit(3); }`;
    const supervised = supervise(
      program(source, { environment: { ...process.env, CAUSE_GONE: cause } }),
      events,
      {
        pauseMs: (count) => count,
      },
    );
    await vi.waitFor(() => expect(deaths.length).toBeGreaterThan(6), patience);
    expect(deaths.slice(0, 7)).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((count) => expect.objectContaining({ deaths: count, pauseMs: count })),
    );
    expect(supervised.failing()).toMatchObject({ reason: 'exit code 3' });
    expect(supervised.isReady()).toBe(false);
    expect(supervised.lastLines()).toContain('no configuration');
    expect(said[6]).toBe('sample died (exit code 3), 7 deaths in a row; starting it again in 0.007 s');

    await writeFile(cause, '');
    await supervised.ready;
    expect(onReady).toHaveBeenCalledOnce();
    expect(said.at(-1)).toBe('sample runs again');
    await supervised.stop();
    await rm(dirname(cause), { recursive: true });
  });

  it('is restarted when the machine could not start it for a while', async () => {
    const { events, deaths, pids, said } = listen();
    const args = ['-e', `process.send({ ready: true }); setInterval(() => {}, 1000)`];
    const supervised = supervise(program('', { args }), events, { pauseMs: () => 1 });
    await supervised.ready;
    // Longer than a system allows for one argument.
    args.push('x'.repeat(1_000_000));
    process.kill(pids[0] ?? 0, 'SIGKILL');
    await vi.waitFor(() => expect(deaths.length).toBeGreaterThan(2), patience);
    expect(deaths[1]).toMatchObject({ reason: 'cannot be started: E2BIG' });
    args.pop();
    await vi.waitFor(() => expect(said.at(-1)).toBe('sample runs again'), patience);
    await supervised.stop();
  });

  it.each([
    { wellMs: 0, counts: [1, 1, 1] },
    { wellMs: 60_000, counts: [1, 2, 3] },
  ])('has its deaths forgotten once it has run well for $wellMs ms', async ({ wellMs, counts }) => {
    const { events, deaths } = listen();
    const source = `process.send({ ready: true }, () => process.exit(1))`;
    const supervised = supervise(program(source), events, { pauseMs: () => 1, wellMs });
    await vi.waitFor(() => expect(deaths.length).toBeGreaterThan(2), patience);
    await supervised.stop();
    expect(deaths.slice(0, 3).map((failing) => failing.deaths)).toEqual(counts);
  });

  it('is given up after five deaths in a row if it is a store, with its last lines', async () => {
    const { events, pids, gaveUp } = listen();
    const source = `console.error('out of memory'); process.send({ ready: true }, () => process.exit(3))`;
    const supervised = supervise(program(source, { isStore: true }), events, { pauseMs: () => 1 });
    const problem = await gaveUp;
    expect(problem.message).toBe('sample died 5 times in a row, the last time by exit code 3.');
    expect(problem.lastLines).toEqual(Array.from({ length: 5 }, () => 'out of memory'));
    expect(pids).toHaveLength(5);
    await supervised.stop();
  });

  it('is given up if it is a store that failed to restart twice', async () => {
    const { events, pids, gaveUp } = listen();
    const folder = await mkdtemp(join(tmpdir(), 'bindery-supervise-'));
    // Ready only at its first start.
    const source = `const mark = process.env.FOLDER + '/started';
      if (require('node:fs').existsSync(mark)) { console.error('damaged'); process.exit(14); }
      require('node:fs').writeFileSync(mark, '');
      process.send({ ready: true }, () => process.exit(1))`;
    supervise(program(source, { isStore: true, environment: { ...process.env, FOLDER: folder } }), events, {
      pauseMs: () => 1,
    });
    const problem = await gaveUp;
    expect(problem.message).toBe('sample could not start (exit code 14).');
    expect(problem.lastLines).toEqual(['damaged', 'damaged']);
    expect(pids).toHaveLength(3);
    await rm(folder, { recursive: true });
  });

  it('removes secrets from its output', async () => {
    const { events, onLine } = listen();
    const source = `console.error('cannot reach mongodb://me:s3cret@db.example.org'); process.send({ ready: true }); setInterval(() => {}, 1000)`;
    const supervised = supervise(program(source), events);
    await vi.waitFor(() => expect(onLine).toHaveBeenCalled(), patience);
    await supervised.stop();
    expect([onLine.mock.calls[0]?.[0], ...supervised.lastLines()].join()).not.toContain('s3cret');
  });

  it('is given up immediately if it is a store that cannot start', async () => {
    const { events, gaveUp } = listen();
    supervise(program('process.exit(3)', { isStore: true }), events);
    expect((await gaveUp).message).toBe('sample could not start (exit code 3).');
  });

  it('is restarted if it is a store that Ctrl-C reached while it started', async () => {
    const { events, said } = listen();
    const mark = join(await mkdtemp(join(tmpdir(), 'bindery-supervise-')), 'started');
    const source = `const { existsSync, writeFileSync } = require('node:fs');
      if (existsSync(process.env.MARK)) { process.send({ ready: true }); setInterval(() => {}, 1000); }
      else { writeFileSync(process.env.MARK, ''); process.kill(process.pid, 'SIGINT'); }`;
    const store = program(source, { isStore: true, environment: { ...process.env, MARK: mark } });
    const supervised = supervise(store, events, { pauseMs: () => 1 });
    await supervised.ready;
    expect(said).toEqual(['sample died (SIGINT); starting it again in 0.001 s', 'sample runs again']);
    await supervised.stop();
    await rm(dirname(mark), { recursive: true });
  });

  it('is given up when its program does not exist', async () => {
    const { events, gaveUp } = listen();
    supervise(program('', { command: '/no/such/program', isStore: true }), events);
    expect((await gaveUp).message).toBe('sample could not start (spawn /no/such/program ENOENT).');
  });

  it('is killed with its whole process group when it does not end in time', async () => {
    const { events, onLine, said } = listen();
    const source = `
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      console.log(child.pid);
      process.on('SIGTERM', () => {});
      process.send({ ready: true });`;
    const supervised = supervise(program(source, { stopMs: 100 }), events);
    await supervised.ready;
    await vi.waitFor(() => expect(onLine).toHaveBeenCalled(), patience);
    const grandchild = identityOf(Number(onLine.mock.calls[0]?.[0]));
    expect(isRunning(grandchild)).toBe(true);
    await supervised.stop();
    expect(said).toEqual(['sample did not stop within 0.1 s and was killed']);
    await vi.waitFor(() => expect(isRunning(grandchild)).toBe(false), patience);
  });

  it('is killed when it is not ready in time, and given up if it is a store', async () => {
    const { events, gaveUp } = listen();
    supervise(program('setInterval(() => {}, 1000)', { readyMs: 200, isStore: true }), events);
    expect((await gaveUp).message).toBe('sample could not start (not ready within 0.2 s).');
  });

  it('reports the public reason of a death without a path', async () => {
    const { events, deaths } = listen();
    const supervised = supervise(program('', { command: '/no/such/program' }), events);
    await vi.waitFor(
      () => expect(deaths).toMatchObject([{ reason: 'cannot be started: ENOENT', pid: undefined }]),
      patience,
    );
    await supervised.stop();
  });

  it('is not restarted after it was stopped', async () => {
    const { events, pids } = listen();
    const supervised = supervise(
      program(`process.send({ ready: true }); setInterval(() => {}, 1000)`),
      events,
    );
    await supervised.ready;
    supervised.kill();
    await supervised.stop();
    expect(pids).toHaveLength(1);
    expect(isRunning({ pid: pids[0] ?? 0 })).toBe(false);
  });

  it('is not restarted when it is stopped during a pause', async () => {
    const { events, deaths, pids } = listen();
    const supervised = supervise(program('process.exit(3)'), events, { pauseMs: () => 60_000 });
    await vi.waitFor(() => expect(deaths).toHaveLength(1), patience);
    await supervised.stop();
    expect([supervised.pid(), pids.length]).toEqual([undefined, 1]);
  });
});
