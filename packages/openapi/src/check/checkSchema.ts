import type { ErrorObject } from 'ajv';
import { keysOf, pointerOf, valueAt } from '../source/pointer.ts';
import type { CheckContext } from './context.ts';
import { additionalOf, allowedBy, decisiveErrors } from './decisiveErrors.ts';
import { loadValidator, type Validate } from './validators.ts';

/** Checks a document with the JSON schema of its version. */
export async function checkSchema(
  { document, version, report }: CheckContext,
  validatorFolder: string | undefined,
): Promise<void> {
  const validate = await loadValidator(version.minor, validatorFolder);
  const { errors, isComplete } = errorsOf(document, validate);
  if (!isComplete) {
    const message = 'The document has too many faults to list all of them.';
    report({ severity: 'error', rule: 'too-many-faults', message, pointer: '' });
  }
  for (const error of decisiveErrors(errors, validate.calls)) {
    const { pointer, message } = describe(error, document);
    report({ severity: 'error', rule: ruleOf(error), message, pointer });
  }
}

function errorsOf(document: unknown, validate: Validate): { errors: ErrorObject[]; isComplete: boolean } {
  try {
    validate(document);
    return { errors: validate.errors ?? [], isComplete: true };
  } catch (error) {
    if (error instanceof RangeError && 'errors' in error)
      return { errors: error.errors as ErrorObject[], isComplete: false };
    throw error;
  }
}

function ruleOf({ keyword }: ErrorObject): string {
  if (keyword === 'required' || keyword === 'dependentRequired' || keyword === 'dependencies')
    return 'missing-member';
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') return 'unknown-member';
  if (keyword === 'type') return 'wrong-type';
  return 'wrong-value';
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
        return `${name} must be one of ${allowedBy(params).map(shown).join(', ')}, not ${shown(value)}.`;
      case 'const':
        return `${name} must be ${shown(params['allowedValue'])}, not ${shown(value)}.`;
      case 'pattern':
        return `${name} has the value ${shown(value)}, which does not have the required form.`;
      case 'format':
        return `${name} must have the format ${String(params['format'])}, unlike ${shown(value)}.`;
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
