import { describe, expect, it, vi } from 'vitest';
import { identityOf, isRunning } from './processes.ts';
import { supervise, type Program, type ProgramFailed } from './supervise.ts';

/** A small Node program, written out. */
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
    mustStartAtOnce: false,
    ...more,
  };
}

function listen() {
  const said: string[] = [];
  const pids: number[] = [];
  const gaveUp = Promise.withResolvers<ProgramFailed>();
  const onLine = vi.fn<(line: string) => void>();
  return {
    said,
    pids,
    gaveUp: gaveUp.promise,
    onLine,
    events: { onLine, onDeath: (line: string) => said.push(line), onStart: (pid: number) => pids.push(pid), onGiveUp: gaveUp.resolve },
  };
}

describe('a supervised program', () => {
  it('is ready when it says so through its channel, and ends when asked', async () => {
    const { events, pids, said } = listen();
    const supervised = supervise(program(`process.send({ ready: true }); process.on('SIGTERM', () => process.exit(0))`), events);
    await supervised.ready;
    expect(supervised.pid()).toBe(pids[0]);
    await supervised.stop();
    expect(supervised.pid()).toBeUndefined();
    expect(said).toEqual([]);
  });

  it('is ready when a line says so, where it has no channel', async () => {
    const { events, onLine } = listen();
    const supervised = supervise(
      program(`console.log('open'); setInterval(() => {}, 1000)`, { hasChannel: false, isReadyLine: (line) => line === 'open' }),
      events,
    );
    await supervised.ready;
    expect(onLine).toHaveBeenCalledWith('open');
    await supervised.stop();
  });

  it('is started again when it dies', async () => {
    const { events, pids, said } = listen();
    const supervised = supervise(program(`process.send({ ready: true }); setInterval(() => {}, 1000)`), events);
    await supervised.ready;
    process.kill(pids[0] ?? 0, 'SIGKILL');
    await vi.waitFor(() => expect(pids).toHaveLength(2), { timeout: 5_000 });
    expect(said).toEqual(['sample died (SIGKILL); starting it again in 0.25 s']);
    await supervised.stop();
  });

  it('is given up after five deaths in a minute, with its last lines', async () => {
    const { events, pids, gaveUp } = listen();
    const supervised = supervise(program(`console.error('no configuration'); process.exit(3)`), events);
    const problem = await gaveUp;
    expect(problem.message).toBe('sample died 5 times in a minute, the last time by exit code 3.');
    expect(problem.lastLines).toEqual(Array.from({ length: 5 }, () => 'no configuration'));
    expect(pids).toHaveLength(5);
    await expect(supervised.ready).rejects.toBe(problem);
  });

  it('is given up at once when it must start and does not', async () => {
    const { events, gaveUp } = listen();
    supervise(program('process.exit(3)', { mustStartAtOnce: true }), events);
    expect((await gaveUp).message).toBe('sample could not start (exit code 3).');
  });

  it('is given up when its program does not exist', async () => {
    const { events, gaveUp } = listen();
    supervise(program('', { command: '/no/such/program', mustStartAtOnce: true }), events);
    expect((await gaveUp).message).toBe('sample could not start (spawn /no/such/program ENOENT).');
  });

  it('is killed with its whole group when it does not end in time', async () => {
    const { events, onLine, said } = listen();
    const source = `
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      console.log(child.pid);
      process.on('SIGTERM', () => {});
      process.send({ ready: true });`;
    const supervised = supervise(program(source, { stopMs: 100 }), events);
    await supervised.ready;
    await vi.waitFor(() => expect(onLine).toHaveBeenCalled());
    const grandchild = identityOf(Number(onLine.mock.calls[0]?.[0]));
    expect(isRunning(grandchild)).toBe(true);
    await supervised.stop();
    expect(said).toEqual(['sample did not stop within 0.1 s and was killed']);
    await vi.waitFor(() => expect(isRunning(grandchild)).toBe(false));
  });

  it('is killed when it is not ready in time', async () => {
    const { events, gaveUp, said } = listen();
    supervise(program('setInterval(() => {}, 1000)', { readyMs: 200, mustStartAtOnce: true }), events);
    expect((await gaveUp).message).toBe('sample could not start (SIGKILL).');
    expect(said).toEqual(['sample was not ready after 0.2 s']);
  });

  it('is not started again once it was told to stop', async () => {
    const { events, pids } = listen();
    const supervised = supervise(program(`process.send({ ready: true }); setInterval(() => {}, 1000)`), events);
    await supervised.ready;
    supervised.kill();
    await supervised.stop();
    expect(pids).toHaveLength(1);
    expect(isRunning({ pid: pids[0] ?? 0 })).toBe(false);
  });
});
