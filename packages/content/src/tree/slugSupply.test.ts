import { describe, expect, it } from 'vitest';
import { slugSupply } from './slugSupply.ts';

describe('slugs of sibling pages that are added together', () => {
  it('are the wanted ones, or get the next free number', () => {
    const slugOf = slugSupply((slug) => ['a', 'a-2', 'b-1'].includes(slug));
    expect(['a', 'a', 'b', 'b', 'a', 'a-1', 'c'].map(slugOf)).toEqual([
      'a-1',
      'a-3',
      'b',
      'b-2',
      'a-4',
      'a-1-1',
      'c',
    ]);
  });

  it('have at most a hundred characters, however long the number is', () => {
    const slugOf = slugSupply();
    const slugs = Array.from({ length: 120 }, () => slugOf('x'.repeat(150)));
    expect(new Set(slugs).size).toBe(120);
    expect(slugs.map(({ length }) => length)).toEqual(slugs.map(() => 100));
    expect([slugs[1], slugs[119]]).toEqual([`${'x'.repeat(98)}-1`, `${'x'.repeat(96)}-119`]);
  });

  it.each(['same', 'x'.repeat(150)])(
    'cost each page the same, however many pages want one slug',
    (wanted) => {
      const count = (pages: number) => {
        let looks = 0;
        const slugOf = slugSupply(() => {
          looks += 1;
          return false;
        });
        for (let page = 0; page < pages; page += 1) slugOf(wanted);
        return looks;
      };
      expect(count(2_000)).toBeLessThan(2.1 * count(1_000));
      expect(count(1_000)).toBeLessThan(2_100);
    },
  );

  it('cost no more when the wanted slugs differ only in the part that a number replaces', () => {
    let looks = 0;
    const slugOf = slugSupply(() => {
      looks += 1;
      return false;
    });
    const long = Array.from({ length: 1_000 }, (_, index) => `${'x'.repeat(96)}${1_000 + index}`);
    const slugs = [...long, ...long].map(slugOf);
    expect(new Set(slugs).size).toBe(2_000);
    expect(looks).toBeLessThan(10_000);
  });
});
