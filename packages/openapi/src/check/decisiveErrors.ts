import type { ErrorObject } from 'ajv';
import { keysOf, pointerOf } from '../source/pointer.ts';
import type { Validate } from './validators.ts';

/** Keywords whose error only says that others failed. */
const combining = new Set(['oneOf', 'anyOf', 'not', 'if', 'allOf', '$ref', '$dynamicRef']);

/**
 * Leaves one error for each fault: of the alternatives of a `oneOf`, the error deepest in the document,
 * because that alternative fits best.
 *
 * @param errors  in the order of Ajv: those of the alternatives come right before that of their `oneOf`
 */
export function decisiveErrors(errors: readonly ErrorObject[], calls: Validate['calls']): ErrorObject[] {
  const kept: ErrorObject[] = [];
  /** Errors that only say that an object is of another kind than the alternative. */
  const ofOtherKind = new Set<ErrorObject>();
  const known = new Map<string, ReadonlySet<string>>();
  for (const error of errors) {
    const { keyword, schemaPath } = error;
    if (keyword !== 'oneOf' && keyword !== 'anyOf') {
      kept.push(error);
      continue;
    }
    const name = functionOf(schemaPath);
    const called = known.get(name) ?? calledBy(name, calls);
    known.set(name, called);
    let first = kept.length;
    while (first > 0 && isOfAlternative(kept[first - 1], error, called)) first -= 1;
    const alternatives = kept.splice(first).filter((each) => !combining.has(each.keyword));
    kept.push(mostTelling(alternatives, error, ofOtherKind));
  }
  return withoutFollowUps(kept.filter(({ keyword }) => keyword !== 'if'));
}

function isOfAlternative(
  error: ErrorObject | undefined,
  { instancePath, schemaPath }: ErrorObject,
  called: ReadonlySet<string>,
): boolean {
  if (!error || !(error.instancePath === instancePath || error.instancePath.startsWith(`${instancePath}/`)))
    return false;
  const name = functionOf(error.schemaPath);
  return name === functionOf(schemaPath) || called.has(name);
}

function functionOf(schemaPath: string): string {
  return schemaPath.slice(0, schemaPath.indexOf('#'));
}

/** The functions that a function calls, or that those call in turn. */
function calledBy(name: string, calls: Validate['calls']): ReadonlySet<string> {
  const called = new Set<string>();
  const left = [name];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    for (const each of calls[next] ?? []) {
      if (called.has(each)) continue;
      called.add(each);
      left.push(each);
    }
  }
  return called;
}

function mostTelling(
  alternatives: readonly ErrorObject[],
  error: ErrorObject,
  ofOtherKind: Set<ErrorObject>,
): ErrorObject {
  const others = alternatives.filter((each) => ofOtherKind.has(each) || isOtherKind(each, error));
  // That an object is no reference says nothing about what it is.
  const excluded = new Set([...others, ...alternatives.filter(isNoReference)].map(alternativeOf));
  const fitting = alternatives.filter((each) => !excluded.has(alternativeOf(each)));
  if (fitting.length === 0) {
    const unknown = ofUnknownKind(others) ?? error;
    ofOtherKind.add(unknown);
    return unknown;
  }
  const depth = Math.max(...fitting.map(depthOf));
  const inside = fitting.filter((each) => depthOf(each) === depth);
  const [first = error] = inside;
  if (depth > depthOf(error)) return first;
  // At the place itself, an unknown or missing member tells more than the wrong value of a fixed one.
  return (
    inside.find((each) => additionalOf(each) !== undefined) ??
    inside.find(({ keyword }) => keyword === 'required') ??
    first
  );
}

function isNoReference({ params }: ErrorObject): boolean {
  return params['missingProperty'] === '$ref';
}

function depthOf({ instancePath }: ErrorObject): number {
  return keysOf(instancePath).length;
}

/** The object says that it is of another kind, such as `in: query` where the alternative is for headers. */
function isOtherKind(
  { keyword, params, instancePath }: ErrorObject,
  { instancePath: place }: ErrorObject,
): boolean {
  const isKind = instancePath === `${place}/in` || instancePath === `${place}/type`;
  return isKind && (keyword === 'const' || (keyword === 'enum' && allowedBy(params).length === 1));
}

/** The part of the JSON schema that describes an alternative as a whole. */
function alternativeOf({ schemaPath }: ErrorObject): string {
  const keyword =
    /\/(?:properties|patternProperties|required|additionalProperties|type|oneOf$|anyOf$)(?:\/|$)/;
  const at = schemaPath.search(keyword);
  return at < 0 ? schemaPath : schemaPath.slice(0, at);
}

/** One error for a kind that no alternative has. */
function ofUnknownKind(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const [first] = errors;
  if (!first) return undefined;
  const same = errors.filter(({ instancePath }) => instancePath === first.instancePath);
  const allowedValues = [...new Set(same.flatMap(({ params }) => allowedBy(params)))];
  return { ...first, keyword: 'enum', params: { allowedValues } };
}

/** The values that an `enum` or `const` allows. */
export function allowedBy(params: ErrorObject['params']): unknown[] {
  const values: unknown = params['allowedValues'];
  return Array.isArray(values) ? (values as unknown[]) : [params['allowedValue']];
}

/** A member with a fault also counts as unknown, and one fault may be found on two ways. */
function withoutFollowUps(errors: readonly ErrorObject[]): ErrorObject[] {
  const seen = new Set<string>();
  const faulty = new Set<string>();
  for (const { instancePath } of errors) {
    const keys = keysOf(instancePath);
    for (let length = keys.length; length > 0; length -= 1) {
      const parent = pointerOf(keys.slice(0, length));
      if (faulty.has(parent)) break;
      faulty.add(parent);
    }
  }
  return errors.filter((error) => {
    const additional = error.keyword === 'unevaluatedProperties' ? additionalOf(error) : undefined;
    if (additional !== undefined && faulty.has(`${error.instancePath}${pointerOf([additional])}`))
      return false;
    const key = `${error.instancePath} ${error.keyword} ${JSON.stringify(error.params)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** The member that the object cannot have. */
export function additionalOf({ params }: ErrorObject): string | undefined {
  const name: unknown = params['additionalProperty'] ?? params['unevaluatedProperty'];
  return typeof name === 'string' ? name : undefined;
}
