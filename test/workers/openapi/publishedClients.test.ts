import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { it } from '../../support/openapi/specs.ts';

// Calls of the published clients, as they were recorded against this API: `gitbook openapi publish` of
// @gitbook/cli 0.25.1, and the resolvers of GitBook's reader (49c993f1, August 2026) on the content of the
// latest version.

const modules = join(import.meta.dirname, '../../../node_modules');
const fileOf = (name: string, path: string) => readFileSync(join(modules, name, path), 'utf8');

describe('`gitbook openapi publish`', { timeout: 120_000 }, () => {
  const headers = {
    'user-agent': '@gitbook/cli/0.25.1',
    accept: '*/*',
    'accept-language': '*',
    'sec-fetch-mode': 'cors',
    'accept-encoding': 'gzip, deflate',
  };
  const text = fileOf('@readme/oas-examples', '3.1/json/train-travel.json');

  it('publishes a file and a URL with one call each', async ({ server, call, processed }) => {
    server.put('/train.json', { type: 'application/json', body: text });
    const sources = { 'train-file': { text }, 'train-url': { url: `${server.origin}/train.json` } };
    for (const [slug, source] of Object.entries(sources)) {
      const { status, body } = await call('PUT', slug, { source }, headers);
      // The command prints this URL and ends.
      expect([status, new URL(body.urls.app).pathname]).toEqual([200, expect.stringContaining(slug)]);
      const spec = await processed(slug);
      expect(spec).toMatchObject({ lastVersion: expect.any(String), lastProcessedErrorCount: 0 });
    }
  });
});

/** The findings of the reader's resolvers, each operation, webhook and schema resolved alone. */
const resolved = {
  figma: { operations: 54, parameters: 128, responses: 307, webhooks: 0, schemas: 231 },
  rclone: { operations: 101, parameters: 512, responses: 404, webhooks: 0, schemas: 113 },
  dialogporten: { operations: 44, parameters: 125, responses: 270, webhooks: 0, schemas: 186 },
  train: { operations: 7, parameters: 8, responses: 45, webhooks: 1, schemas: 9 },
  hooks: { operations: 0, parameters: 0, responses: 0, webhooks: 2, schemas: 1 },
  petstore: { operations: 20, parameters: 14, responses: 36, webhooks: 0, schemas: 6 },
};
const documents: Record<keyof typeof resolved, () => string> = {
  figma: () => fileOf('@figma/rest-api-spec', 'openapi/openapi.yaml'),
  rclone: () => fileOf('rclone-openapi', 'openapi.json'),
  dialogporten: () => fileOf('@digdir/dialogporten-schema', 'swagger.verified.json'),
  train: () => fileOf('@readme/oas-examples', '3.1/json/train-travel.json'),
  hooks: () => fileOf('@readme/oas-examples', '3.1/json/webhooks.json'),
  petstore: () => fileOf('@readme/oas-examples', '2.0/json/petstore.json'),
};
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

type Items = Record<string, Node>;
type Node = {
  $ref?: string;
  name?: string;
  in?: string;
  description?: string;
  parameters?: Node[];
  responses?: Items;
} & { [Method in (typeof methods)[number]]?: Node };
type Document = { paths?: Items; webhooks?: Items; components?: { schemas?: Items } };

/** Counts the objects that the reader resolves; follows references within the document, as it does. */
function countsOf(document: Document) {
  const follow = (node: Node): Node =>
    node.$ref === undefined ? node : follow(targetOf(document, node.$ref));
  const operationsOf = (items: Items = {}) =>
    Object.values(items)
      .map(follow)
      .flatMap((item) => methods.flatMap((method) => (item[method] ? [{ item, ...item[method] }] : [])));
  const operations = operationsOf(document.paths).map(({ item, parameters = [], responses = {} }) => ({
    parameters: [...(item.parameters ?? []), ...parameters].map(follow),
    responses: Object.values(responses).map(follow),
  }));
  return {
    operations: operations.length,
    parameters: operations.flatMap(({ parameters }) => parameters).filter((each) => each.name && each.in)
      .length,
    responses: operations.flatMap(({ responses }) => responses).filter((each) => 'description' in each)
      .length,
    webhooks: operationsOf(document.webhooks).length,
    schemas: Object.values(document.components?.schemas ?? {}).map(follow).length,
  };
}

function targetOf(document: object, reference: string): Node {
  let found: unknown = document;
  for (const step of reference.replace(/^#\//, '').split('/')) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    found = (found as Record<string, unknown> | undefined)?.[key];
  }
  if (!found) throw new Error(`${reference} leads nowhere in the document.`);
  return found as Node;
}

describe("GitBook's reader", { timeout: 300_000 }, () => {
  it.for(Object.entries(resolved))('finds everything in %s', async ([name, expected], { put, call }) => {
    await put(name, { text: documents[name as keyof typeof documents]() });
    const { status, body } = await call('GET', `${name}/versions/latest/content`);
    expect(status).toBe(200);
    const [entry, ...others] = body.filesystem;
    expect([entry.isEntrypoint, others]).toEqual([true, []]);
    expect(countsOf(entry.specification)).toEqual(expected);
    // It puts this key into its page, else the description as it is.
    expect(descriptionsWithoutHtml(entry.specification)).toEqual([]);
  });
});

/** Pointers of objects whose description the reader would show without sanitising. */
function descriptionsWithoutHtml(node: unknown, at = ''): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { description, ...others } = node as Record<string, unknown>;
  const isBare = typeof description === 'string' && description !== '';
  const inner = Object.entries(others)
    .filter(([key]) => !/^(example|examples|default|enum|const|x-.*)$/.test(key))
    .flatMap(([key, value]) => descriptionsWithoutHtml(value, `${at}/${key}`));
  return [...(isBare && typeof others['x-gitbook-description-html'] !== 'string' ? [at] : []), ...inner];
}
