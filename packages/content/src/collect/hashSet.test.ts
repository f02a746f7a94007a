import { expect, it } from 'vitest';
import { sha256 } from '../store/hash.ts';
import { createHashSet, shareOf } from './hashSet.ts';

it('contains exactly the added names, also after it has grown', () => {
  const set = createHashSet();
  const names = Array.from({ length: 5_000 }, (_, n) => (n % 2 === 0 ? sha256(`name ${n}`) : `upload-${n}`));
  for (const [n, name] of names.entries()) {
    expect(set.has(name)).toBe(false);
    expect(set.add(name)).toBe(true);
    expect(set.size).toBe(n + 1);
  }
  for (const name of names) expect([set.has(name), set.add(name)]).toEqual([true, false]);
  expect(set.size).toBe(5_000);
  expect(set.has(sha256('another'))).toBe(false);
});

it('can contain a hash of zeros, although zeros mark a free slot', () => {
  const set = createHashSet();
  expect(set.has('0'.repeat(64))).toBe(false);
  expect([set.add('0'.repeat(64)), set.add('0'.repeat(64)), set.has('0'.repeat(64))]).toEqual([
    true,
    false,
    true,
  ]);
});

it('divides names into shares of about the same size', () => {
  const counts = [0, 0, 0];
  for (let n = 0; n < 3_000; n += 1) counts[shareOf(sha256(`name ${n}`), 3)]! += 1;
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});
