import { describe, expect, it } from 'vitest';
import type { JsonObject } from './engine/json.ts';
import { documentOf, documentOfSchema, ref, schemas } from './fixtures/documents.ts';
import { compareSpecifications } from './index.ts';

const text = { type: 'string' };
const pet = (required: string[]) => ({ type: 'object', properties: { name: text }, required });
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });

/** Two operations that send pets, one of them inside of an owner, and one that sends none. */
function documentOfPets(required: string[]): JsonObject {
  const done = { 200: { description: 'Done' } };
  return documentOf(
    {},
    {
      paths: {
        '/pets': { post: { requestBody: json(ref('Pet')), responses: done } },
        '/owners': { put: { requestBody: json(ref('Owner')), responses: done } },
        '/health': { get: { responses: done } },
      },
      ...schemas({
        Owner: { type: 'object', properties: { pets: { type: 'array', items: ref('Pet') } } },
        Pet: pet(required),
      }),
    },
  );
}

describe('a change of a shared schema', () => {
  it('is one change at the schema, with the operations that reach it', () => {
    expect(compareSpecifications(documentOfPets([]), documentOfPets(['name'])).changes).toEqual([
      {
        rule: 'request-became-required',
        severity: 'breaking',
        direction: 'request',
        place: { part: 'property', name: 'name', schema: 'Pet' },
        pointer: {
          before: '/components/schemas/Pet/properties/name',
          after: '/components/schemas/Pet/properties/name',
        },
        operations: [
          { method: 'post', path: '/pets' },
          { method: 'put', path: '/owners' },
        ],
        operationCount: 2,
        message: 'The property `name` of `Pet` in requests became required.',
      },
    ]);
  });

  it('is the same change where another schema extends it, or allows null beside it', () => {
    const body = { allOf: [ref('Pet'), { properties: { age: { type: 'integer' } } }] };
    const nullable = { oneOf: [ref('Pet'), { type: 'null' }] };
    const documentWith = (required: string[]) =>
      documentOfSchema(
        { type: 'object', properties: { one: body, two: nullable, three: ref('Pet') } },
        schemas({ Pet: pet(required) }),
      );
    const { changes } = compareSpecifications(documentWith([]), documentWith(['name']));
    expect(changes.map(({ rule }) => rule)).toEqual(['request-became-required', 'response-became-required']);
  });

  it('does not turn an alternative that contains it into another one', () => {
    const documentWith = (required: string[]) => {
      const list = (more: JsonObject) => ({ type: 'array', items: ref('Pet'), ...more });
      return documentOfSchema({ anyOf: [list({}), list({ maxItems: 1 })] }, schemas({ Pet: pet(required) }));
    };
    const { changes } = compareSpecifications(documentWith([]), documentWith(['name']));
    expect(changes.map(({ rule }) => rule)).toEqual(['request-became-required', 'response-became-required']);
  });
});

describe('severities', () => {
  const [before, after] = [documentOfPets([]), documentOfPets(['name'])];

  it('can be chosen for a rule', () => {
    const diff = compareSpecifications(before, after, { severities: { 'request-became-required': 'info' } });
    expect(diff.counts).toEqual({ breaking: 0, warning: 0, info: 1 });
  });

  it('can turn a rule off', () => {
    const diff = compareSpecifications(before, after, { severities: { 'request-became-required': 'off' } });
    expect(diff.changes).toEqual([]);
  });

  it('are refused for a rule that does not exist', () => {
    expect(() => compareSpecifications(before, after, { severities: { 'no-rule': 'off' } })).toThrow(
      new RangeError('There is no rule no-rule; docs/openapi-diff.md lists the rules.'),
    );
  });
});
