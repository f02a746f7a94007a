import { asNode, idOf, type Located } from '../engine/document.ts';
import { isObject, sortedTexts, type JsonObject } from '../engine/json.ts';
import type { Run } from '../engine/scope.ts';
import { limits } from '../limits.ts';
import { lowerLimitOf, upperLimitOf } from './form/limits.ts';
import { readSchema, resolveSchema } from './form/readSchema.ts';
import { isRemark, schemaIn, type SchemaForm } from './form/schemaForm.ts';

/**
 * Tells whether two schemas allow the same values, as far as their keywords show: remarks, the order of keys,
 * names of components and spellings of null do not count. Schemas that contain themselves are the same when
 * no difference is found. False when the comparison would be long.
 */
export function isSameSchema(run: Run, one: Located, other: Located): boolean {
  const { before, after } = run;
  const seen = new Set<string>();
  const pairs: [Located, Located][] = [[one, other]];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [a, b] = [resolveSchema(before, pair[0]), resolveSchema(after, pair[1])];
    const key = `${idOf(before, a.node)} ${idOf(after, b.node)}`;
    if (seen.has(key)) continue;
    run.comparisons += 1;
    if (seen.size >= limits.equalitySteps || run.comparisons > limits.comparisons) return false;
    seen.add(key);
    const inside = pairsInside(readSchema(before, a), readSchema(after, b));
    if (inside === undefined) return false;
    pairs.push(...inside);
  }
  return true;
}

/** The schemas to compare inside of two schemas; undefined when these differ themselves. */
function pairsInside(one: SchemaForm, other: SchemaForm): [Located, Located][] | undefined {
  if (one.isNullable !== other.isNullable || !isSameValue(basicsOf(one), basicsOf(other))) return undefined;
  const pairs: [Located, Located][] = [];
  for (const keyword of new Set([...Object.keys(one.node), ...Object.keys(other.node)])) {
    if (basic.has(keyword) || isRemark(keyword)) continue;
    const [a, b] = [one.node[keyword], other.node[keyword]];
    if (schemaKeywords.has(keyword) && a !== undefined && b !== undefined) {
      pairs.push([schemaIn(one, keyword), schemaIn(other, keyword)]);
    } else if (mapKeywords.has(keyword) && isObject(a) && isObject(b)) {
      if (!isSameValue(Object.keys(a).sort(), Object.keys(b).sort())) return undefined;
      for (const name of Object.keys(a))
        pairs.push([schemaIn(one, keyword, name), schemaIn(other, keyword, name)]);
    } else if (listKeywords.has(keyword) && Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) return undefined;
      a.forEach((part, index) => pairs.push([partAt(one, part), partAt(other, b[index])]));
    } else if (!isSameValue(a, b)) {
      return undefined;
    }
  }
  return pairs;
}

function basicsOf({ node, types, values }: SchemaForm): unknown {
  return [types, values, sortedTexts(node['required']), lowerLimitOf(node), upperLimitOf(node)];
}

function partAt({ pointer }: SchemaForm, part: unknown): Located {
  return { node: asNode(part), pointer };
}

/** Equality of JSON values; the order of keys does not count. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, part: unknown) => (isObject(part) ? sorted(part) : part));
}

function sorted(object: JsonObject): [string, unknown][] {
  return Object.keys(object)
    .sort()
    .map((key) => [key, object[key]]);
}

const basic = new Set([
  'type',
  'nullable',
  'enum',
  'const',
  'required',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  // Names of components count where parts are matched, not here.
  'discriminator',
]);
const schemaKeywords = new Set([
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
]);
const mapKeywords = new Set(['properties', 'patternProperties', 'dependentSchemas']);
const listKeywords = new Set(['oneOf', 'anyOf', 'allOf', 'prefixItems']);
