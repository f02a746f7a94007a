import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSharedLookUps } from './sharedLookUps.ts';

describe('a shared look-up', () => {
  /** Look-ups that end when told to, each with the number of those that were started before it. */
  const controlled = () => {
    const started: PromiseWithResolvers<void>[] = [];
    const lookUp = async () => {
      const own = Promise.withResolvers<void>();
      started.push(own);
      const number = started.length;
      await own.promise;
      return number;
    };
    return { started, lookUp };
  };
  const settled = async () => new Promise((resolve) => setImmediate(resolve));

  it('starts after all callers that share it have asked', async () => {
    const share = createSharedLookUps();
    const { started, lookUp } = controlled();
    const first = share('a', lookUp);
    const later = [share('a', lookUp), share('a', lookUp)];
    expect(started).toHaveLength(1);
    started[0]?.resolve();
    expect(await first).toBe(1);
    await settled();
    expect(started).toHaveLength(2);
    // The second one runs already: it may have read before.
    const last = share('a', lookUp);
    started[1]?.resolve();
    expect(await Promise.all(later)).toEqual([2, 2]);
    await settled();
    started[2]?.resolve();
    expect(await last).toBe(3);
  });

  it('does not wait for other keys', async () => {
    const share = createSharedLookUps();
    const { started, lookUp } = controlled();
    const ends = [share('a', lookUp), share('b', lookUp)];
    expect(started).toHaveLength(2);
    for (const { resolve } of started) resolve();
    expect(await Promise.all(ends)).toEqual([1, 2]);
  });

  it('fails only callers that asked before it started', async () => {
    const share = createSharedLookUps();
    const { started, lookUp } = controlled();
    const failing = share('a', lookUp);
    const next = share('a', lookUp);
    started[0]?.reject(new Error('away'));
    await expect(failing).rejects.toThrow('away');
    await settled();
    started[1]?.resolve();
    expect(await next).toBe(2);
    const alone = share('a', lookUp);
    started[2]?.resolve();
    expect(await alone).toBe(3);
  });

  it('waits only briefly for a look-up that hangs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const share = createSharedLookUps();
    const { started, lookUp } = controlled();
    const hanging = share('a', lookUp);
    const later = [share('a', lookUp), share('a', lookUp)];
    await vi.advanceTimersByTimeAsync(1_000);
    expect(started).toHaveLength(2);
    started[1]?.resolve();
    expect(await Promise.all(later)).toEqual([2, 2]);
    // It ends while another one runs, and leaves that to those who share it.
    const last = share('a', lookUp);
    const next = share('a', lookUp);
    started[0]?.resolve();
    expect(await hanging).toBe(1);
    expect(started).toHaveLength(3);
    for (const each of [started[2], started[3]]) {
      each?.resolve();
      await settled();
    }
    started[3]?.resolve();
    expect(await Promise.all([last, next])).toEqual([3, 4]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
