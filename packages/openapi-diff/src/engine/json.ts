export type JsonObject = { [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object, or an empty one for anything else. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : emptyObject;
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : emptyArray;
}

/** The text, or the one given instead of anything else. */
export function textOf(value: unknown, otherwise = ''): string {
  return typeof value === 'string' ? value : otherwise;
}

/** The texts of a list, sorted. */
export function sortedTexts(value: unknown): string[] {
  return asArray(value)
    .filter((text) => typeof text === 'string')
    .sort();
}

/** A member under a name from the document, which may also be `constructor` or `__proto__`. */
export function member(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** An object without a prototype, which takes any name from a document as a key. */
export function emptyRecord(): JsonObject {
  return Object.create(null) as JsonObject;
}

/** One step of a JSON pointer (RFC 6901). */
export function pointerStep(name: string): string {
  return name.includes('~') || name.includes('/')
    ? `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    : `/${name}`;
}

export function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

const emptyObject: JsonObject = Object.freeze(emptyRecord());
const emptyArray: readonly unknown[] = Object.freeze([]);
