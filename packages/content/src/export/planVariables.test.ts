import { expect, it } from 'vitest';
import { writeVariables } from './planVariables.ts';

const written = (before: string | undefined, variables: Parameters<typeof writeVariables>[1]) => {
  const after = writeVariables(before === undefined ? undefined : Buffer.from(before), variables);
  return after && Buffer.from(after).toString('utf8');
};
const product = { name: 'product', value: 'Fernhill' };

it.each([
  ['no file and no variables', undefined, [], undefined],
  [
    'a first variable',
    undefined,
    [product, { name: 'on', value: 'true' }],
    'product: Fernhill\non: "true"\n',
  ],
  [
    'what is said already',
    "b: 1.10 # a\r\nproduct: 'Fernhill'\r\n",
    [product, { name: 'b', value: 1.1 }],
    "b: 1.10 # a\r\nproduct: 'Fernhill'\r\n",
  ],
  [
    'another value, a new one and one less',
    '# ours\nproduct: "Old" # why\r\ngone: 1\nnested:\n  not: flat\n',
    [product, { name: 'new', value: 'a: b' }],
    '# ours\nproduct: Fernhill # why\r\nnested:\n  not: flat\nnew: "a: b"\n',
  ],
  ['a list in braces', '{product: Old, gone: 1}', [product], 'product: Fernhill\n'],
  ['no list at all', '- a\n', [product], 'product: Fernhill\n'],
  ['nothing any more', 'product: Old\n', [], ''],
  [
    'a text of lines',
    'product: |\n  Old\n  older\nx: 1\n',
    [product, { name: 'x', value: 1 }],
    'product: Fernhill\nx: 1\n',
  ],
  [
    'a name that stands there twice',
    'product: a\nproduct: b\n',
    [product],
    'product: a\nproduct: Fernhill\n',
  ],
] as const)('writes %s', (_name, before, variables, expected) => {
  expect(written(before, variables)).toBe(expected);
});
