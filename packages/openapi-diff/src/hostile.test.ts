import { describe, expect, it } from 'vitest';
import { bound } from '../../../test/support/machine.ts';
import type { JsonObject } from './engine/json.ts';
import { documentOf, documentOfSchema, ref, schemas } from './fixtures/documents.ts';
import { compareSpecifications } from './index.ts';

const text = { type: 'string' };
const range = (length: number) => Array.from({ length }, (_, index) => index);

/** Components `S0`, `S1`, ... and a body that refers to the first. */
function chain(length: number, schemaAt: (index: number) => unknown): JsonObject {
  const named = Object.fromEntries(range(length).map((index) => [`S${index}`, schemaAt(index)]));
  return documentOfSchema(ref('S0'), schemas(named));
}

/** Components that each refer twice to the next; the last one is `leaf`. */
function doubling(levels: number, leaf: unknown, refer: (next: JsonObject) => unknown): JsonObject {
  return chain(levels, (index) => (index === levels - 1 ? leaf : refer(ref(`S${index + 1}`))));
}

describe('24 levels of schemas that refer twice to the next', () => {
  const ways = {
    properties: (next: JsonObject) => ({ type: 'object', properties: { a: next, b: next } }),
    oneOf: (next: JsonObject) => ({
      oneOf: [
        { title: 'a', allOf: [next] },
        { title: 'b', allOf: [next] },
      ],
    }),
    allOf: (next: JsonObject) => ({ allOf: [next, next], description: 'twice' }),
    'properties of two parts': (next: JsonObject) => ({
      allOf: [
        { properties: { a: { allOf: [next], minProperties: 0 } } },
        { properties: { a: { allOf: [next] } } },
      ],
    }),
  };
  for (const [name, refer] of Object.entries(ways)) {
    it(`${name}: one change for each direction, in a moment`, () => {
      const leaf = { type: 'object', properties: { x: text } };
      const [before, after] = [doubling(24, leaf, refer), doubling(24, { ...leaf, required: ['x'] }, refer)];
      compareSpecifications(before, after);
      const begunMs = performance.now();
      const diff = compareSpecifications(before, after);
      expect(performance.now() - begunMs).toBeLessThan(bound(35));
      expect(diff.isComplete).toBe(true);
      expect(diff.counts.breaking).toBe(1);
    });
  }
});

it('compares schemas that are nested a hundred levels deep, or far deeper', () => {
  for (const depth of [100, 20_000]) {
    const nested = (leaf: unknown) =>
      range(depth).reduce<unknown>((items) => ({ type: 'array', items }), leaf);
    const { changes } = compareSpecifications(
      documentOfSchema(nested(text)),
      documentOfSchema(nested({ type: 'boolean' })),
    );
    expect(changes.map(({ rule }) => rule).sort()).toEqual(['request-type-changed', 'response-type-changed']);
  }
});

it('treats rings of references as schemas that allow anything', () => {
  const ring = chain(3, (index) => ref(`S${(index + 1) % 3}`));
  expect(compareSpecifications(ring, ring).changes).toEqual([]);
  const alone = chain(1, () => ({ allOf: [ref('S0')] }));
  expect(compareSpecifications(alone, alone).changes).toEqual([]);
  const itself = chain(1, () => ({ allOf: [ref('S0'), { properties: { a: ref('S0') } }] }));
  expect(compareSpecifications(itself, itself).changes).toEqual([]);
});

it('compares rings of different lengths', () => {
  const ring = (length: number) =>
    chain(length, (index) => ({ type: 'object', properties: { next: ref(`S${(index + 1) % length}`) } }));
  const diff = compareSpecifications(ring(30), ring(31));
  expect(diff).toMatchObject({ changes: [], isComplete: true });
});

it('ends when the parts of allOf define each other again and again', () => {
  const clash = chain(12, (index) => ({
    allOf: range(4).map((part) => ({
      properties: Object.fromEntries(
        range(4).map((name) => [
          `p${name}`,
          { allOf: [ref(`S${(index * part + name) % 12}`)], title: `${part}` },
        ]),
      ),
    })),
  }));
  expect(compareSpecifications(clash, clash).changes).toEqual([]);
});

it('reports at most its limit of changes, and marks the result as incomplete', () => {
  const wide = (type: string) =>
    documentOfSchema({
      type: 'object',
      properties: Object.fromEntries(range(11_000).map((key) => [key, { type }])),
    });
  const diff = compareSpecifications(wide('string'), wide('boolean'));
  expect(diff.isComplete).toBe(false);
  expect(diff.changes).toHaveLength(20_000);
});

it('matches thousands of alternatives without a name', () => {
  const many = (count: number) =>
    documentOfSchema({ oneOf: range(count).map((key) => ({ type: 'object', properties: { [key]: text } })) });
  const diff = compareSpecifications(many(3_000), many(3_001));
  expect(diff.isComplete).toBe(true);
});

it('ignores parts that are not valid OpenAPI', () => {
  const odd = [null, 1, 'text', [], { get: 1 }, { get: { parameters: 1, responses: [], requestBody: 'x' } }];
  for (const value of odd) {
    for (const document of [
      documentOf({}, { paths: { '/a': value } }),
      documentOf({}, { paths: value, components: value }),
    ])
      expect(() => compareSpecifications(document, documentOf())).not.toThrow();
    expect(() =>
      compareSpecifications(documentOfSchema(value), documentOfSchema({ oneOf: value, allOf: value })),
    ).not.toThrow();
    expect(() =>
      compareSpecifications(
        documentOfSchema({ properties: value, enum: value, required: value }),
        documentOfSchema({}),
      ),
    ).not.toThrow();
  }
});

it('changes neither document', () => {
  const freeze = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
    return value;
  };
  const document = freeze(
    documentOfSchema({ allOf: [{ properties: { a: text } }, { properties: { a: text } }] }),
  ) as object;
  expect(compareSpecifications(document, document).changes).toEqual([]);
});
