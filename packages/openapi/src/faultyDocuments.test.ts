import { describe, expect, it } from 'vitest';
import { readText } from '../../../test/support/specifications.ts';

/** A document of 3.0 whose path `/a` has one operation, written by the case from line 4 on. */
const operation = (lines: string) => document('3.0.3', `paths:\n  /a:\n    get:\n${indented(lines, 6)}`);
const document = (version: string, lines: string) =>
  `openapi: ${version}\ninfo: { title: T, version: "1" }\n${lines}\n`;
const schema = (version: string, lines: string) =>
  document(version, `paths: {}\ncomponents:\n  schemas:\n    A:\n${indented(lines, 6)}`);
const swagger = (lines: string) => `swagger: "2.0"\ninfo: { title: T, version: "1" }\n${lines}\n`;
const indented = (lines: string, spaces: number) =>
  lines
    .split('\n')
    .map((line) => `${' '.repeat(spaces)}${line}`)
    .join('\n');
const ok = 'responses: { "200": { description: OK } }';

/** Documents of which no version can be made: the rule, the place, and a word of the message. */
const unusable: Record<string, [text: string | Uint8Array, expected: string, word: string]> = {
  'no byte': ['', 'empty 1:1', 'empty'],
  'white space': [' \n\n ', 'empty 1:1', 'empty'],
  'the null of JSON': ['null', 'not-an-object 1:1', 'empty'],
  'a comment of YAML': ['# later\n', 'not-an-object 1:1', 'empty'],
  'a list': ['[]', 'not-an-object 1:1', 'list'],
  'plain text': ['Hello there', 'not-an-object 1:1', 'text'],
  'an HTML page': ['<!DOCTYPE html>\n<html><body></body></html>', 'html 1:1', 'HTML page'],
  'an XML document': ['<?xml version="1.0"?><a/>', 'xml 1:1', 'XML'],
  'a picture': [Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'binary 3:1', 'not text'],
  RAML: ['#%RAML 1.0\ntitle: A\n', 'raml 1:1', 'RAML'],
  'API Blueprint': ['FORMAT: 1A\n\n# API\n', 'api-blueprint 1:1', 'API Blueprint'],
  AsyncAPI: ['asyncapi: 2.6.0\ninfo: {}\nchannels: {}\n', 'other-format 1:1', 'AsyncAPI'],
  Postman: ['{"info":{"_postman_id":"1","name":"A"},"item":[]}', 'other-format 1:1', 'Postman'],
  'an overlay': ['overlay: 1.0.0\nactions: []\n', 'other-format 1:1', 'overlay'],
  'a JSON Schema': [
    '{"$schema":"https://json-schema.org/draft/2020-12/schema"}',
    'other-format 1:1',
    'JSON Schema',
  ],
  'no version': ['info: {}\npaths: {}\n', 'no-version 1:1', 'openapi: 3.1.0'],
  'Swagger 1.2': ['swaggerVersion: "1.2"\napis: []\n', 'unsupported-version 1:1', 'Swagger 1.2'],
  'OpenAPI 4': ['openapi: 4.0.0\npaths: {}\n', 'unsupported-version 1:1', 'OpenAPI 4.0.0'],
  'OpenAPI 2.0': ['openapi: "2.0"\npaths: {}\n', 'unsupported-version 1:1', 'OpenAPI 2.0'],
  'nothing to describe': [
    'openapi: 3.1.0\ninfo: { title: T, version: "1" }\n',
    'nothing-described 1:1',
    'webhooks',
  ],
  'broken JSON': ['{\n  "openapi": "3.0.0",\n  "paths": {]\n}', 'syntax 3:13', 'JSON'],
  'JSON that ends early': ['{"openapi": "3.0.0", "paths": {', 'syntax 1:32', 'JSON'],
  'broken YAML': ['openapi: 3.0.0\npaths:\n\t/a: {}\n', 'syntax 3:1', 'YAML'],
  'bad indentation': ['openapi: 3.0.0\ninfo:\n  title: A\n version: 1\npaths: {}\n', 'syntax 4:2', 'YAML'],
  'an unknown tag': ['openapi: 3.0.0\npaths: !!js/function "a"\n', 'syntax 2:8', 'tag'],
  'an unknown alias': ['openapi: 3.0.0\npaths: *nothing\n', 'syntax 2:9', 'nothing'],
  'two YAML documents': [
    'openapi: 3.0.0\npaths: {}\n---\nopenapi: 3.0.0\n',
    'several-documents 1:1',
    '2 documents',
  ],
};

/** Usable documents with a fault: the rules and places of all findings. */
const usable: Record<string, [text: string | Uint8Array, expected: string[]]> = {
  'a version that is a number': [document('3.1', 'paths: {}'), ['warning version 1:1']],
  'a version without a patch': [document('"3.0"', 'paths: {}'), ['warning version 1:1']],
  'an unknown patch': [document('3.0.17', 'paths: {}'), ['warning version 1:1']],
  'a candidate of a version': [document('3.1.0-rc1', 'paths: {}'), ['warning version 1:1']],
  'Swagger with a number': [
    'swagger: 2.0\ninfo: { title: T, version: "1" }\npaths: {}\n',
    ['warning version 1:1'],
  ],
  'invalid UTF-8': [
    Buffer.from(document('3.1.0', 'paths: {}\n# caf\xe9'), 'latin1'),
    ['warning invalid-encoding 4:6'],
  ],
  'no info': ['openapi: 3.0.0\npaths: {}\n', ['error missing-member 1:1']],
  'no title': ['openapi: 3.0.0\ninfo: { version: "1" }\npaths: {}\n', ['error missing-member 2:1']],
  'a version of the API that is a number': [
    'openapi: 3.0.0\ninfo: { title: T, version: 1 }\npaths: {}\n',
    ['error wrong-type 2:19'],
  ],
  'paths without a value': [document('3.0.0', 'paths:'), ['error wrong-type 3:1']],
  'an unknown member of the root': [document('3.0.0', 'paths: {}\nhost: a'), ['error unknown-member 4:1']],
  'an unknown member of the root of 3.1': [
    document('3.1.0', 'paths: {}\nhost: a'),
    ['error unknown-member 4:1'],
  ],
  'an unknown member of an operation': [operation(`parameter: []\n${ok}`), ['error unknown-member 6:7']],
  'no responses': [operation('summary: A'), ['error missing-member 5:5']],
  'empty responses': [operation('responses: {}'), ['error wrong-value 6:7']],
  'a response without a description': [
    operation('responses:\n  "200":\n    content: {}'),
    ['error missing-member 7:9'],
  ],
  'a status that is none': [
    operation('responses:\n  "999x": { description: A }'),
    ['error unknown-member 7:9'],
  ],
  'a path without a slash': [document('3.0.0', 'paths:\n  a: {}'), ['error unknown-member 4:3']],
  'an unknown type of 3.0': [schema('3.0.0', 'type: strin'), ['error wrong-value 7:7']],
  'an unknown type of 3.1': [schema('3.1.0', 'type: strin'), ['error unknown-type 7:7']],
  'an unknown type in a list': [schema('3.1.0', 'type: [string, strin]'), ['error unknown-type 7:7']],
  'a list of types in 3.0': [schema('3.0.0', 'type: [string, "null"]'), ['error wrong-type 7:7']],
  'properties that are a list': [schema('3.1.0', 'properties: [a]'), ['error wrong-keyword 7:7']],
  'required that is true': [schema('3.1.0', 'required: true'), ['error wrong-keyword 7:7']],
  'required that is true in 3.0': [schema('3.0.0', 'required: true'), ['error wrong-type 7:7']],
  'an exclusive limit as in 3.0': [
    schema('3.1.0', 'minimum: 1\nexclusiveMinimum: true'),
    ['error wrong-keyword 8:7'],
  ],
  'an empty allOf': [schema('3.1.0', 'allOf: []'), ['error wrong-keyword 7:7']],
  'a fault deep in a schema': [
    schema('3.0.0', 'properties:\n  a:\n    items:\n      type: object\n      nullable: yes please'),
    ['error wrong-type 11:13'],
  ],
  'a reference to a schema that is not there': [
    schema('3.1.0', '$ref: "#/components/schemas/B"'),
    ['error missing-reference 7:7'],
  ],
  'a reference with a typing error': [
    operation('responses:\n  "200":\n    $ref: "#/component/responses/A"'),
    ['error missing-reference 8:11'],
  ],
  'a reference that is no URL': [schema('3.1.0', '$ref: "https://["'), ['error missing-reference 7:7']],
  'a schema that refers to itself': [
    schema('3.1.0', '$ref: "#/components/schemas/A"'),
    ['error reference-ring 7:7'],
  ],
  'two schemas that refer to each other': [
    schema('3.1.0', '$ref: "#/components/schemas/B"').replace(/\n$/, '') +
      '\n    B:\n      $ref: "#/components/schemas/A"\n',
    ['error reference-ring 7:7', 'error reference-ring 9:7'],
  ],
  'a reference through itself': [
    schema('3.1.0', '$ref: "#/components/schemas/A/properties/x"'),
    ['error reference-ring 7:7'],
  ],
  'a root that refers to itself': [document('3.1.0', '$ref: "#"\npaths: {}'), ['error reference-ring 3:1']],
  'a file that cannot be had': [
    operation('responses:\n  "200":\n    $ref: ./other.yaml#/A'),
    ['error file-refused 8:11'],
  ],
  'a file of the disk': [schema('3.1.0', '$ref: "file:///etc/passwd"'), ['error file-refused 7:7']],
  'a mapping that leads nowhere': [
    schema('3.1.0', 'discriminator:\n  propertyName: a\n  mapping:\n    b: "#/components/schemas/B"'),
    ['error missing-reference 10:11'],
  ],
  'an operationId twice': [
    document(
      '3.0.0',
      `paths:\n  /a:\n    get: { operationId: x, ${ok} }\n  /b:\n    get: { operationId: x, ${ok} }`,
    ),
    ['error duplicate-operation-id 7:12'],
  ],
  'a path parameter that is not declared': [
    document('3.0.0', `paths:\n  /a/{id}:\n    get: { ${ok} }`),
    ['error undeclared-path-parameter 5:5'],
  ],
  'a path parameter that the path does not have': [
    operation(`parameters:\n  - { name: id, in: path, required: true, schema: {} }\n${ok}`),
    ['error unused-path-parameter 7:11'],
  ],
  'a shared path parameter that the path does not have': [
    document(
      '3.0.0',
      `paths:\n  /a:\n    parameters:\n      - { name: id, in: path, required: true, schema: {} }\n    get: { ${ok} }`,
    ),
    ['error unused-path-parameter 6:9'],
  ],
  'a path parameter that is not required': [
    document(
      '3.0.0',
      `paths:\n  /a/{id}:\n    get:\n      parameters: [{ name: id, in: path, schema: {} }]\n      ${ok}`,
    ),
    ['error missing-member 6:20'],
  ],
  'a parameter twice': [
    operation(
      `parameters:\n  - { name: a, in: query, schema: {} }\n  - { name: a, in: query, schema: { type: string } }\n${ok}`,
    ),
    ['error duplicate-parameter 8:11'],
  ],
  'a parameter without a name': [
    operation(`parameters:\n  - { in: query, schema: {} }\n${ok}`),
    ['error missing-member 7:11'],
  ],
  'a parameter in an unknown place': [
    operation(`parameters:\n  - { name: a, in: body, schema: {} }\n${ok}`),
    ['error wrong-value 7:22'],
  ],
  'paths that differ only in the names of parameters': [
    document('3.1.0', 'paths:\n  /{a}: {}\n  /{b}: {}'),
    ['error ambiguous-paths 5:3'],
  ],
  'a path with a parameter twice': [
    document('3.1.0', 'paths:\n  /{a}/{a}: {}'),
    ['error repeated-path-parameter 4:3'],
  ],
  'a security scheme that is not declared': [
    operation(`security: [{ key: [] }]\n${ok}`),
    ['warning unknown-security-scheme 6:20'],
  ],
  'a key twice in YAML': [document('3.1.0', 'paths:\n  /a: {}\n  /a: {}'), ['error duplicate-key 5:3']],
  'a key twice in JSON': [
    '{\n"openapi":"3.1.0",\n"info":{"title":"T","version":"1", "version":"2"},\n"paths":{}}',
    ['error duplicate-key 3:36'],
  ],
  'a server without a URL': [
    document('3.0.0', 'servers:\n  - description: A\npaths: {}'),
    ['error missing-member 4:5'],
  ],
  'an address that is none': [
    'openapi: 3.0.0\ninfo: { title: T, version: "1", contact: { email: me } }\npaths: {}\n',
    ['error wrong-value 2:44'],
  ],
  'a tag twice': [
    document('3.0.0', 'tags: [{ name: a }, { name: a }]\npaths: {}'),
    ['error wrong-value 3:1'],
  ],
  'Swagger 2.0 with a member of 3.0': [swagger('paths: {}\ncomponents: {}'), ['error unknown-member 4:1']],
  'a body without a schema in 2.0': [
    swagger(`paths:\n  /a:\n    post:\n      parameters:\n        - { name: b, in: body }\n      ${ok}`),
    ['error missing-member 7:11'],
  ],
  'a missing definition in 2.0': [
    swagger('paths: {}\ndefinitions:\n  A:\n    $ref: "#/definitions/B"'),
    ['error missing-reference 6:5'],
  ],
  'a type that is none in 2.0': [
    swagger(
      `paths:\n  /a:\n    get:\n      parameters:\n        - { name: b, in: query, type: strin }\n      ${ok}`,
    ),
    ['error wrong-value 7:33'],
  ],
  'a query operation of 3.2 without responses that are one': [
    document('3.2.0', 'paths:\n  /a:\n    query:\n      responses: []'),
    ['error wrong-type 6:7'],
  ],
};

describe('makes no version of', () => {
  it.each(Object.entries(unusable))('%s', async (_name, [text, expected, word]) => {
    const read = await readText(text);
    expect(read.isUsable).toBe(false);
    expect(read.findings.map(({ rule, line, column }) => `${rule} ${line}:${column}`)).toEqual([expected]);
    expect(read.findings[0]?.message).toContain(word);
  });
});

describe('reports', () => {
  it.each(Object.entries(usable))('%s', async (_name, [text, expected]) => {
    const read = await readText(text);
    const places = read.findings.map(
      ({ severity, rule, line, column }) => `${severity} ${rule} ${line}:${column}`,
    );
    expect(places, JSON.stringify(read.findings, null, 1)).toEqual(expected);
    expect(read.isUsable).toBe(true);
  });
});
