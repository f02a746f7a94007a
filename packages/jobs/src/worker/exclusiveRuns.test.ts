import { describe, expect, it } from 'vitest';
import { createExclusiveRuns } from './exclusiveRuns.ts';

/** Work that runs until the test ends it. */
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

describe('exclusiveRuns', () => {
  it('runs work concurrently', async () => {
    const exclusiveRuns = createExclusiveRuns();
    const [one, two] = [openWork(), openWork()];
    const all = Promise.all([exclusiveRuns.shared(() => one.run()), exclusiveRuns.shared(() => two.run())]);
    await settled();
    expect([one.hasBegun, two.hasBegun]).toEqual([true, true]);
    one.end();
    two.end();
    await all;
  });

  it('makes exclusive work wait for running work, and refuses new work until it is done', async () => {
    const exclusiveRuns = createExclusiveRuns();
    const [before, loner, after] = [openWork(), openWork(), openWork()];
    const all = Promise.all([
      exclusiveRuns.shared(() => before.run()),
      exclusiveRuns.exclusive(() => loner.run()),
    ]);
    expect(exclusiveRuns.shared(() => after.run())).toBeUndefined();
    expect(exclusiveRuns.exclusive(() => after.run())).toBeUndefined();
    await settled();
    expect([before.hasBegun, loner.hasBegun, after.hasBegun]).toEqual([true, false, false]);
    before.end();
    await settled();
    expect(loner.hasBegun).toBe(true);
    expect(exclusiveRuns.shared(() => after.run())).toBeUndefined();
    loner.end();
    await all;
    const last = exclusiveRuns.shared(() => after.run());
    expect(after.hasBegun).toBe(true);
    after.end();
    await last;
  });

  it('accepts work again after exclusive work failed', async () => {
    const exclusiveRuns = createExclusiveRuns();
    const one = openWork();
    await expect(exclusiveRuns.exclusive(() => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    );
    const running = exclusiveRuns.exclusive(() => one.run());
    await settled();
    expect(one.hasBegun).toBe(true);
    one.end();
    await running;
  });
});
