import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseClaims } from './parseClaims.ts';

describe('claims in a query', () => {
  it.each([
    ['{}', {}],
    ['()', {}],
    ['{"beta": true, "n": -1.5}', { beta: true, n: -1.5 }],
    ['(beta:!t,plan:pro)', { beta: true, plan: 'pro' }],
    [
      "(a:!f,b:!n,c:!(),d:!(1,two,!t),e:(f:''))",
      { a: false, b: null, c: [], d: [1, 'two', true], e: { f: '' } },
    ],
    ["('a b':'it!'s !!',c:-0.5,d:1e9)", { 'a b': "it's !", c: -0.5, d: 1e9 }],
    ['(name:Grün-Weiß/1.0)', { name: 'Grün-Weiß/1.0' }],
    ['(unsigned:(dark:!t))', { unsigned: { dark: true } }],
    ["('1':2)", { 1: 2 }],
  ])('%s', (text, claims) => {
    expect(parseClaims(text)).toEqual(claims);
  });

  it.each([
    ...[
      '',
      ' ',
      '(',
      ')',
      '(a)',
      '(a:)',
      '(a:1',
      '(a:1,)',
      '(,)',
      '(a:1)b',
      '(a:1)(b:2)',
      '!t',
      '!(1)',
      'a',
      "'a'",
      '1',
      '[]',
      '[1]',
      'null',
      '{',
      '{"a":}',
    ],
    ...[
      "('a:1)",
      '(a:!x)',
      '(a:01)',
      '(a:1a)',
      '(a:-)',
      '(a:1e999)',
      "('a!b':1)",
      '(a:b c)',
      '(a:@b)',
      '('.repeat(40),
      `(a:${'!('.repeat(30)}${')'.repeat(31)}`,
    ],
  ])('cannot be read from %j', (text) => {
    expect(parseClaims(text)).toBeUndefined();
  });

  it('cannot reach the prototype of objects', () => {
    expect(Object.keys(parseClaims('(__proto__:(beta:!t))') ?? {})).toEqual(['__proto__']);
    expect(({} as { beta?: boolean }).beta).toBeUndefined();
  });

  it('are read without an exception, whatever the text', () => {
    const marks = fc.constantFrom(
      '(',
      ')',
      '!',
      '!(',
      ',',
      ':',
      "'",
      'a',
      '1',
      '-',
      '{',
      '}',
      '"',
      ' ',
      '!t',
      'é',
    );
    const texts = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.array(marks, { maxLength: 200 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const claims = parseClaims(text);
        expect(claims === undefined || (typeof claims === 'object' && !Array.isArray(claims))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
