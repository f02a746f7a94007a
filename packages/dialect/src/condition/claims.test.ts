import type { AdaptiveJsonSchema, VisitorClaim } from '@bindery/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isConditionMet } from './isConditionMet.ts';
import { conditionProblem } from './parseCondition.ts';
import { reduceClaims } from './reduceClaims.ts';
import { templateConditions } from './templateConditions.ts';

const description = 'Told';
const closed = { type: 'object' as const, description, additionalProperties: false as const };
const schemaOf = (properties: AdaptiveJsonSchema['properties']): AdaptiveJsonSchema => ({
  type: 'object',
  properties,
  additionalProperties: false,
});

const schema = schemaOf({
  beta: { type: 'boolean', description },
  seats: { type: 'number', description },
  name: { type: 'string', description },
  plan: { type: 'string', description, enum: ['free', 'pro'] },
  roles: { type: 'array', description, items: { type: 'string', description, enum: ['admin', 'writer'] } },
  company: {
    ...closed,
    properties: { size: { type: 'number', description }, eu: { type: 'boolean', description } },
  },
  unsigned: {
    ...closed,
    description: 'Unsigned claims of the site visitor.',
    properties: { lang: { type: 'string', description } },
  },
});

describe('the claims of a visitor', () => {
  it('are kept if they are declared', () => {
    const signed = {
      beta: true,
      seats: 3,
      name: 'Ann',
      plan: 'pro',
      roles: ['admin'],
      company: { size: 1, eu: false },
    };
    expect(reduceClaims(schema, { signed, unsigned: { lang: 'js' } })).toEqual({
      ...signed,
      unsigned: { lang: 'js' },
    });
  });

  it('lose undeclared claims, and claims of another type', () => {
    const signed = {
      beta: 'true',
      seats: '3',
      name: 5,
      plan: 'gold',
      roles: ['admin', 'owner'],
      company: { size: null, eu: true, other: 1 },
      iat: 5,
      sub: 'x',
      constructor: true,
    };
    expect(reduceClaims(schema, { signed })).toEqual({ company: { eu: true } });
    expect(reduceClaims(schema, { signed: { seats: Number.NaN, roles: 'admin', company: [] } })).toEqual({});
  });

  it('are unsigned under the name "unsigned", and signed under all other names', () => {
    expect(
      reduceClaims(schema, { signed: { unsigned: { lang: 'js' } }, unsigned: { beta: true, plan: 'pro' } }),
    ).toEqual({});
    expect(
      reduceClaims(schemaOf({}), { signed: { unsigned: { lang: 'js' } }, unsigned: { lang: 'js' } }),
    ).toEqual({});
  });

  it('are dropped when the unsigned ones are too large', () => {
    expect(reduceClaims(schema, { unsigned: { lang: 'x'.repeat(4100) } })).toEqual({});
  });

  it('have no prototype at any level', () => {
    const reduced = reduceClaims(schema, { signed: { company: { eu: true } }, unsigned: { lang: 'js' } });
    for (const object of [reduced, reduced['company'], reduced['unsigned']])
      expect(Object.getPrototypeOf(object)).toBeNull();
  });

  it('are read as own properties only', () => {
    const inherited = Object.create({ beta: true }) as object;
    expect(reduceClaims(schema, { signed: inherited as Record<string, unknown> })).toEqual({});
    const named = schemaOf({
      toString: { type: 'boolean' as const, description },
      constructor: { type: 'string' as const, description },
    });
    expect(Object.keys(reduceClaims(named, { signed: {} }))).toEqual([]);
    expect(reduceClaims(named, { signed: { toString: true } })).toEqual(
      Object.assign(Object.create(null), { toString: true }),
    );
  });
});

describe('the conditions suggested by a schema', () => {
  it('include one for each known value', () => {
    expect(templateConditions(schema)).toEqual([
      { description: 'beta is true', condition: 'visitor.claims.beta == true' },
      { description: 'beta is false', condition: 'visitor.claims.beta == false' },
      { description: 'plan is free', condition: 'visitor.claims.plan == "free"' },
      { description: 'plan is pro', condition: 'visitor.claims.plan == "pro"' },
      { description: 'company.eu is true', condition: 'visitor.claims.company.eu == true' },
      { description: 'company.eu is false', condition: 'visitor.claims.company.eu == false' },
    ]);
    const unsigned: VisitorClaim = { ...closed, properties: { dark: { type: 'boolean', description } } };
    expect(templateConditions(schemaOf({ unsigned })).map(({ condition }) => condition)).toEqual([
      'visitor.claims.unsigned.dark == true',
      'visitor.claims.unsigned.dark == false',
    ]);
  });

  it('are valid, and are met by their value, for any names and values', () => {
    const text = fc.string({
      minLength: 1,
      maxLength: 20,
      unit: fc.constantFrom('a', 'é', '"', '\\', "'", ']', ';', ',', '\n', ' ', '😀'),
    });
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 3 }),
        fc.array(text, { maxLength: 3 }),
        (path, values) => {
          const claim = (at: number): VisitorClaim =>
            at === path.length
              ? { type: 'string', description, enum: values }
              : { ...closed, properties: { [path[at] ?? '']: claim(at + 1) } };
          const { properties } = claim(0) as Extract<VisitorClaim, { type: 'object' }>;
          const suggested = templateConditions(schemaOf(properties));
          expect(suggested).toHaveLength(new Set(values).size);
          for (const [i, { condition }] of suggested.entries()) {
            expect(conditionProblem(condition)).toBeUndefined();
            const claims = path.reduceRight<unknown>(
              (value, name) => ({ [name]: value }),
              [...new Set(values)][i],
            );
            expect(isConditionMet(condition, claims as Record<string, unknown>)).toBe(true);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('exclude conditions that would be too long', () => {
    const long = schemaOf({
      ['x'.repeat(100)]: { type: 'string', description, enum: ['y'.repeat(1000), 'y'] },
    });
    expect(templateConditions(long)).toHaveLength(1);
  });
});
