import { describe, expect, it } from 'vitest';
import { canonical, hashOfJson } from './hash.ts';

describe('canonical', () => {
  it.each<[unknown, string]>([
    [{ b: 1, a: [true, null, 'x"'] }, '{"a":[true,null,"x\\""],"b":1}'],
    [{ a: undefined, b: { d: undefined } }, '{"b":{}}'],
    [[], '[]'],
    [['', ''], '["",""]'],
    [{ '': 1, __proto__x: 2 }, '{"":1,"__proto__x":2}'],
  ])('%j', (value, expected) => expect(canonical(value)).toBe(expected));

  it('is the same for equal values, regardless of the order of their keys', () => {
    expect(hashOfJson({ a: 1, b: { c: 2, d: 3 } })).toBe(hashOfJson({ b: { d: 3, c: 2 }, a: 1 }));
    expect(hashOfJson({ a: 1 })).not.toBe(hashOfJson({ a: 2 }));
  });
});
