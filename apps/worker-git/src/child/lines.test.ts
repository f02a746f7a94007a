import { expect, it } from 'vitest';
import { findLine, indexLines, toLines } from './lines.ts';

it('finds the last line of a key, in the beginning, the middle and at the end', () => {
  const lines = Buffer.concat([
    toLines([
      ['a', 'one'],
      ['"a b.md"', '{"label":"a b"}'],
      ['c', ''],
    ]),
    toLines([
      ['a', 'two é'],
      ['d', 'x a y'],
    ]),
  ]);
  expect(['a', '"a b.md"', 'c', 'd', 'b.md"', 'x', ''].map((key) => findLine(lines, key))).toEqual([
    'two é',
    '{"label":"a b"}',
    '',
    'x a y',
    undefined,
    undefined,
    undefined,
  ]);
});

it('indexes all lines by key, the last of each', () => {
  const lines = toLines([
    ['a', 'one'],
    ['b', 'x y é'],
    ['a', 'two'],
    ['c', ''],
  ]);
  expect([...indexLines(lines)]).toEqual([
    ['a', 'two'],
    ['b', 'x y é'],
    ['c', ''],
  ]);
  expect(indexLines(toLines([])).size).toBe(0);
});
