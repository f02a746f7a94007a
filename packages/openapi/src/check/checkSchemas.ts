import { membersIn, partIn, type Part } from '../source/parts.ts';
import { keysOfFragment, pointerOf, valueAt } from '../source/pointer.ts';
import { walk } from '../source/walk.ts';
import type { CheckContext } from './context.ts';

/**
 * Checks schemas: from OpenAPI 3.1 on, they are JSON Schema of 2020, of which the schema of OpenAPI says only
 * that they are objects.
 */
export function checkSchemas(context: CheckContext): void {
  const { document, version } = context;
  const isJsonSchema = version.minor === '3.1' || version.minor === '3.2';
  walk(document, { shape: 'document', path: [] }, (part, shape, path) => {
    if (shape !== 'schema') return;
    if (isJsonSchema) checkKeywords(part, () => pointerOf(path), context);
    checkMapping(part, () => pointerOf(path), context);
  });
}

const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

function checkKeywords(schema: Part, pointerOfSchema: () => string, { report }: CheckContext): void {
  for (const key in schema) {
    if (key === 'type') {
      for (const type of Array.isArray(schema['type']) ? (schema['type'] as unknown[]) : [schema['type']]) {
        if (typeof type === 'string' && types.includes(type)) continue;
        report({
          severity: 'error',
          rule: 'unknown-type',
          message: `${JSON.stringify(type)} is no type; types are ${types.join(', ')}.`,
          pointer: `${pointerOfSchema()}/type`,
        });
      }
      continue;
    }
    const form = forms.get(key);
    if (!form || form.isRight(schema[key])) continue;
    report({
      severity: 'error',
      rule: 'wrong-keyword',
      message: `"${key}" of a schema must be ${form.name}${form.hint ?? ''}.`,
      pointer: `${pointerOfSchema()}/${key}`,
    });
  }
}

type Form = { name: string; hint?: string; isRight(value: unknown): boolean };

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isSchema = (value: unknown) => isObject(value) || typeof value === 'boolean';
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;

const object: Form = { name: 'an object', isRight: isObject };
const schema: Form = { name: 'a schema', isRight: isSchema };
const schemas: Form = {
  name: 'a list of schemas, not empty',
  isRight: (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema),
};
const count: Form = { name: 'a whole number, not negative', isRight: isCount };
const number: Form = { name: 'a number', isRight: (value) => typeof value === 'number' };
const limit: Form = { ...number, hint: ', the limit itself' };
const text: Form = { name: 'a text', isRight: (value) => typeof value === 'string' };
const texts: Form = {
  name: 'a list of texts',
  isRight: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
};
const flag: Form = { name: 'true or false', isRight: (value) => typeof value === 'boolean' };
const list: Form = { name: 'a list', isRight: (value) => Array.isArray(value) };

const forms = new Map<string, Form>([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs'].map((key) => [key, object] as const),
  ...['items', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'].map(
    (key) => [key, schema] as const,
  ),
  ...['unevaluatedItems', 'unevaluatedProperties', 'contentSchema'].map((key) => [key, schema] as const),
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((key) => [key, schemas] as const),
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(
    (key) => [key, count] as const,
  ),
  ...['minimum', 'maximum', 'multipleOf'].map((key) => [key, number] as const),
  ...['exclusiveMinimum', 'exclusiveMaximum'].map((key) => [key, limit] as const),
  ...['pattern', 'format', 'title', 'description', '$id', '$anchor', '$ref'].map(
    (key) => [key, text] as const,
  ),
  ['required', texts],
  ['enum', list],
  ...['deprecated', 'readOnly', 'writeOnly', 'uniqueItems'].map((key) => [key, flag] as const),
]);

/** The values of a discriminator lead to schemas, as references do. */
function checkMapping(part: Part, pointerOfSchema: () => string, { document, report }: CheckContext): void {
  const discriminator = partIn(part, 'discriminator');
  if (!discriminator) return;
  for (const [name, target] of membersIn(discriminator, 'mapping')) {
    if (typeof target !== 'string' || !target.startsWith('#/')) continue;
    if (valueAt(document, keysOfFragment(target.slice(1))) !== undefined) continue;
    report({
      severity: 'error',
      rule: 'missing-reference',
      message: `The mapping of "${name}" leads to ${target}, which is not there.`,
      pointer: `${pointerOfSchema()}${pointerOf(['discriminator', 'mapping', name])}`,
    });
  }
}
