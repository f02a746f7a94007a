import { describe, expect, it } from 'vitest';
import { retryDelayMs, retryDelaysMs } from './retrySchedule.ts';

describe('retryDelayMs', () => {
  it('allows ten attempts, at growing intervals', () => {
    const delays = Array.from({ length: 11 }, (_, index) => retryDelayMs(index + 1, { random: 0 }));
    expect(delays).toEqual([...retryDelaysMs, undefined, undefined]);
    expect(delays[0]).toBe(5_000);
    expect(delays[8]).toBe(86_400_000);
  });

  it('adds a random delay, never a negative one', () => {
    expect(retryDelayMs(1, { random: 1 })).toBe(6_000);
    expect(retryDelayMs(1, { random: 0.5 })).toBe(5_500);
  });

  it('waits as long as the server asks, if that is longer', () => {
    expect(retryDelayMs(1, { askedMs: 60_000, random: 0 })).toBe(60_000);
    expect(retryDelayMs(2, { askedMs: 60_000, random: 0 })).toBe(300_000);
  });
});
