import { getHeapStatistics } from 'node:v8';
import { expect, it } from 'vitest';
import { collectAtRest } from './memoryAtRest.ts';

const megabytes = () => getHeapStatistics().total_heap_size / 2 ** 20;

it('returns the heap of ended work once the process is at rest', async () => {
  let kept: unknown[] = Array.from({ length: 1_000_000 }, (_, index) => ({ index, text: `text ${index}` }));
  const during = megabytes();
  kept = [];
  const end = collectAtRest({ everyMs: 50 });
  try {
    await expect.poll(megabytes, { timeout: 30_000, interval: 200 }).toBeLessThan(during - 50);
  } finally {
    end();
  }
  expect(kept).toEqual([]);
});
