import { afterEach, expect, it } from 'vitest';
import { createThreadPool } from './threadPool.ts';

const longMs = 60_000;
const pool = createThreadPool<'count' | 'hang later', number>(
  new URL('fixtures/testThread.ts', import.meta.url),
  { resourceLimits: {}, kept: 1 },
);
afterEach(async () => pool.close());

it('lends a returned thread again, with its state', async () => {
  pool.start();
  const first = pool.take();
  expect(await first.ask('count', longMs)).toEqual({ answer: 1 });
  expect(await pool.giveBack(first)).toBe(true);
  const again = pool.take();
  expect(again).toBe(first);
  expect(await again.ask('count', longMs)).toEqual({ answer: 2 });
});

it('ends returned threads that are too many, have pending requests, or were closed', async () => {
  const [one, other, busy, closed] = [pool.take(), pool.take(), pool.take(), pool.take()];
  const left = busy.ask('hang later', longMs);
  await closed.close();
  expect(await pool.giveBack(busy)).toBe(false);
  expect(await left).toBeUndefined();
  expect(await pool.giveBack(closed)).toBe(false);
  expect(await pool.giveBack(one)).toBe(true);
  expect(await pool.giveBack(other)).toBe(false);
  expect([one, other, busy, closed].map(({ isClosed }) => isClosed)).toEqual([false, true, true, true]);
});

it('ends lent threads when it closes', async () => {
  const thread = pool.take();
  const asked = thread.ask('hang later', longMs);
  await pool.close();
  expect(await asked).toBeUndefined();
  expect(await pool.giveBack(thread)).toBe(false);
});
