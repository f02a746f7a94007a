import type { AdaptiveJsonSchema, PrimitiveClaim, VisitorClaim } from '@bindery/contract';
import type { VisitorClaims } from './isConditionMet.ts';

/** Maximum size of one visitor's claims in bytes of JSON, for signed and unsigned ones separately. */
export const claimsLimitBytes = 4096;

/**
 * Reduces a visitor's claims to those that conditions see: the ones that the site's adaptive schema declares
 * with their type.
 *
 * Drops claims that are undeclared or have another type, and all unsigned claims if they are too large.
 * Unsigned claims are under `unsigned` and nowhere else, whatever their names; a signed claim of that name is
 * dropped. The objects have no prototype.
 */
export function reduceClaims(
  schema: AdaptiveJsonSchema,
  {
    signed = {},
    unsigned = {},
  }: { signed?: VisitorClaims | undefined; unsigned?: VisitorClaims | undefined },
): VisitorClaims {
  const { unsigned: declared, ...properties } = schema.properties;
  const reduced = reduceProperties(properties, signed);
  if (declared?.type !== 'object') return reduced;
  const shown = reduceProperties(declared.properties, unsigned);
  if (Buffer.byteLength(JSON.stringify(shown)) <= claimsLimitBytes && Object.keys(shown).length > 0)
    reduced['unsigned'] = shown;
  return reduced;
}

function reduceProperties(
  properties: AdaptiveJsonSchema['properties'],
  claims: VisitorClaims,
): Record<string, unknown> {
  const reduced = Object.create(null) as Record<string, unknown>;
  for (const [name, claim] of Object.entries(properties)) {
    const value = Object.hasOwn(claims, name) ? reduceValue(claim, claims[name]) : undefined;
    if (value !== undefined) reduced[name] = value;
  }
  return reduced;
}

function reduceValue(claim: VisitorClaim, value: unknown): unknown {
  if (claim.type === 'object')
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? reduceProperties(claim.properties, value as VisitorClaims)
      : undefined;
  if (claim.type === 'array')
    return Array.isArray(value) && value.every((item) => isOfType(claim.items, item))
      ? [...(value as unknown[])]
      : undefined;
  return isOfType(claim, value) ? value : undefined;
}

function isOfType(claim: PrimitiveClaim, value: unknown): boolean {
  if (typeof value !== claim.type || Number.isNaN(value)) return false;
  return claim.type !== 'string' || claim.enum === undefined || claim.enum.includes(value as string);
}
