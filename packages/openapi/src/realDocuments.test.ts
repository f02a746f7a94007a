import { globSync, readFileSync } from 'node:fs';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readText } from '../../../test/support/specifications.ts';
import { toYaml } from './toYaml.ts';

const packages = 'node_modules';
const documents = [
  '@gitbook/api/spec/openapi.json',
  '@gitbook/api/spec/openapi.yaml',
  'gitbook-api-0.137/spec/openapi.yaml',
  '@figma/rest-api-spec/openapi/openapi.yaml',
  '@digdir/dialogporten-schema/swagger.verified.json',
  'rclone-openapi/openapi.json',
  'rclone-openapi/openapi.yaml',
  ...globSync('@readme/oas-examples/*/{json,yaml}/*.{json,yaml}', { cwd: packages }).toSorted(),
];

type Document = Record<string, never> & {
  openapi?: string;
  paths?: Record<string, Record<string, unknown>>;
  webhooks?: Record<string, Record<string, unknown>>;
  definitions?: object;
  components?: { schemas?: object };
};

/** Parsed by another library than ours. */
function parsed(text: string): Document {
  return JSON.parse(JSON.stringify(parse(text, { maxAliasCount: 1_000, merge: true }))) as Document;
}

function operationsOf(items: Record<string, Record<string, unknown>> = {}): string[] {
  const methods = ['get', 'post', 'put', 'delete', 'options', 'head', 'patch', 'trace'];
  return Object.entries(items).flatMap(([name, item]) =>
    methods.filter((method) => item[method] !== undefined).map((method) => `${method} ${name}`),
  );
}

/** Keeps what it compiled. */
const validator = new Validator();

describe('agrees with other libraries about', () => {
  it.each(documents)('%s', async (path) => {
    const text = readFileSync(`${packages}/${path}`, 'utf8');
    const source = parsed(text.replace(/^\uFEFF/, ''));
    const read = await readText(Buffer.from(text));
    if (!read.isUsable) throw new Error(read.findings[0]?.message);

    expect(JSON.parse(read.bundle)).toEqual(source);
    const yaml = Buffer.concat(toYaml(JSON.parse(read.bundle) as object)).toString();
    expect(parse(yaml)).toEqual(source);
    expect(load(yaml)).toEqual(source);
    // The only examples whose path items are references.
    if (!/server-path-level|circular-paths/.test(path))
      expect(read.index.operations.map(({ method, path: name }) => `${method} ${name}`)).toEqual(
        operationsOf(source.paths),
      );
    expect(read.index.webhooks.map(({ method, name }) => `${method} ${name}`)).toEqual(
      operationsOf(source.webhooks),
    );
    expect(read.index.schemas).toEqual(Object.keys(source.definitions ?? source.components?.schemas ?? {}));

    // These examples are there as JSON, too.
    if (/examples.*yaml/.test(path)) return;
    const verdict = await validator.validate(JSON.parse(read.bundle) as never);
    const bySchema = read.findings.filter(({ rule }) =>
      ['missing-member', 'unknown-member', 'wrong-type', 'wrong-value'].includes(rule),
    );
    expect(bySchema.length === 0).toBe(verdict.valid);
    if (read.findingCount === 0) await SwaggerParser.validate(JSON.parse(read.bundle) as never);
    await SwaggerParser.validate(JSON.parse(read.reader) as never).catch((error: unknown) => {
      // The reader form has the faults of the document.
      if (read.findingCount === 0) throw error;
    });
  });
});

it('rebuilds a document that is divided into a file for each path and schema', async () => {
  const source = JSON.parse(readFileSync(`${packages}/@gitbook/api/spec/openapi.json`, 'utf8')) as Document;
  const schemas = (source.components?.schemas ?? {}) as Record<string, object>;
  const files: Record<string, string> = {};
  const divided = {
    ...source,
    paths: {} as Record<string, object>,
    components: { ...source.components, schemas: {} as Record<string, object> },
  };
  for (const [name, schema] of Object.entries(schemas)) {
    files[`schemas/${name}.json`] = withRelative(schema, './');
    divided.components.schemas[name] = { $ref: `schemas/${name}.json` };
  }
  for (const [index, [path, item]] of Object.entries(source.paths ?? {}).entries()) {
    files[`paths/${index}.json`] = withRelative(item, '../schemas/');
    divided.paths[path] = { $ref: `paths/${index}.json` };
  }
  const entry = withRelative(divided, 'schemas/', '');
  const read = await readText(entry, { files });
  if (!read.isUsable) throw new Error(read.findings[0]?.message);

  expect(read.findings).toEqual([]);
  expect(read.files.length).toBe(1 + Object.keys(files).length);
  expect(JSON.parse(read.bundle)).toEqual(source);
});

/** References to schemas lead to their files, all others to the entry. */
function withRelative(part: object, folder: string, entry = '../openapi.yaml'): string {
  return JSON.stringify(part)
    .replaceAll(/"#\/components\/schemas\/([\w-]+)"/g, `"${folder}$1.json"`)
    .replaceAll('"#/components/', `"${entry}#/components/`);
}
