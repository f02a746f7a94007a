import { asArray, isObject, type JsonObject } from '../../engine/json.ts';

/** The types that a schema names or implies, without null, sorted; undefined for any type. */
export function typesOf(node: JsonObject): readonly string[] | undefined {
  if (isNull(node)) return [];
  const { type } = node;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type))
    return type.filter((name): name is string => typeof name === 'string' && name !== 'null').sort();
  const values = valuesOf(node);
  if (values !== undefined) return [...new Set(values.map(typeOfValue))].sort();
  if (objectKeywords.some((keyword) => node[keyword] !== undefined)) return ['object'];
  return node['items'] === undefined ? undefined : ['array'];
}

/** The values of `enum` or `const`, without null; undefined without a restriction other than to null. */
export function valuesOf(node: JsonObject): readonly unknown[] | undefined {
  const values = 'const' in node ? [node['const']] : node['enum'];
  if (!Array.isArray(values)) return undefined;
  const others = values.includes(null) ? values.filter((value) => value !== null) : values;
  return others.length === 0 && values.length > 0 ? undefined : others;
}

/** True where a schema allows null in one of the ways that the versions of OpenAPI know. */
export function allowsNull(node: JsonObject): boolean {
  const { nullable, type } = node;
  if (nullable === true) return true;
  if (type !== undefined) return type === 'null' || (Array.isArray(type) && type.includes('null'));
  if ('const' in node) return node['const'] === null;
  return (
    asArray(node['enum']).includes(null) ||
    asArray(node['oneOf']).some(isNull) ||
    asArray(node['anyOf']).some(isNull)
  );
}

/** True for a schema whose only value is null. */
export function isNull(node: unknown): boolean {
  if (!isObject(node)) return false;
  const { type } = node;
  if (type === 'null' || node['const'] === null) return true;
  if (Array.isArray(type) && type.length === 1 && type[0] === 'null') return true;
  return Array.isArray(node['enum']) && node['enum'].length === 1 && node['enum'][0] === null;
}

function typeOfValue(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

const objectKeywords = ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'];
