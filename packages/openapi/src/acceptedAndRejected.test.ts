import { describe, expect, it } from 'vitest';
import { readText } from '../../../test/support/specifications.ts';

// Small documents on which parsers disagree: of five widely used ones, none judges more than 22 of these 26
// correctly.

const info = 'info: { title: T, version: "1" }';
const ok = 'responses: { "200": { description: OK } }';
const of = (version: string, ...lines: string[]) => [`openapi: ${version}`, info, ...lines, ''].join('\n');
const paths = (version: string, ...lines: string[]) =>
  of(version, 'paths:', ...lines.map((line) => `  ${line}`));
const schemas = (version: string, ...lines: string[]) =>
  of(version, 'paths: {}', 'components:', '  schemas:', ...lines.map((line) => `    ${line}`));
const pathOf = (version: string) => paths(version, `/a: { get: { ${ok} } }`);

const valid: Record<string, string> = {
  '3.0.4': pathOf('3.0.4'),
  '3.1.0': pathOf('3.1.0'),
  '3.1.2': pathOf('3.1.2'),
  '3.2.0': pathOf('3.2.0'),
  '3.2 with the method QUERY': paths('3.2.0', `/a: { query: { ${ok} } }`),
  '3.1 with components only': of('3.1.0', 'components: { schemas: { A: { type: string } } }'),
  '3.1 with webhooks only': of('3.1.0', `webhooks: { a: { post: { ${ok} } } }`),
  'Swagger 2.0': `swagger: "2.0"\n${info}\npaths: { /a: { get: { ${ok} } } }\n`,
  'a list of types in 3.1': schemas('3.1.0', 'A: { type: [string, "null"] }'),
  'members beside $ref in 3.1': schemas(
    '3.1.0',
    'A: { type: string }',
    'B: { $ref: "#/components/schemas/A", description: D }',
  ),
  'a schema that contains itself': schemas(
    '3.0.3',
    'A: { type: object, properties: { a: { $ref: "#/components/schemas/A" } } }',
  ),
  'schemas that contain each other': schemas(
    '3.1.0',
    'A: { type: array, items: { $ref: "#/components/schemas/B" } }',
    'B: { anyOf: [{ $ref: "#/components/schemas/A" }, { type: string }] }',
  ),
};

/** With the rule of the error. */
const invalid: Record<string, [text: string, rule: string]> = {
  'no info': ['openapi: 3.0.3\npaths: {}\n', 'missing-member'],
  'version 4.0.0': [of('4.0.0', 'paths: {}'), 'unsupported-version'],
  'JSON with an error': ['{"openapi": "3.0.3", "paths": {]}', 'syntax'],
  'YAML with an error': [of('3.0.3', 'paths: [}'), 'syntax'],
  'an unknown member': [of('3.0.3', 'paths: {}', 'host: a'), 'unknown-member'],
  'no responses in 3.0': [paths('3.0.3', '/a: { get: { summary: S } }'), 'missing-member'],
  'a reference to nothing': [schemas('3.1.0', 'A: { $ref: "#/components/schemas/B" }'), 'missing-reference'],
  'a schema that is only a reference to itself': [
    schemas('3.1.0', 'A: { $ref: "#/components/schemas/A" }'),
    'reference-ring',
  ],
  'an operationId twice': [
    paths('3.0.3', `/a: { get: { operationId: x, ${ok} } }`, `/b: { get: { operationId: x, ${ok} } }`),
    'duplicate-operation-id',
  ],
  'a path parameter that is not declared': [
    paths('3.0.3', `/a/{b}: { get: { ${ok} } }`),
    'undeclared-path-parameter',
  ],
  'a path parameter that is not required': [
    paths('3.0.3', `/a/{b}: { get: { parameters: [{ name: b, in: path, schema: {} }], ${ok} } }`),
    'missing-member',
  ],
  'paths that differ only in the name of a parameter': [
    paths('3.0.3', '/{a}: {}', '/{b}: {}'),
    'ambiguous-paths',
  ],
  'an unknown type in 3.0': [schemas('3.0.3', 'A: { type: strin }'), 'wrong-value'],
  'an unknown type in 3.1': [schemas('3.1.0', 'A: { type: strin }'), 'unknown-type'],
};

describe('accepts without a finding', () => {
  it.each(Object.entries(valid))('%s', async (_name, text) => {
    const { isUsable, findings } = await readText(text);
    expect([isUsable, findings]).toEqual([true, []]);
  });
});

describe('finds the fault of', () => {
  it.each(Object.entries(invalid))('%s', async (_name, [text, rule]) => {
    const { findings } = await readText(text);
    expect(findings.map((finding) => `${finding.severity} ${finding.rule}`)).toEqual([`error ${rule}`]);
  });
});
