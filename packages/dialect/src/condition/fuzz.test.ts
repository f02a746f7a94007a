import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isConditionMet } from './isConditionMet.ts';
import { conditionProblem } from './parseCondition.ts';

const words = fc.constantFrom(
  ...[
    'visitor',
    'claims',
    'unsigned',
    'constructor',
    '__proto__',
    'toString',
    'prototype',
    'this',
    'true',
    'false',
    'null',
    'in',
    'a',
    'b',
  ],
  ...[
    '.',
    '?.',
    '[',
    ']',
    '(',
    ')',
    '!',
    '-',
    '==',
    '===',
    '!=',
    '<',
    '<=',
    '>',
    '&&',
    '||',
    '??',
    '?',
    ':',
    ',',
    ';',
    '=',
    '=>',
    '+',
    '`',
    '/',
    '\\',
  ],
  ...[
    '"a"',
    "'b'",
    '"',
    '1',
    '.5',
    '1e9',
    ' ',
    '\n',
    '\u00a0',
    '\ud800',
    'visitor.claims.a',
    'visitor.claims["b"]',
    '"a" in visitor.claims.b',
  ],
);
const texts = fc.oneof(
  fc.string({ maxLength: 1100, unit: 'binary' }),
  fc.array(words, { maxLength: 120 }).map((parts) => parts.join('')),
  fc.array(words, { maxLength: 60 }).map((parts) => parts.join(' ')),
  fc.tuple(words, fc.integer({ min: 1, max: 1024 })).map(([word, times]) => word.repeat(times)),
);
const keys = fc.constantFrom('a', 'b', 'unsigned', 'constructor', '__proto__', 'toString', 'length');
const claims = fc.dictionary(keys, fc.jsonValue({ maxDepth: 4 })) as fc.Arbitrary<Record<string, unknown>>;

const claimText = (path: string[]) =>
  `visitor.claims${path.map((name) => `[${literalText(name)}]`).join('')}`;
const literalText = (value: unknown) =>
  typeof value === 'string' ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : JSON.stringify(value);

/** A valid condition, built from the grammar. */
const { condition } = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small' },
    fc
      .array(fc.oneof(keys, fc.string({ maxLength: 4, unit: 'grapheme' })), { minLength: 1, maxLength: 4 })
      .map(claimText),
    fc
      .tuple(tie('condition'), tie('condition'), fc.constantFrom('&&', '||', '==', '!=', '<', '>='))
      .map(([a, b, sign]) => `(${a}) ${sign} (${b})`),
    tie('condition').map((text) => `!(${text})`),
    fc
      .tuple(fc.jsonValue({ maxDepth: 0 }), fc.array(fc.integer(), { maxLength: 5 }))
      .map(([a, list]) => `${literalText(a)} in [${list.join(', ')}]`),
    fc.jsonValue({ maxDepth: 0 }).map(literalText),
  ),
}));

function timed<T>(work: () => T): T {
  let ms = 0;
  // Another process may slow one attempt down, but hardly three.
  for (let tries = 0; tries < 3; tries += 1) {
    const start = performance.now();
    const result = work();
    ms = performance.now() - start;
    if (ms < 50) return result;
  }
  throw new Error(`took ${ms} ms`);
}

describe('conditions of any text', () => {
  it('are read or refused quickly, and never throw', () => {
    fc.assert(
      fc.property(texts, claims, (text, visitor) => {
        const problem = timed(() => conditionProblem(text));
        const isMet = timed(() => isConditionMet(text, visitor));
        if (problem !== undefined) expect(isMet).toBe(false);
      }),
      { numRuns: 3000 },
    );
  });

  it('are accepted when they follow the grammar', () => {
    fc.assert(
      fc.property(condition, claims, (text, visitor) => {
        const problem = conditionProblem(text);
        if (problem !== undefined) expect(problem).toMatch(/1 to 1024 characters|200 parts|too large/);
        expect(typeof timed(() => isConditionMet(text, visitor))).toBe('boolean');
      }),
      { numRuns: 2000 },
    );
  });

  it('read only the own properties of the claims', () => {
    fc.assert(
      fc.property(fc.oneof(condition, texts), claims, (text, visitor) => {
        const asked: PropertyKey[] = [];
        const isMet = isConditionMet(text, watched(visitor, asked));
        expect(asked).toEqual([]);
        expect(isMet).toBe(isConditionMet(text, bare(visitor)));
      }),
      { numRuns: 2000 },
    );
  });

  it('have the same result when the sides of && and || are swapped', () => {
    fc.assert(
      fc.property(condition, condition, claims, (a, b, visitor) => {
        for (const sign of ['&&', '||']) {
          if ([`(${a}) ${sign} (${b})`, `(${b}) ${sign} (${a})`].some((text) => conditionProblem(text)))
            return;
          expect(isConditionMet(`(${a}) ${sign} (${b})`, visitor)).toBe(
            isConditionMet(`(${b}) ${sign} (${a})`, visitor),
          );
        }
        if (!conditionProblem(`!(${a})`))
          expect(isConditionMet(a, visitor) && isConditionMet(`!(${a})`, visitor)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Records every property that is read but is not an own one. */
function watched(value: unknown, asked: PropertyKey[]): never {
  if (typeof value !== 'object' || value === null) return value as never;
  const copy = Array.isArray(value)
    ? value.map((item) => watched(item, asked))
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, watched(item, asked) as unknown]));
  return new Proxy(copy, {
    get(target, name) {
      // `Array.prototype.includes` itself reads this property.
      if (!Object.hasOwn(target, name) && name !== 'includes') asked.push(name);
      return Reflect.get(target, name) as unknown;
    },
  }) as never;
}

/** Copies a value without prototypes. */
function bare(value: unknown): never {
  if (typeof value !== 'object' || value === null) return value as never;
  if (Array.isArray(value)) return value.map(bare) as never;
  return Object.assign(
    Object.create(null),
    Object.fromEntries(Object.entries(value).map(([key, item]) => [key, bare(item) as unknown])),
  ) as never;
}
