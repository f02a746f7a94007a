import { expect, expectTypeOf, it } from 'vitest';
import { compact } from './compact.ts';

it('drops undefined properties, and no others', () => {
  const kept = compact({ a: undefined, b: null, c: '', d: 0, e: false });
  expect(Object.keys(kept)).toEqual(['b', 'c', 'd', 'e']);
  expect(kept).toEqual({ b: null, c: '', d: 0, e: false });
});

it('types values that may be undefined as optional properties, which keep defaults', () => {
  const given = compact({ id: 'a', size: undefined as number | undefined });
  const whole = { size: 1, ...given };
  expectTypeOf(whole.size).toEqualTypeOf<number>();
  expectTypeOf(given.id).toEqualTypeOf<string>();
  expect(whole).toEqual({ id: 'a', size: 1 });
});
