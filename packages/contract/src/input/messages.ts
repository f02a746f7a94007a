import { z } from 'zod';
import { nearestWord } from './nearestWord.ts';

// Messages for invalid values, phrased to follow the name of the field: "must be a whole number". Set for
// every schema of the process, because zod's own messages name its types and checks, which callers do not
// know.
z.config({ customError: (issue) => sentenceOf(issue) });

type RawIssue = z.core.$ZodRawIssue;

/** Maximum number of allowed values in a message; a longer list would bury everything else. */
const maxListed = 60;

function sentenceOf(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : mustBeType(issue.expected);
    case 'invalid_value':
      return mustBeOneOf(issue.values, issue.input);
    case 'too_big':
      return mustBeWithin(issue, 'at most', issue.maximum, issue.inclusive);
    case 'too_small':
      return mustBeWithin(issue, 'at least', issue.minimum, issue.inclusive);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return mustHaveFormat(issue.format);
    case 'unrecognized_keys':
      return unknownFields(issue.keys, knownFields(issue.inst));
    case 'invalid_union':
      return ofNoKind(issue);
    case 'invalid_key':
      return `contains a name that is not allowed: ${firstOf(issue.issues)}`;
    case 'invalid_element':
      return `contains an entry that is not allowed: ${firstOf(issue.issues)}`;
    case 'custom':
    default:
      return 'is not allowed here';
  }
}

const types: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  map: 'an object',
  null: 'null',
};

function mustBeType(expected: string): string {
  const type = types[expected];
  return type === undefined ? 'is not allowed here' : `must be ${type}`;
}

function mustBeOneOf(values: readonly unknown[], input: unknown): string {
  const listed = values.slice(0, maxListed).map(quoted).join(', ');
  const all =
    values.length === 1
      ? `must be ${listed}`
      : `must be one of ${listed}${values.length > maxListed ? ' and others' : ''}`;
  if (input === undefined) return `is required: it ${all}`;
  const nearest =
    typeof input === 'string'
      ? nearestWord(
          input,
          values.filter((value) => typeof value === 'string'),
        )
      : undefined;
  return values.length > 1 && nearest !== undefined ? `${all}; did you mean ${quoted(nearest)}?` : all;
}

const units: Record<string, [one: string, many: string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
  map: ['entry', 'entries'],
};

type Sized = { origin: string; exact?: boolean | undefined };

function mustBeWithin(
  { origin, exact }: Sized,
  bound: string,
  limit: number | bigint,
  isInclusive = true,
): string {
  const unit = units[origin];
  const within = exact ? 'exactly' : bound;
  if (unit) return `must have ${within} ${limit} ${unit[Number(limit) === 1 ? 0 : 1]}`;
  const kind = origin === 'int' ? 'a whole number, ' : '';
  if (isInclusive) return `must be ${kind}${within} ${limit}`;
  return `must be ${kind}${bound === 'at most' ? 'less than' : 'more than'} ${limit}`;
}

const formats: Record<string, string> = {
  datetime: 'a date and time such as 2026-01-31T12:00:00Z',
  date: 'a date such as 2026-01-31',
  email: 'an e-mail address',
  url: 'a URL',
};

function mustHaveFormat(format: string): string {
  const wanted = formats[format];
  return wanted === undefined ? 'has characters that are not allowed here' : `must be ${wanted}`;
}

/** Maximum number of unknown fields that a message names. */
const maxNamed = 5;

function unknownFields(keys: readonly string[], known: readonly string[]): string {
  if (keys.length === 1) return unknownField(keys[0] ?? '', known);
  const named = keys.slice(0, maxNamed).map((key) => `${quoted(key)}${meant(key, known, true)}`);
  return `has unknown fields: ${named.join(', ')}${keys.length > maxNamed ? ` and ${keys.length - maxNamed} more` : ''}`;
}

/** The message for an unknown field, with the nearest known field. */
export function unknownField(key: string, known: readonly string[]): string {
  return `is not a known field${meant(key, known)}`;
}

function meant(key: string, known: readonly string[], isInList = false): string {
  const nearest = nearestWord(key, known);
  if (nearest === undefined) return '';
  return isInList ? ` (did you mean ${quoted(nearest)}?)` : `; did you mean ${quoted(nearest)}?`;
}

function knownFields(schema: unknown): string[] {
  return schema instanceof z.core.$ZodObject ? Object.keys(schema._zod.def.shape) : [];
}

/** The message for a value that matches no member of a union. */
function ofNoKind(issue: Extract<RawIssue, { code: 'invalid_union' }>): string {
  const { discriminator, input } = issue;
  const errors = issue.inclusive === false ? [] : issue.errors;
  const options = Array.isArray(issue.options) ? issue.options : [];
  if (discriminator !== undefined && options.length > 0) {
    const given = typeof input === 'object' && input !== null ? Reflect.get(input, discriminator) : undefined;
    return mustBeOneOf(options, given);
  }
  if (input === undefined) return 'is required';
  const ways = errors.map(([first]) => first).filter((first) => first !== undefined);
  const kinds = [...new Set(ways.map(({ message }) => message))];
  if (ways.every(({ path }) => path.length === 0) && kinds.every((kind) => kind.startsWith('must be ')))
    return `must be ${kinds.map((kind) => kind.slice('must be '.length)).join(', or ')}`;
  return 'has none of the forms that are allowed here';
}

function firstOf(issues: readonly z.core.$ZodIssue[]): string {
  return issues[0]?.message ?? 'it';
}

/** A value as JSON writes it, in code quotes. */
function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : String(value);
  return `\`${text.length > 50 ? `${text.slice(0, 49).toWellFormed()}…` : text}\``;
}
