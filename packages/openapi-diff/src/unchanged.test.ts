import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject, type JsonObject } from './engine/json.ts';
import { documentOfSchema, ref, schemas } from './fixtures/documents.ts';
import { compareSpecifications } from './index.ts';

const names = ['A', 'B', 'C', 'D'];

/** Documents of schemas that refer to one another, also in rings. */
const anyDocument = fc
  .tuple(fc.array(anySchema(), { minLength: names.length, maxLength: names.length }), anySchema())
  .map(([parts, body]) => {
    const components = Object.fromEntries(names.map((name, index) => [name, parts[index]]));
    return documentOfSchema(body, schemas(components));
  });

describe('equivalent documents', () => {
  it('are the same as themselves', () => {
    fc.assert(fc.property(anyDocument, (document) => expectNoChange(document, document)));
  });

  it('are the same with the keys in another order', () => {
    fc.assert(fc.property(anyDocument, (document) => expectNoChange(document, withKeysReversed(document))));
  });

  it('are the same with a reference instead of an inline schema', () => {
    fc.assert(
      fc.property(anySchema(), anyDocument, (schema, document) => {
        const { components } = document as { components: { schemas: JsonObject } };
        const named = { ...components.schemas, Body: schema };
        const inline = documentOfSchema(schema, schemas(components.schemas));
        const shared = documentOfSchema(ref('Body'), schemas(named));
        expectNoChange(inline, shared);
        expectNoChange(shared, inline);
      }),
    );
  });

  it('are the same with other names of components', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const renamed = JSON.parse(
          JSON.stringify(document)
            .replaceAll('#/components/schemas/', '#/components/schemas/New')
            .replaceAll(/"([ABCD])":/g, '"New$1":'),
        ) as JsonObject;
        expectNoChange(document, renamed);
      }),
    );
  });

  it('are the same with references wrapped in allOf', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const wrapped = mapSchemas(document, (node) => ('$ref' in node ? { allOf: [node] } : node));
        expectNoChange(document, wrapped);
        expectNoChange(wrapped, document);
      }),
    );
  });

  it('are the same with null among the types instead of nullable', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const old = { ...document, openapi: '3.0.3' };
        const now = mapSchemas(document, ({ nullable, ...node }) =>
          nullable === true ? { ...node, type: [node['type'], 'null'] } : node,
        );
        const wrapped = mapSchemas(document, ({ nullable, ...node }) =>
          nullable === true ? { anyOf: [node, { type: 'null' }] } : node,
        );
        expectNoChange(old, now);
        expectNoChange(now, old);
        expectNoChange(old, wrapped);
        expectNoChange(wrapped, now);
      }),
    );
  });
});

function anySchema(): fc.Arbitrary<JsonObject> {
  const isNullable = fc.constantFrom({}, { nullable: true });
  const leaf: fc.Arbitrary<JsonObject> = fc.oneof(
    fc.constantFrom(...names).map(ref),
    fc.record({ type: fc.constant('string'), maxLength: fc.nat(9) }, { requiredKeys: ['type'] }),
    fc.record({ type: fc.constantFrom('integer', 'number'), minimum: fc.nat(9) }, { requiredKeys: ['type'] }),
    fc
      .uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 })
      .map((values) => ({ type: 'string', enum: values })),
  );
  return fc.letrec<{ schema: JsonObject }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      leaf,
      fc.tuple(leaf, isNullable).map(([node, more]) => ('$ref' in node ? node : { ...node, ...more })),
      tie('schema').map((items) => ({ type: 'array', items })),
      fc.record({
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom('name', 'constructor', '__proto__', 'a/b'), tie('schema')),
        required: fc.subarray(['name', 'other']),
      }),
      fc.array(tie('schema'), { minLength: 2, maxLength: 3 }).map((oneOf) => ({ oneOf })),
      fc
        .array(tie('schema'), { minLength: 1, maxLength: 3 })
        .map((parts) => ({ allOf: parts.map(objectOf) })),
    ),
  })).schema;
}

/** An object with one property, whose name is that of no other part. */
function objectOf(schema: JsonObject, index: number): JsonObject {
  return { type: 'object', properties: { [`part${index}`]: schema } };
}

function expectNoChange(before: JsonObject, after: JsonObject): void {
  expect(compareSpecifications(before, after).changes).toEqual([]);
}

/** Changes each schema below another node, inner ones first. */
function mapSchemas<T>(value: T, change: (node: JsonObject) => JsonObject): T {
  if (Array.isArray(value)) return value.map((part: unknown) => mapSchemas(part, change)) as T;
  if (!isObject(value)) return value;
  const node = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, mapSchemas(part, change)]),
  );
  return (isSchema(node) ? change(node) : node) as T;
}

function isSchema(node: JsonObject): boolean {
  return typeof node['type'] === 'string' || typeof node['$ref'] === 'string';
}

function withKeysReversed<T>(value: T): T {
  if (Array.isArray(value)) return value.map((part: unknown) => withKeysReversed(part)) as T;
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, part]) => [key, withKeysReversed(part)]),
  ) as T;
}
