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
    const all = [solitude.beside(() => one.run()), solitude.beside(() => two.run())];
    await settled();
    expect([one.hasBegun, two.hasBegun]).toEqual([true, true]);
    one.end();
    two.end();
    await Promise.all(all);
  });

  it('has a loner wait for the others, and the others for the loner', async () => {
    const solitude = createSolitude();
    const [before, loner, after] = [openWork(), openWork(), openWork()];
    const all = [solitude.beside(() => before.run()), solitude.alone(() => loner.run()), solitude.beside(() => after.run())];
    await settled();
    expect([before.hasBegun, loner.hasBegun, after.hasBegun]).toEqual([true, false, false]);
    before.end();
    await settled();
    expect([loner.hasBegun, after.hasBegun]).toEqual([true, false]);
    loner.end();
    await settled();
    expect(after.hasBegun).toBe(true);
    after.end();
    await Promise.all(all);
  });

  it('runs loners one after the other, also after one that failed', async () => {
    const solitude = createSolitude();
    const [one, two] = [openWork(), openWork()];
    const failing = solitude.alone(() => Promise.reject(new Error('broken')));
    const all = [solitude.alone(() => one.run()), solitude.alone(() => two.run())];
    await expect(failing).rejects.toThrow('broken');
    await settled();
    expect([one.hasBegun, two.hasBegun].filter(Boolean)).toHaveLength(1);
    one.end();
    two.end();
    await Promise.all(all);
    expect([one.hasBegun, two.hasBegun]).toEqual([true, true]);
  });
});
