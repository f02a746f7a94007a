import { isObject, type JsonObject } from '../engine/json.ts';
import { isRemark } from './form/schemaForm.ts';

/** Two references with the same text, whose targets remain to be compared. */
export type ReferencePair = readonly [before: JsonObject, after: JsonObject];

/**
 * Tells whether two schemas have the same keywords, apart from remarks. Most schemas of two versions do, and
 * this finds out far faster than the rules. Keywords whose meaning depends on other schemas count as changed,
 * which only costs time.
 *
 * @param references  receives the references inside of the schemas
 */
export function isUnchanged(
  one: JsonObject,
  other: JsonObject,
  references: ReferencePair[],
  depth = 0,
): boolean {
  if (depth > maxDepth) return false;
  for (const keyword in other) if (one[keyword] === undefined && !isRemark(keyword)) return false;
  for (const keyword in one) {
    if (isRemark(keyword)) continue;
    if (dependent.has(keyword)) return false;
    const [a, b] = [one[keyword], other[keyword]];
    if (typeof a !== 'object' || a === null) {
      if (a !== b) return false;
      if (keyword !== '$ref') continue;
      if (!Object.keys(one).every((name) => name === '$ref' || isRemark(name))) return false;
      references.push([one, other]);
    } else if (schemaKeywords.has(keyword)) {
      if (!isObject(a) || !isObject(b) || !isUnchanged(a, b, references, depth + 1)) return false;
    } else if (!areUnchanged(a, b, { isOfSchemas: listKeywords.has(keyword), references, depth })) {
      return false;
    }
  }
  return true;
}

type Members = { isOfSchemas: boolean; references: ReferencePair[]; depth: number };

/** Compares the members of a list or map: schemas, or plain values. */
function areUnchanged(one: object, other: unknown, { isOfSchemas, references, depth }: Members): boolean {
  if (typeof other !== 'object' || other === null || Array.isArray(one) !== Array.isArray(other))
    return false;
  const [old, now] = [Object.entries(one), other as JsonObject];
  if (old.length !== Object.keys(now).length) return false;
  return old.every(([name, a]: [string, unknown]) => {
    const b = Object.hasOwn(now, name) ? now[name] : undefined;
    if (isObject(a)) return isOfSchemas && isObject(b) && isUnchanged(a, b, references, depth + 1);
    return a === b && !Array.isArray(a);
  });
}

const maxDepth = 12;
const schemaKeywords = new Set(['items', 'additionalProperties']);
const listKeywords = new Set(['properties', 'patternProperties', 'oneOf', 'anyOf']);
/** Parts of `allOf` are merged, and what is inside of a read-only property depends on the direction. */
const dependent = new Set(['allOf', 'discriminator', 'readOnly', 'writeOnly']);
