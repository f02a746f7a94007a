import { describe, expect, it } from 'vitest';
import { createSolitude } from './solitude.ts';

/** Work that goes on until it is told to end. */
function openWork() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const state = { hasBegun: false, end: resolve };
  return Object.assign(state, {
    run: () => {
      state.hasBegun = true;
      return promise;
    },
  });
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('solitude', () => {
  it('lets work run beside other work', async () => {
    const solitude = createSolitude();
    const [one, two] = [openWork(), openWork()];
    const all = Promise.all([solitude.beside(() => one.run()), solitude.beside(() => two.run())]);
    await settled();
    expect([one.hasBegun, two.hasBegun]).toEqual([true, true]);
    one.end();
    two.end();
    await all;
  });

  it('has a loner wait for the others, and leaves what comes meanwhile to other workers', async () => {
    const solitude = createSolitude();
    const [before, loner, after] = [openWork(), openWork(), openWork()];
    const all = Promise.all([solitude.beside(() => before.run()), solitude.alone(() => loner.run())]);
    expect(solitude.beside(() => after.run())).toBeUndefined();
    expect(solitude.alone(() => after.run())).toBeUndefined();
    await settled();
    expect([before.hasBegun, loner.hasBegun, after.hasBegun]).toEqual([true, false, false]);
    before.end();
    await settled();
    expect(loner.hasBegun).toBe(true);
    expect(solitude.beside(() => after.run())).toBeUndefined();
    loner.end();
    await all;
    const last = solitude.beside(() => after.run());
    expect(after.hasBegun).toBe(true);
    after.end();
    await last;
  });

  it('lets work run again after a loner that failed', async () => {
    const solitude = createSolitude();
    const one = openWork();
    await expect(solitude.alone(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    const running = solitude.alone(() => one.run());
    await settled();
    expect(one.hasBegun).toBe(true);
    one.end();
    await running;
  });
});
