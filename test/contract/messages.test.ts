import { readFileSync } from 'node:fs';
import * as contract from '@bindery/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import english from 'zod/v4/locales/en.js';
import { addProblems, parsePart } from '../../apps/api/src/http/input/validation.ts';
import { routes } from '../../apps/api/src/routes.ts';

// Every schema that a caller may send something for, with wrong values in every place: no message is the
// library's own.

const ownWords = english().localeError;
const libraryWords = /\b(expected|received|Invalid|Unrecognized|Too (big|small)|discriminator)\b/;

type Schema = z.core.$ZodType;

const wrongEverywhere: unknown[] = [
  ...[
    undefined,
    null,
    true,
    'word',
    '',
    'x'.repeat(5_000),
    '\0',
    '\ud800',
    'http://',
    'é'.repeat(400),
    '2026-13-45',
    'bnd',
  ],
  ...[5, -1, 1.5, 1e20, -1e20, Number.MAX_SAFE_INTEGER],
  ...[
    [],
    [null],
    Array.from({ length: 1_500 }, () => 'x'),
    {},
    { unknownField: 1, other: 2 },
    { type: 'nothing', kind: 'nothing', object: 'nothing' },
  ],
];

/** Wrong values for every place in a schema, at most `depth` levels down. */
function* wrongFor(schema: Schema, depth = 4): Generator<unknown> {
  yield* wrongEverywhere;
  if (depth === 0) return;
  for (const inner of innerOf(schema)) yield* insideOf(inner, depth);
}

function* insideOf({ schema, wrap }: Inner, depth: number): Generator<unknown> {
  for (const value of wrongFor(schema, depth - 1)) yield wrap(value);
}

type Inner = { schema: Schema; wrap: (value: unknown) => unknown };

/** The schemas in a schema, each with how a value for it gets to its place. */
function innerOf(schema: Schema): Inner[] {
  const known = defOf(schema);
  const same = (schema: Schema): Inner => ({ schema, wrap: (value) => value });
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- every other kind holds no schemas
  switch (known.type) {
    case 'object':
      return Object.entries(known.shape).map(([key, schema]) => ({
        schema,
        wrap: (value) => ({ ...constantsOf(known.shape), [key]: value }),
      }));
    case 'array':
      return [{ schema: known.element, wrap: (value) => [value] }];
    case 'record':
      return [{ schema: known.valueType, wrap: (value) => ({ en: value }) }];
    case 'union':
      return known.options.map(same);
    case 'intersection':
      return [same(known.left), same(known.right)];
    case 'tuple':
      return known.items.map((schema) => ({ schema, wrap: (value: unknown) => [value] }));
    case 'lazy':
      return [same(known.getter())];
    case 'pipe':
      return [same(known.in), same(known.out)];
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return [same(known.innerType)];
    default:
      return [];
  }
}

function defOf(schema: Schema): z.core.$ZodTypes['_zod']['def'] {
  return schema._zod.def as z.core.$ZodTypes['_zod']['def'];
}

/** The fields that name the kind of an object, so that its other fields are checked. */
function constantsOf(shape: Readonly<Record<string, Schema>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(shape).flatMap(([key, schema]) => {
      const def = defOf(schema);
      return def.type === 'literal' ? [[key, def.values[0]]] : [];
    }),
  );
}

function* allIssues(issues: readonly z.core.$ZodIssue[]): Generator<z.core.$ZodIssue> {
  for (const issue of issues) {
    yield issue;
    if (issue.code === 'invalid_union') for (const errors of issue.errors) yield* allIssues(errors);
    if (issue.code === 'invalid_key' || issue.code === 'invalid_element') yield* allIssues(issue.issues);
  }
}

/** Finds messages of a schema about wrong values that break the rules for wording. */
function badWords(schema: Schema): string[] {
  const bad = new Set<string>();
  for (const given of wrongFor(schema)) {
    // As it comes: what is undefined is not there.
    const value: unknown = given === undefined ? undefined : JSON.parse(JSON.stringify(given));
    const issues = z.safeParse(schema, value).error?.issues ?? [];
    for (const issue of allIssues(issues)) {
      const own = ownWords({ ...issue, input: undefined } as never);
      if (issue.message === own || libraryWords.test(issue.message)) bad.add(issue.message);
    }
    const problems: contract.Problem[] = [];
    addProblems(issues, { part: 'body', problems });
    const told = new Set<string>();
    const twice = problems.find(({ path }) => told.size === told.add(path).size);
    if (twice) bad.add(`tells ${twice.path} twice`);
  }
  return [...bad];
}

it('only one version of the schema library is installed', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: object };
  expect(Object.keys(packages).filter((path) => path.endsWith('node_modules/zod'))).toEqual([
    'node_modules/zod',
  ]);
});

const exported = Object.entries(contract as Record<string, unknown>).flatMap(([name, value]) =>
  value instanceof z.core.$ZodType ? [[name, value] as const] : [],
);
const ofRoutes: (readonly [string, Schema])[] = routes.flatMap(({ spec }) => [
  ...(spec.body ? [[`${spec.operationId} body`, spec.body] as const] : []),
  ...(spec.query ? [[`${spec.operationId} query`, spec.query] as const] : []),
]);

describe('an error message never has the words of the schema library', () => {
  it.for([
    ...new Map(
      [...exported, ...ofRoutes].map(([name, schema]) => [schema, [name, schema] as const]),
    ).values(),
  ])('%s', ([, schema]) => {
    expect(badWords(schema)).toEqual([]);
  });
});

describe('an error message names the allowed values', () => {
  const strict = z.strictObject({
    expiresAt: z.iso.datetime().optional(),
    label: z.string(),
    scopes: z.array(z.enum(['read', 'write'])),
  });
  const kinds = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('page') }),
    z.object({ kind: z.literal('file') }),
  ]);
  it.for<[string, z.ZodType, unknown, string, string]>([
    ['a huge whole number', z.int().min(0), 1e20, 'body', 'must be a whole number, at most 9007199254740991'],
    ['half a number', z.int(), 1.5, 'body', 'must be a whole number'],
    ['a missing field', z.object({ a: z.string() }), {}, 'body.a', 'is required'],
    ['another type', z.object({ a: z.boolean() }), { a: 'yes' }, 'body.a', 'must be true or false'],
    ['a list', z.object({ a: z.array(z.string()) }), { a: {} }, 'body.a', 'must be a list'],
    ['too long a list', z.array(z.string()).max(1), ['a', 'b'], 'body', 'must have at most 1 entry'],
    [
      'a word that is nearly allowed',
      z.enum(['admin', 'read']),
      'raed',
      'body',
      'must be one of `admin`, `read`; did you mean `read`?',
    ],
    [
      'an unknown kind',
      kinds,
      { kind: 'Pages' },
      'body.kind',
      'must be one of `page`, `file`; did you mean `page`?',
    ],
    ['no kind', kinds, {}, 'body.kind', 'is required: it must be one of `page`, `file`'],
    ['one of two types', z.union([z.string(), z.boolean()]), 5, 'body', 'must be text, or true or false'],
    [
      'a misspelt field',
      strict,
      { label: '', scopes: [], expires_at: 'x' },
      'body.expires_at',
      'is not a known field; did you mean `expiresAt`?',
    ],
    ['a strange field', strict, { label: '', scopes: [], zzz: 1 }, 'body.zzz', 'is not a known field'],
    [
      'two strange fields',
      strict,
      { label: '', scopes: [], lable: 1, zzz: 1 },
      'body',
      'has unknown fields: `lable` (did you mean `label`?), `zzz`',
    ],
    [
      'no date',
      strict,
      { label: '', scopes: [], expiresAt: 'soon' },
      'body.expiresAt',
      'must be a date and time such as 2026-01-31T12:00:00Z',
    ],
  ])('%s', ([, schema, value, path, message]) => {
    const problems: contract.Problem[] = [];
    parsePart(schema, value, { part: 'body', problems });
    expect(problems).toEqual([{ path, message }]);
  });
});
