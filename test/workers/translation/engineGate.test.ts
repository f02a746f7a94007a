import { JobError } from '@bindery/contract';
import {
  createGate,
  gatedEngine,
  pseudoLocaleEngine,
  readGate,
  type GateLimits,
  type RunScript,
} from '@bindery/engines';
import { connectRedis, loadConfig, newId } from '@bindery/runtime';
import { afterAll, beforeAll, describe, expect, it as base } from 'vitest';
import { renewScript } from '../../../packages/engines/src/gate/gateScripts.ts';
import { until } from '../../support/until.ts';

const redis = connectRedis(loadConfig(), 'worker');
beforeAll(async () => redis.ping());
afterAll(() => redis.disconnect());

const limits: GateLimits = {
  callsAtOnce: 3,
  failures: 3,
  baseMs: 1_000,
  capMs: 6_000,
  askedMs: { min: 1, max: 60_000 },
  leaseMs: 30_000,
};

/** A gate of a new engine, as several processes have it. */
const it = base
  .extend('engine', () => `engine-${newId()}`)
  .extend(
    'run',
    (): RunScript => async (script, keys, values) =>
      // Calls that a test has not ended renew their lease also after it.
      redis.status === 'ready' ? redis.eval(script, keys.length, ...keys, ...values) : undefined,
  )
  .extend('gate', ({ engine, run }) => createGate(engine, { run, limits }))
  .extend(
    'state',
    ({ engine, run }) =>
      async () =>
        readGate(engine, run),
  )
  .extend('entered', ({ gate }) => async () => {
    const answer = await gate.enter();
    if (answer.state !== 'in') throw new Error(`The gate is ${answer.state}.`);
    return answer;
  })
  /** Makes the time of the next probe come. */
  .extend(
    'opened',
    ({ engine }) =>
      async () =>
        void (await redis.hset(`engine:${engine}`, 'until', 1)),
  );

describe('a gate', () => {
  it('lets in a limited number of calls at once', async ({ gate, entered }) => {
    const [first] = [await entered(), await entered(), await entered()];
    expect(await gate.enter()).toEqual({ state: 'full' });
    await first.leave({ kind: 'answered' });
    await entered();
    expect(await gate.enter()).toEqual({ state: 'full' });
  });

  it('forgets the calls of a process that died', async ({ engine, run, gate }) => {
    const dead = createGate(engine, {
      run: async (script, ...rest) => (script === renewScript ? undefined : run(script, ...rest)),
      limits: { ...limits, leaseMs: 300 },
    });
    for (let call = 0; call < 3; call += 1) expect(await dead.enter()).toMatchObject({ state: 'in' });
    await until('end of the leases', async () => (await gate.enter()).state === 'in');
  });

  it('closes for the time that the engine asks for, then lets in one probe', async ({
    gate,
    state,
    entered,
    opened,
  }) => {
    const { leave } = await entered();
    expect(await leave({ kind: 'throttled', retryAfterMs: 9_000 })).toEqual({
      closedMs: 9_000,
      isShared: true,
    });
    const answer = await gate.enter();
    expect(answer).toMatchObject({ state: 'closed', cause: 'throttled' });
    expect('waitMs' in answer && answer.waitMs).toBeGreaterThan(7_000);
    expect(await state()).toMatchObject({ cause: 'throttled', waitMs: expect.any(Number) });
    await opened();
    const answers = await Promise.all(Array.from({ length: 20 }, async () => gate.enter()));
    expect(answers.filter((one) => one.state === 'in')).toHaveLength(1);
    expect(answers.filter((one) => one.state === 'probed')).toHaveLength(19);
    const probe = answers.find((one) => one.state === 'in');
    await probe?.leave({ kind: 'answered' });
    expect(await state()).toEqual({});
    await entered();
  });

  it('lets in another probe when the first one is abandoned, or its process dies', async ({
    engine,
    gate,
    run,
    entered,
    opened,
  }) => {
    await (await entered()).leave({ kind: 'throttled' });
    await opened();
    await (await entered()).leave({ kind: 'left' });
    const dead = createGate(engine, {
      run: async (script, ...rest) => (script === renewScript ? undefined : run(script, ...rest)),
      limits: { ...limits, leaseMs: 300 },
    });
    expect(await dead.enter()).toMatchObject({ state: 'in' });
    expect(await gate.enter()).toMatchObject({ state: 'probed' });
    await until('end of the lease', async () => (await gate.enter()).state === 'in');
  });

  it('closes once for calls that were in progress together', async ({ gate, entered }) => {
    const [one, two, three] = [await entered(), await entered(), await entered()];
    const { closedMs } = await one.leave({ kind: 'throttled' });
    expect(closedMs).toBeLessThanOrEqual(1_000);
    expect((await two.leave({ kind: 'throttled' })).closedMs).toBeLessThanOrEqual(closedMs);
    expect((await three.leave({ kind: 'answered' })).closedMs).toBeGreaterThan(0);
    expect(await gate.enter()).toMatchObject({ state: 'closed' });
  });

  it('waits twice as long after each probe that fails, up to a limit', async ({ entered, opened }) => {
    const waits: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      waits.push((await (await entered()).leave({ kind: 'throttled' })).closedMs);
      await opened();
    }
    for (const [round, most] of [1_000, 2_000, 4_000, 6_000, 6_000].entries()) {
      expect(waits[round]).toBeLessThanOrEqual(most);
      expect(waits[round]).toBeGreaterThanOrEqual(most / 2);
    }
  });

  it('closes after failures in a row, and at once after a probe that fails', async ({
    gate,
    state,
    entered,
    opened,
  }) => {
    const fail = async () => (await (await entered()).leave({ kind: 'failed' })).closedMs;
    expect([await fail(), await fail()]).toEqual([0, 0]);
    await (await entered()).leave({ kind: 'answered' });
    expect([await fail(), await fail()]).toEqual([0, 0]);
    expect(await fail()).toBeGreaterThan(0);
    expect(await gate.enter()).toMatchObject({ state: 'closed', cause: 'failed' });
    await opened();
    expect(await fail()).toBeGreaterThan(500);
    expect(await state()).toMatchObject({ cause: 'failed' });
  });

  it('stays open after a refusal, and keeps its reason until an answer', async ({ state, entered }) => {
    await (await entered()).leave({ kind: 'refused', note: 'quota' });
    expect(await state()).toEqual({ note: 'quota' });
    await (await entered()).leave({ kind: 'answered' });
    expect(await state()).toEqual({});
  });

  it('lets everything in while Redis is away', async ({ engine }) => {
    const run: RunScript = async () => undefined;
    const gate = createGate(engine, { run, limits: { ...limits, callsAtOnce: 1 } });
    const answers = [await gate.enter(), await gate.enter()];
    expect(answers).toMatchObject([{ state: 'in' }, { state: 'in' }]);
    for (const answer of answers)
      if (answer.state === 'in')
        expect(await answer.leave({ kind: 'throttled' })).toEqual({ closedMs: 0, isShared: false });
    expect(await readGate(engine, run)).toEqual({});
  });
});

describe('an engine behind a gate', () => {
  const pair = { source: 'en', target: 'es' };
  const signal = new AbortController().signal;
  const throttled = (retryAfterMs: number) => new JobError('throttled', 'Wait.', { retryAfterMs });
  /** An engine that fails with these errors, one after the other, and then answers. */
  const failing = (...errors: Error[]) => {
    const calls: number[] = [];
    return {
      calls,
      engine: {
        ...pseudoLocaleEngine,
        translate: async (texts: readonly string[]) => {
          calls.push(performance.now());
          const error = errors.shift();
          if (error) throw error;
          return texts.map((text) => ({ text }));
        },
      },
    };
  };

  it('sends a batch again after the time that the engine asks to wait', async ({ gate }) => {
    const { engine, calls } = failing(throttled(300), throttled(300));
    const gated = gatedEngine(engine, { gate, turnMs: 60_000, patienceMs: 20_000 });
    expect(await gated.translate(['a'], { pair, signal })).toEqual([{ text: 'a' }]);
    expect(calls).toHaveLength(3);
    expect(calls[2]! - calls[0]!).toBeGreaterThanOrEqual(600 - 2);
  });

  it('gives up a wait that exceeds its patience, and reports when it ends', async ({ gate }) => {
    const { engine, calls } = failing(throttled(30_000));
    const gated = gatedEngine(engine, { gate, turnMs: 60_000, patienceMs: 5_000 });
    const error = {
      class: 'throttled',
      message: expect.stringMatching(
        /^The translation engine pseudo-locale asks to wait; it is asked again at 2\d{3}-.{14}Z\.$/,
      ),
    };
    await expect(gated.translate(['a'], { pair, signal })).rejects.toMatchObject({
      ...error,
      retryAfterMs: 30_000,
    });
    await expect(gated.translate(['a'], { pair, signal })).rejects.toMatchObject(error);
    expect(calls).toHaveLength(1);
  });

  it('gives up at once when its run is cancelled', async ({ gate }) => {
    const { engine } = failing(throttled(50_000));
    const cancel = new AbortController();
    const gated = gatedEngine(engine, { gate, turnMs: 60_000, patienceMs: 60_000 });
    const waiting = gated.translate(['a'], { pair, signal: cancel.signal });
    await until('closed gate', async () => (await gate.enter()).state === 'closed');
    cancel.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('throws failures until the gate closes, and waits then', async ({ engine: name, run }) => {
    const gate = createGate(name, { run, limits: { ...limits, failures: 2, baseMs: 100 } });
    const { engine, calls } = failing(new JobError('connect', 'One.'), new JobError('http_status', 'Two.'));
    const gated = gatedEngine(engine, { gate, turnMs: 60_000, patienceMs: 20_000 });
    await expect(gated.translate(['a'], { pair, signal })).rejects.toThrow('One.');
    expect(await gated.translate(['a'], { pair, signal })).toEqual([{ text: 'a' }]);
    expect(calls).toHaveLength(3);
  });

  it('throws a final error for an exhausted quota, and keeps the gate open', async ({ gate, state }) => {
    const { engine, calls } = failing(new JobError('quota', 'The quota is used up.'));
    const gated = gatedEngine(engine, { gate, turnMs: 60_000, patienceMs: 20_000 });
    await expect(gated.translate(['a'], { pair, signal })).rejects.toMatchObject({
      code: 'quota',
      class: 'invalid',
      message: 'The quota is used up.',
    });
    expect(await state()).toEqual({ note: 'quota' });
    expect(await gated.translate(['a'], { pair, signal })).toEqual([{ text: 'a' }]);
    expect(calls).toHaveLength(2);
  });

  it('waits longer for its turn than for the engine, up to a limit', async ({ engine: name, run }) => {
    const gate = createGate(name, { run, limits: { ...limits, callsAtOnce: 1 } });
    const first = await gate.enter();
    const { engine, calls } = failing();
    const translate = async (turnMs: number) =>
      gatedEngine(engine, { gate, turnMs, patienceMs: 1 }).translate(['a'], { pair, signal });
    await expect(translate(1)).rejects.toMatchObject({
      class: 'throttled',
      message: 'Too many calls to the engine pseudo-locale are under way.',
    });
    const waiting = translate(60_000);
    expect(calls).toHaveLength(0);
    if (first.state === 'in') await first.leave({ kind: 'answered' });
    expect(await waiting).toEqual([{ text: 'a' }]);
  });
});
