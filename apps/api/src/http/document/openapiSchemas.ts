import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

export type JsonSchema = { [key: string]: unknown };

/**
 * Renders zod schemas for one OpenAPI document. A schema with an id becomes a component. Throws when one id
 * has two shapes, usually because a default or a transformation makes input and output differ; give the input
 * its own id then.
 */
export function schemaWriter(): {
  render: (schema: z.ZodType, io: 'input' | 'output') => JsonSchema;
  components: Record<string, JsonSchema>;
} {
  const components: Record<string, JsonSchema> = {};
  return {
    components,
    render(schema, io) {
      // Rendered as the item of an array, so that a schema with an id becomes a reference too.
      const { items, $defs = {} } = z.toJSONSchema(z.array(schema), {
        io,
        unrepresentable: 'any',
        override: ({ zodSchema, jsonSchema }) => adjust(zodSchema, jsonSchema, io),
      });
      for (const [id, definition] of Object.entries($defs)) {
        if (id.startsWith('__schema'))
          throw new Error(`A recursive schema has no id: ${JSON.stringify(definition).slice(0, 200)}`);
        const rendered = withOurRefs(definition) as JsonSchema;
        if (components[id] && !isDeepStrictEqual(components[id], rendered)) {
          throw new Error(
            `The schema ${id} has two shapes: ${JSON.stringify(components[id])} and, as ${io}, ${JSON.stringify(rendered)}.`,
          );
        }
        components[id] = rendered;
      }
      return withOurRefs(items) as JsonSchema;
    },
  };
}

/** Writes the `mapping` of each discriminator. Call it once, when all components are known. */
export function mapDiscriminators(root: unknown, components: Record<string, JsonSchema>): void {
  visit(root, (schema) => {
    const property = schema[discriminatorMark];
    delete schema[discriminatorMark];
    if (typeof property !== 'string' || !Array.isArray(schema['oneOf'])) return;
    const mapping: Record<string, string> = {};
    for (const option of schema['oneOf'] as JsonSchema[]) {
      if (!addMapping(mapping, { option, property, components })) return;
    }
    schema['discriminator'] = { propertyName: property, mapping };
  });
}

// Temporary mark: while a union is rendered, its options are not known yet.
const discriminatorMark = 'x-discriminator-property';

function adjust(zodSchema: z.core.$ZodType, schema: JsonSchema, io: 'input' | 'output'): void {
  const { def } = zodSchema._zod;
  if (def.type === 'union' && 'discriminator' in def) schema[discriminatorMark] = def.discriminator;
  // Implied by z.int().
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (io === 'input') return;
  // Responses may get new fields, and `format` already implies its long pattern.
  if (schema['additionalProperties'] === false) delete schema['additionalProperties'];
  if (schema['format'] !== undefined) delete schema['pattern'];
}

function addMapping(
  mapping: Record<string, string>,
  {
    option,
    property,
    components,
  }: { option: JsonSchema; property: string; components: Record<string, JsonSchema> },
): boolean {
  const ref = option['$ref'];
  // A discriminator can only point to components.
  if (typeof ref !== 'string') return false;
  const target = components[ref.slice(refPrefix.length)] ?? {};
  const nested = target['oneOf'];
  if (Array.isArray(nested))
    return (nested as JsonSchema[]).every((inner) =>
      addMapping(mapping, { option: inner, property, components }),
    );
  const { const: single, enum: several } =
    (target['properties'] as Record<string, JsonSchema> | undefined)?.[property] ?? {};
  const values = single === undefined ? several : [single];
  if (!Array.isArray(values)) return false;
  for (const value of values) mapping[String(value)] = ref;
  return true;
}

const refPrefix = '#/components/schemas/';

function withOurRefs(schema: unknown): unknown {
  const copy: unknown = structuredClone(schema);
  visit(copy, (node) => {
    if (typeof node['$ref'] === 'string') node['$ref'] = node['$ref'].replace('#/$defs/', refPrefix);
    // Remove the id of a schema, which is its component key; but keep a property named `id`.
    if (typeof node['id'] === 'string') delete node['id'];
  });
  return copy;
}

function visit(node: unknown, see: (node: JsonSchema) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) see(node as JsonSchema);
  for (const child of Object.values(node)) visit(child, see);
}
