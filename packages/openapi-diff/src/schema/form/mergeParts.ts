import type { SpecDocument } from '../../engine/document.ts';
import { asArray, asObject, emptyRecord, pointerStep, type JsonObject } from '../../engine/json.ts';
import { gather } from './gather.ts';
import { inNumbers } from './limits.ts';
import { homeOf, isRemark, schemaIn, type SchemaForm } from './schemaForm.ts';

/**
 * Merges a schema's own keywords with the parts of its `allOf`: properties and required names are united,
 * types and enums intersected, and of two limits the stricter one counts. Keywords that cannot be merged stay
 * behind as parts of `allOf`.
 */
export function mergeParts(
  document: SpecDocument,
  [own, ...parts]: [SchemaForm, ...SchemaForm[]],
  within: JsonObject,
): SchemaForm {
  const merged: Merged = { within, node: emptyRecord(), homes: new Map(), rest: [] };
  for (const part of [own, ...parts]) mergePart(document, merged, part);

  const all = [own, ...parts];
  const types = all.map((part) => part.types).reduce(intersectTypes, undefined);
  const values = all.map((part) => part.values).reduce(intersectValues, undefined);
  if (merged.rest.length > 0) merged.node['allOf'] = merged.rest;
  const typed = all.filter((part) => part.types !== undefined);
  // A wrapper that only adds a remark, or null, to one part stands for this part.
  const [first] = parts;
  const isWrapper = first && parts.length === 1 && Object.keys(own.node).every(isRemarkOrNull);
  return {
    node: merged.node,
    pointer: isWrapper ? first.pointer : own.pointer,
    homes: merged.homes.set('/nullable', own.pointer),
    types,
    values,
    isNullable: typed.length > 0 && typed.every((part) => part.isNullable),
  };
}

/** `within` is the schema whose parts are merged. */
type Merged = { within: JsonObject; node: JsonObject; homes: Map<string, string>; rest: JsonObject[] };

function mergePart(document: SpecDocument, merged: Merged, part: SchemaForm): void {
  const source = inNumbers(part.node);
  for (const keyword of Object.keys(source)) {
    if (isRemark(keyword)) continue;
    const value = source[keyword];
    const home = homeOf(part, keyword);
    const known = merged.node[keyword];
    if (keyword === 'properties') {
      mergeProperties(document, merged, part);
    } else if (keyword === 'allOf') {
      merged.rest.push(...asArray(value).map(asObject));
    } else if (known === undefined) {
      merged.node[keyword] = value;
      merged.homes.set(pointerStep(keyword), home);
    } else if (schemaKeywords.has(keyword) && typeof known === 'object' && typeof value === 'object') {
      const one = { node: asObject(known), pointer: `${merged.homes.get(pointerStep(keyword))}/${keyword}` };
      merged.node[keyword] = gather(document, {
        one,
        other: schemaIn(part, keyword),
        within: merged.within,
      }).node;
    } else {
      const combine = combinations[keyword];
      if (combine) merged.node[keyword] = combine(known, value);
      else if (!intersected.has(keyword) && known !== value) merged.rest.push({ [keyword]: value });
    }
  }
}

function mergeProperties(document: SpecDocument, merged: Merged, part: SchemaForm): void {
  const properties = (merged.node['properties'] ??= emptyRecord()) as JsonObject;
  for (const name of Object.keys(asObject(part.node['properties']))) {
    const path = `/properties${pointerStep(name)}`;
    const found = schemaIn(part, 'properties', name);
    const known = properties[name];
    const home = merged.homes.get(path);
    if (known === undefined || home === undefined) {
      properties[name] = found.node;
      merged.homes.set(path, found.pointer);
    } else {
      const one = { node: asObject(known), pointer: home };
      properties[name] = gather(document, { one, other: found, within: merged.within }).node;
    }
  }
}

function isRemarkOrNull(keyword: string): boolean {
  return isRemark(keyword) || keyword === 'nullable';
}

function intersectTypes(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const both = [
    ...one.filter((type) => includesType(other, type)),
    ...other.filter((type) => includesType(one, type)),
  ];
  return [...new Set(both)].sort();
}

/** True where the types allow a type; an integer is also a number. */
export function includesType(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

function intersectValues(
  one: readonly unknown[] | undefined,
  other: readonly unknown[] | undefined,
): readonly unknown[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const texts = new Set(other.map((value) => JSON.stringify(value)));
  return one.filter((value) => texts.has(JSON.stringify(value)));
}

/** Keywords whose intersection a form holds beside its node. */
const intersected = new Set(['type', 'enum', 'const', 'nullable']);
const schemaKeywords = new Set(['items', 'additionalProperties']);

/** How the values of two parts give one value. */
const combinations: Readonly<Record<string, (one: unknown, other: unknown) => unknown>> = {
  required: (one, other) => [...new Set([...asArray(one), ...asArray(other)])],
  ...eachOf(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'], larger),
  ...eachOf(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'], smaller),
  ...eachOf(['uniqueItems', 'readOnly', 'writeOnly'], (one, other) => one === true || other === true),
  additionalProperties: (one, other) => {
    if (one === false || other === false) return false;
    return one === true ? other : one;
  },
  default: (one) => one,
};

function eachOf<T>(keywords: readonly string[], combine: T): Record<string, T> {
  return Object.fromEntries(keywords.map((keyword) => [keyword, combine]));
}

function larger(one: unknown, other: unknown): number {
  return Math.max(Number(one), Number(other));
}

function smaller(one: unknown, other: unknown): number {
  return Math.min(Number(one), Number(other));
}
