import { describe, expect, it } from 'vitest';
import { restartPauseMs } from './restartPause.ts';

describe('the pause before a restart', () => {
  it('doubles with each death in a row, up to 30 s', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1_000, 5_000].map((deaths) =>
      restartPauseMs(deaths, () => 1),
    );
    expect(longest).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000]);
  });

  it('is at least half of that, and random', () => {
    expect(restartPauseMs(8, () => 0)).toBe(15_000);
    expect(new Set(Array.from({ length: 20 }, () => restartPauseMs(8))).size).toBeGreaterThan(1);
  });
});
