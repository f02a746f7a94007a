import type { ErrorObject } from 'ajv';
import { keysOf, pointerOf, valueAt } from '../source/pointer.ts';
import type { CheckContext } from './context.ts';
import { loadValidator } from './validators.ts';

/** Checks a document with the JSON schema of its version. */
export async function checkSchema(
  { document, version, report }: CheckContext,
  validatorFolder: string | undefined,
): Promise<void> {
  const validate = await loadValidator(version.minor, validatorFolder);
  if (validate(document)) return;
  for (const error of decisiveErrors(validate.errors ?? [])) {
    const { pointer, message } = describe(error, document);
    report({ severity: 'error', rule: ruleOf(error), message, pointer });
  }
}

/** Keywords whose error only says that others failed. */
const combining = new Set(['oneOf', 'anyOf', 'not', 'if', 'allOf', '$ref', '$dynamicRef']);

/**
 * Leaves one error for each fault: of the alternatives of a `oneOf`, the error deepest in the document,
 * because that alternative fits best.
 */
function decisiveErrors(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword !== 'oneOf' && error.keyword !== 'anyOf') {
      kept.push(error);
      continue;
    }
    // The errors of the alternatives come right before that of the `oneOf`.
    let first = kept.length;
    while (first > 0 && isWithin(kept[first - 1]?.instancePath ?? '', error.instancePath)) first -= 1;
    const alternatives = kept.splice(first).filter(({ keyword }) => !combining.has(keyword));
    kept.push(...deepest(alternatives, error));
  }
  return withoutFollowUps(kept.filter(({ keyword }) => keyword !== 'if'));
}

function deepest(alternatives: readonly ErrorObject[], error: ErrorObject): ErrorObject[] {
  const depthOf = ({ instancePath }: ErrorObject) => keysOf(instancePath).length;
  // That an object is no reference says nothing about what it is.
  const telling = alternatives.filter(
    ({ keyword, params, instancePath }) =>
      !(keyword === 'required' && params['missingProperty'] === '$ref') &&
      !(instancePath === error.instancePath && additionalOf({ keyword, params }) === '$ref'),
  );
  const depth = Math.max(...telling.map(depthOf));
  const inside = telling.filter((each) => depthOf(each) === depth);
  if (depth > keysOf(error.instancePath).length) return inside.slice(0, 1);
  // At the place itself, a missing member tells more than the wrong value of a fixed one.
  const best =
    inside.find(({ keyword }) => keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') ??
    inside.find(({ keyword }) => keyword === 'required') ??
    inside[0];
  return [best ?? error];
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

function isWithin(pointer: string, parent: string): boolean {
  return pointer === parent || pointer.startsWith(`${parent}/`);
}

function ruleOf({ keyword }: ErrorObject): string {
  if (keyword === 'required' || keyword === 'dependentRequired' || keyword === 'dependencies')
    return 'missing-member';
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') return 'unknown-member';
  if (keyword === 'type') return 'wrong-type';
  return 'wrong-value';
}

function additionalOf({ params }: Pick<ErrorObject, 'keyword' | 'params'>): string | undefined {
  const name: unknown = params['additionalProperty'] ?? params['unevaluatedProperty'];
  return typeof name === 'string' ? name : undefined;
}

function describe(error: ErrorObject, document: unknown): { pointer: string; message: string } {
  const { keyword, instancePath, params } = error;
  const keys = keysOf(instancePath);
  const name = keys.length === 0 ? 'The document' : `"${short(keys.at(-1) ?? '')}"`;
  const additional = additionalOf(error);
  if (additional !== undefined) {
    const pointer = `${instancePath}${pointerOf([additional])}`;
    return { pointer, message: `${name} cannot have the member "${short(additional)}".` };
  }
  if (typeof params['missingProperty'] === 'string')
    return {
      pointer: instancePath,
      message: `${name} needs the member "${short(params['missingProperty'])}".`,
    };
  const value = valueAt(document, keys);
  const message = (() => {
    switch (keyword) {
      case 'type':
        return `${name} must be ${listed(params['type'])}, not ${kindOf(value)}.`;
      case 'enum':
        return `${name} must be one of ${(params['allowedValues'] as unknown[]).map(shown).join(', ')}, not ${shown(value)}.`;
      case 'const':
        return `${name} must be ${shown(params['allowedValue'])}, not ${shown(value)}.`;
      case 'pattern':
        return `${name} has the value ${shown(value)}, which does not have the required form.`;
      case 'format':
        return `${name} must be a ${String(params['format'])}, not ${shown(value)}.`;
      case 'propertyNames':
        return `${name} has a member with a name that is not allowed: ${shown(params['propertyName'])}.`;
      case 'uniqueItems':
        return `${name} has an element twice: ${String(params['j'])} and ${String(params['i'])}.`;
      case 'oneOf':
      case 'anyOf':
        return `${name} has none of the forms that are possible here.`;
      case 'not':
        return `${name} has members that exclude each other.`;
      default:
        return `${name} ${error.message ?? 'is not valid'}.`;
    }
  })();
  return { pointer: instancePath, message };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return { object: 'an object', string: 'a text', number: 'a number', boolean: 'true or false' }[
    typeof value as 'object' | 'string' | 'number' | 'boolean'
  ];
}

const typeNames: Record<string, string> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
};

function listed(types: unknown): string {
  const all: unknown[] = Array.isArray(types) ? types : [types];
  return all.map((type) => typeNames[String(type)] ?? String(type)).join(' or ');
}

function shown(value: unknown): string {
  return short(JSON.stringify(value) ?? 'nothing');
}

function short(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}
