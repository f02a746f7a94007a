import { expect, it } from 'vitest';
import { bound } from '../../../../test/support/machine.ts';
import { similarity } from './similarity.ts';

it.each([
  ['one two three four', 'one two three four', 1],
  ['one two three four', 'one two 3 four', 0.75],
  ['one two three four', 'one two three', 0.75],
  ['one two', 'three four', 0],
  ['', '', 1],
  ['one', '', 0],
])('of %j and %j is %d', (one, other, wanted) => {
  expect(similarity(one, other)).toBe(wanted);
  expect(similarity(other, one)).toBe(wanted);
});

it('of long texts compares their beginnings', () => {
  const long = 'word '.repeat(100_000);
  expect(similarity(long, `${long} more`)).toBe(1);
});

it('of two texts takes some microseconds for each hundred words that differ', () => {
  const words = (first: number) => Array.from({ length: 200 }, (_, index) => `w${index + first}`).join(' ');
  const begun = performance.now();
  for (let pair = 0; pair < 250; pair += 1) expect(similarity(words(0), words(1_000))).toBe(0);
  // Ten million comparisons of words, which findFuzzy does at once.
  expect(performance.now() - begun).toBeLessThan(bound(500));
});
