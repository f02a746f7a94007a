import { z } from 'zod';
import { text } from '../input/input.ts';

/**
 * The claims about a site's visitors, as a JSON Schema: a small part of draft 07, in which every claim has
 * exactly one of these types.
 */
export type AdaptiveJsonSchema = {
  $schema?: 'http://json-schema.org/draft-07/schema#' | undefined;
  type: 'object';
  properties: { [claim: string]: VisitorClaim };
  additionalProperties: false;
};
export type VisitorClaim = PrimitiveClaim | ListClaim | ObjectClaim;
export type PrimitiveClaim =
  | { type: 'boolean' | 'number'; description: string }
  | { type: 'string'; description: string; enum?: string[] | undefined };
type ListClaim = { type: 'array'; description: string; items: PrimitiveClaim };
type ObjectClaim = {
  type: 'object';
  description: string;
  properties: { [claim: string]: VisitorClaim };
  additionalProperties: false;
};

/** Limits of a schema: claims and objects of claims, depth of nesting, and characters as JSON. */
const adaptiveSchemaLimits = { claims: 100, depth: 8, characters: 65_536 } as const;

const claimName = text(1, 100);

export const UpdateSiteAdaptiveSchema = z
  .strictObject({ jsonSchema: jsonSchemaOf('Input').superRefine(refuseLargeSchemas) })
  .meta({ id: 'UpdateSiteAdaptiveSchema' });

export const SiteAdaptiveSchema = z
  .object({
    object: z.literal('site-adaptive-schema'),
    jsonSchema: jsonSchemaOf(''),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'SiteAdaptiveSchema' });
export type SiteAdaptiveSchema = z.infer<typeof SiteAdaptiveSchema>;

export const SiteAdaptiveTemplateCondition = z
  .object({ description: z.string(), condition: z.string() })
  .meta({ id: 'SiteAdaptiveTemplateCondition' });
export type SiteAdaptiveTemplateCondition = z.infer<typeof SiteAdaptiveTemplateCondition>;

/**
 * @param suffix  distinguishes the schemas of requests, which refuse unknown keywords, from those of
 *   responses, which may gain some
 */
function jsonSchemaOf(suffix: '' | 'Input') {
  const description = text(0, 1024);
  const closed = z.literal(false);
  const Primitive = z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('boolean'), description }),
    z.strictObject({ type: z.literal('number'), description }),
    z.strictObject({
      type: z.literal('string'),
      description,
      enum: z.array(text(0, 256)).max(100).optional(),
    }),
  ]);
  const Claim: z.ZodType<VisitorClaim> = z
    .discriminatedUnion('type', [
      Primitive,
      z.strictObject({ type: z.literal('array'), description, items: Primitive }),
      z.strictObject({
        type: z.literal('object'),
        description,
        get properties(): z.ZodType<Record<string, VisitorClaim>> {
          return claimsOf(z.record(claimName, Claim));
        },
        additionalProperties: closed,
      }),
    ])
    .meta({ id: `SiteAdaptiveJSONSchemaClaimsProperties${suffix}` });
  const unsigned = z
    .strictObject({
      type: z.literal('object'),
      description: z.literal('Unsigned claims of the site visitor.'),
      properties: claimsOf(z.record(claimName, Claim)),
      additionalProperties: closed,
    })
    .describe('Claims that a visitor can set without a signature.');
  return z
    .strictObject({
      $schema: z.literal('http://json-schema.org/draft-07/schema#').optional(),
      type: z.literal('object'),
      properties: claimsOf(z.object({ unsigned: unsigned.optional() }).catchall(Claim)),
      additionalProperties: closed,
    })
    .meta({ id: `SiteAdaptiveJSONSchema${suffix}` });
}

/**
 * Checks the names of claims: zod would drop `__proto__` silently, and the `properties` of the root are not a
 * record whose keys it checks.
 */
function claimsOf<S extends z.ZodType>(claims: S) {
  return z.preprocess((given, context) => {
    for (const name of typeof given === 'object' && given !== null ? Object.keys(given) : []) {
      const problem =
        name === '__proto__'
          ? 'is not allowed as the name of a claim'
          : claimName.safeParse(name).error?.issues[0]?.message;
      if (problem) context.addIssue({ code: 'custom', path: [name], message: problem });
    }
    return given;
  }, claims);
}

function refuseLargeSchemas(schema: AdaptiveJsonSchema, context: z.core.$RefinementCtx): void {
  const { claims, depth, characters } = adaptiveSchemaLimits;
  const size = sizeOf(schema.properties);
  if (size.claims > claims)
    context.addIssue({ code: 'custom', message: `must have at most ${claims} claims` });
  if (size.depth > depth)
    context.addIssue({ code: 'custom', message: `must nest claims at most ${depth} deep` });
  if (JSON.stringify(schema).length > characters)
    context.addIssue({ code: 'custom', message: `must have at most ${characters} characters as JSON` });
}

/** The depth limit for a request's JSON bounds the recursion. */
function sizeOf(properties: AdaptiveJsonSchema['properties']): { claims: number; depth: number } {
  const inner = Object.values(properties).map((claim) =>
    claim.type === 'object' ? sizeOf(claim.properties) : { claims: 0, depth: 0 },
  );
  return {
    claims: inner.reduce((sum, { claims }) => sum + claims, inner.length),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  };
}
