import { expect, it } from 'vitest';
import { readText } from '../../../test/support/specifications.ts';

const head = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\n';

async function bundleOf(entry: string, files: Record<string, string>) {
  const read = await readText(entry, { files });
  if (!read.isUsable) throw new Error(read.findings[0]?.message);
  return { ...read, document: JSON.parse(read.bundle) as Record<string, never> };
}

it('names the schemas of other files after the files, and keeps one of each', async () => {
  const { document, findings, files, index } = await bundleOf(
    `${head}paths:\n  /a: { $ref: paths/a.yaml }\ncomponents:\n  schemas:\n    Pet: { $ref: schemas/Pet.yaml }\n`,
    {
      'paths/a.yaml': `get:\n  responses:\n    "200":\n      description: OK\n      content:\n        application/json:\n          schema: { $ref: ../schemas/Pet.yaml }\n`,
      'schemas/Pet.yaml': 'type: object\nproperties:\n  owner: { $ref: Owner.yaml }\n',
      'schemas/Owner.yaml': '{"type":"object","properties":{"pet":{"$ref":"./Pet.yaml"}}}',
    },
  );

  expect(findings).toEqual([]);
  expect(document).toEqual({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: {
      '/a': {
        get: {
          responses: {
            '200': {
              description: 'OK',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        Pet: { type: 'object', properties: { owner: { $ref: '#/components/schemas/Owner' } } },
        Owner: { type: 'object', properties: { pet: { $ref: '#/components/schemas/Pet' } } },
      },
    },
  });
  expect(index.operations.map(({ method, path }) => `${method} ${path}`)).toEqual(['get /a']);
  expect(files.map(({ url }) => url.slice('https://api.example/spec/'.length))).toEqual([
    'openapi.yaml',
    'paths/a.yaml',
    'schemas/Pet.yaml',
    'schemas/Owner.yaml',
  ]);
});

it('shows a fault in the file that has it', async () => {
  const { findings } = await bundleOf(
    `${head}paths:\n  /a: { $ref: a.yaml }\ncomponents:\n  schemas:\n    Pet: { $ref: Pet.yaml#/Pet }\n`,
    {
      'a.yaml': 'get:\n  operationId: [x]\n  responses:\n    "200": { $ref: responses.yaml#/OK }\n',
      'responses.yaml': 'OK:\n  description: OK\n  headers: []\n',
      'Pet.yaml':
        'Pet:\n  type: object\n  properties:\n    a: { type: strin }\n    b: { $ref: "#/Nothing" }\n',
    },
  );

  expect(
    findings.map(({ file, rule, line, column }) => `${file} ${rule} ${line}:${column}`).toSorted(),
  ).toEqual([
    'https://api.example/spec/Pet.yaml missing-reference 5:10',
    'https://api.example/spec/Pet.yaml unknown-type 4:10',
    'https://api.example/spec/a.yaml wrong-type 2:3',
    'https://api.example/spec/responses.yaml wrong-type 3:3',
  ]);
});

it('follows no $ref in examples, defaults, enumerations and extensions', async () => {
  const data = `example: { $ref: no.yaml }\n      default: { $ref: no.yaml }\n      enum: [{ $ref: no.yaml }]\n      const: { $ref: no.yaml }\n      x-a: { $ref: no.yaml }`;
  const { document, findings } = await bundleOf(
    `${head}paths: {}\ncomponents:\n  schemas:\n    A:\n      ${data}\n    B: { $ref: B.yaml }\n  examples:\n    E: { value: { $ref: no.yaml }, summary: a }\n    F: { externalValue: no.txt }\n`,
    { 'B.yaml': 'type: object\n' },
  );

  expect(findings).toEqual([]);
  const $ref = 'no.yaml';
  expect(document['components']).toEqual({
    schemas: {
      A: { example: { $ref }, default: { $ref }, enum: [{ $ref }], const: { $ref }, 'x-a': { $ref } },
      B: { type: 'object' },
    },
    examples: { E: { value: { $ref }, summary: 'a' }, F: { externalValue: 'no.txt' } },
  });
});

it('follows references in properties that only have the names of data, such as example', async () => {
  const { findings } = await bundleOf(
    `${head}paths: {}\ncomponents:\n  schemas:\n    A:\n      properties:\n        example: { $ref: "#/no" }\n        x-a: { $ref: "#/no" }\n`,
    {},
  );
  expect(findings.map(({ rule, line }) => `${rule} ${line}`)).toEqual([
    'missing-reference 8',
    'missing-reference 9',
  ]);
});

it('resolves references to the names that schemas give themselves', async () => {
  const { document, findings } = await bundleOf(
    `${head}paths: {}\ncomponents:\n  schemas:\n    A: { $id: "https://schemas.example/a", $anchor: one, type: string }\n    B: { $ref: "https://schemas.example/a" }\n    C: { $ref: "#one" }\n    D: { $ref: D.yaml }\n`,
    { 'D.yaml': 'properties: { a: { $ref: "https://schemas.example/a" } }\n' },
  );
  expect(findings).toEqual([]);
  const { schemas } = document['components'] as unknown as { schemas: Record<string, unknown> };
  const $ref = '#/components/schemas/A';
  expect([schemas['B'], schemas['C'], schemas['D']]).toEqual([
    { $ref },
    { $ref },
    { properties: { a: { $ref } } },
  ]);
});

it('reads a reference to the own URL of a document as a reference to itself', async () => {
  const { document, findings } = await bundleOf(
    `openapi: 3.2.0\n$self: https://api.example/v1\ninfo: { title: T, version: "1" }\npaths: {}\ncomponents:\n  schemas:\n    A: { type: string }\n    B: { $ref: "https://api.example/v1#/components/schemas/A" }\n    C: { $ref: "openapi.yaml#/components/schemas/A" }\n    D: { $ref: D.yaml }\n`,
    { 'D.yaml': '$ref: openapi.yaml#/components/schemas/A\n' },
  );
  expect(findings).toEqual([]);
  const { schemas } = document['components'] as unknown as { schemas: Record<string, unknown> };
  const $ref = '#/components/schemas/A';
  expect(schemas).toMatchObject({ B: { $ref }, C: { $ref } });
});

it('reads `#/definitions/User` in another file as the definition of the root, with a warning', async () => {
  const { document, findings } = await bundleOf(
    'swagger: "2.0"\ninfo: { title: T, version: "1" }\npaths: { $ref: paths.yaml }\ndefinitions: { User: { type: object } }\n',
    {
      'paths.yaml':
        '/a:\n  get:\n    responses:\n      "200":\n        description: OK\n        schema: { $ref: "#/definitions/User" }\n',
    },
  );
  expect(findings.map(({ severity, rule, line }) => `${severity} ${rule} ${line}`)).toEqual([
    'warning reference-to-root 6',
  ]);
  expect(JSON.stringify(document)).toContain('"schema":{"$ref":"#/definitions/User"}');
});

it('keeps references to unavailable files, and bundles the rest into one document', async () => {
  const { document, findings } = await bundleOf(
    `${head}paths:\n  /a: { $ref: a.yaml }\n  /b: { $ref: b.yaml }\n  /c: { $ref: broken.yaml }\n`,
    {
      'a.yaml':
        'get:\n  responses:\n    "200":\n      description: OK\n      content: { text/plain: { schema: { $ref: gone.yaml } } }\n',
      'broken.yaml': 'a: [\n',
    },
  );
  expect(
    findings.map(({ file, rule, line }) => `${file.split('/').at(-1)} ${rule} ${line}`).toSorted(),
  ).toEqual(['a.yaml file-refused 5', 'broken.yaml syntax 2', 'openapi.yaml file-refused 5']);
  const text = JSON.stringify(document);
  expect(text).toContain('"$ref":"https://api.example/spec/gone.yaml"');
  expect(text).toContain('"/b":{"$ref":"b.yaml"}');
});

it('reads files that refer to each other in a ring', async () => {
  const { findings } = await bundleOf(
    `${head}paths: {}\ncomponents:\n  schemas:\n    A: { $ref: a.yaml }\n    B: { $ref: c.yaml#/x }\n`,
    { 'a.yaml': '$ref: b.yaml\n', 'b.yaml': '$ref: a.yaml\n', 'c.yaml': 'x: { $ref: "#/x/y" }\n' },
  );
  expect(findings.map(({ rule }) => rule)).toEqual(['reference-ring', 'reference-ring', 'reference-ring']);
});

it('shows a text that a description refers to', async () => {
  const { document, findings } = await bundleOf(
    'openapi: 3.1.0\ninfo:\n  title: T\n  version: "1"\n  description: { $ref: intro.md }\npaths: {}\n',
    { 'intro.md': '# Hello\n\n*World*: [x\n' },
  );
  expect(findings).toEqual([]);
  expect(document['info']).toMatchObject({ description: '# Hello\n\n*World*: [x\n' });
});

it('keeps within the limits for all files', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 5 }, (_, index) => [`f${index}.yaml`, `type: object\n# ${'x'.repeat(100)}\n`]),
  );
  const schemas = Object.keys(files).map((name, index) => `    S${index}: { $ref: ${name} }\n`);
  const entry = `${head}components:\n  schemas:\n${schemas.join('')}`;

  const byCount = await readText(entry, { files, limits: { files: 3 } });
  expect(byCount.findings.map(({ message }) => message)).toEqual(
    Array(3).fill('A specification has at most 3 files.'),
  );
  const bySize = await readText(entry, { files, limits: { totalBytes: entry.length + 250 } });
  expect(bySize.findingCount).toBe(3);
  const byFile = await readText(entry, { files, limits: { fileBytes: 200 } });
  expect(byFile.findings.map(({ rule }) => rule)).toEqual(['too-large']);
});
