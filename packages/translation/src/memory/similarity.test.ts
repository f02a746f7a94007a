import { expect, it } from 'vitest';
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
