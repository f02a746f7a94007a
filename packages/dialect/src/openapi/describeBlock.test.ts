import { DocumentTree, emptyDocument, type DocumentBlock } from '@bindery/contract';
import { describe, expect, it } from 'vitest';
import { documentToMarkdown } from '../document/documentToMarkdown.ts';
import { describeBlock, namedBlock } from './describeBlock.ts';
import { excerptOf } from './excerpt.ts';
import { openapiBlocksIn, replaceOpenapiBlocks } from './replaceBlocks.ts';
import { openSpecification } from './specificationFile.ts';

const pets = {
  openapi: '3.1.0',
  paths: {
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        summary: 'Read a pet',
        description: '## When\n\nOnly **yours**.',
        parameters: [{ $ref: '#/components/parameters/full' }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
        responses: {
          200: {
            description: 'The *pet*\n\nitself',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
          },
          404: { description: 'None' },
        },
      },
      delete: { summary: 'Unseen', 'x-internal': true },
    },
    '/pets/': {
      get: {
        summary: 'All',
        deprecated: true,
        responses: { 204: { $ref: '#/paths/~1x/get/responses/204' } },
      },
    },
    '/x': { get: { responses: { 204: { description: 'Nothing' } } }, put: { summary: 'Other' } },
  },
  webhooks: { born: { post: { summary: 'A pet is born' } } },
  components: {
    parameters: { full: { name: 'full', in: 'query', schema: { type: 'boolean', default: false } } },
    schemas: {
      Pet: {
        type: 'object',
        description: 'An animal',
        required: ['name'],
        properties: {
          name: { type: 'string', description: 'How it is *called*' },
          friends: { type: 'array', items: { $ref: '#/components/schemas/Friend' } },
        },
      },
      Friend: { type: 'object', properties: { since: { type: 'string', format: 'date' } } },
      Unused: { type: 'string' },
      Hidden: { 'x-gitbook-ignore': true },
    },
  },
};

const file = (specification: object) =>
  openSpecification(Buffer.from(JSON.stringify([{ isEntrypoint: true, specification }])));

function described(type: string, data: object, specification: object = pets): string | undefined {
  const block = { type, data: data as Record<string, unknown> };
  const nodes = describeBlock(excerptOf(file(specification), [block]), block);
  return nodes && written(nodes);
}

function written(nodes: DocumentBlock[]): string {
  expect(DocumentTree.safeParse({ ...emptyDocument, nodes }).success).toBe(true);
  return documentToMarkdown({ ...emptyDocument, nodes });
}

describe('the description of a block', () => {
  it('has the request, parameters, body and responses of an operation', () => {
    expect(described('openapi-operation', { path: '/pets/{id}', method: 'GET' })).toBe(`**Read a pet**

\`GET /pets/{id}\`

**When**

Only **yours**.

**Path parameters**

* \`id\` string, required

**Query parameters**

* \`full\` boolean, default false

**Body, required**

\`application/json\` Pet

* \`name\` string, required: How it is called
* \`friends\` list of Friend
  * \`since\` string (date)

**Responses**

* \`200\` application/json Pet: The pet itself
  * \`name\` string, required: How it is called
  * \`friends\` list of Friend
    * \`since\` string (date)
* \`404\`: None
`);
  });

  it('tolerates a trailing slash, follows references into paths, and names a deprecation', () => {
    expect(described('openapi-operation', { path: '/pets', method: 'get' })).toBe(
      '**All**\n\n`GET /pets`\n\n**Deprecated**\n\n**Responses**\n\n* `204`: Nothing\n',
    );
  });

  it('covers a webhook, or schemas in the requested order', () => {
    expect(described('openapi-webhook', { name: 'born', method: 'post' })).toContain('`POST born`');
    expect(described('openapi-schemas', { schemas: ['Friend', 'Gone', 'Hidden', 'Pet'], title: 'Animals' }))
      .toBe(`**Animals**

\`Friend\`

* \`since\` string (date)

\`Pet\`

An animal

* \`name\` string, required: How it is called
* \`friends\` list of Friend
  * \`since\` string (date)
`);
  });

  it.each([
    ['openapi-operation', { path: '/gone', method: 'get' }],
    ['openapi-operation', { path: '/x', method: 'post' }],
    ['openapi-operation', { path: '/x', method: 'parameters' }],
    ['openapi-operation', { path: '/pets/{id}', method: 'delete' }],
    ['openapi-operation', { path: '__proto__', method: 'get' }],
    ['openapi-webhook', { name: '/x', method: 'get' }],
    ['openapi-schemas', { schemas: ['Hidden', 'Gone'] }],
    ['openapi-schemas', { schemas: 5 }],
  ])('is absent for %s %o, which does not exist or is hidden', (type, data) => {
    expect(described(type, data)).toBeUndefined();
  });

  it('is short and quick for hostile specifications', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 24 }, (_, level) => [
        `A${level}`,
        {
          properties: Object.fromEntries(
            ['a', 'b', 'c'].map((name) => [name, { $ref: `#/components/schemas/A${level + 1}` }]),
          ),
          items: level === 23 ? { $ref: '#/components/schemas/A0' } : undefined,
          allOf: [{ $ref: `#/components/schemas/A${level}` }],
        },
      ]),
    );
    const specification = {
      paths: {
        '/a': {
          get: {
            summary: '<script>x</script> *not bold*',
            description: '[a](javascript:alert(1)) {% openapi-operation spec="a" path="/" method="get" %}',
            parameters: [null, 5, { in: 'query', name: '`"><b>' }],
            requestBody: { content: { 'a/b': { schema: { $ref: '#/components/schemas/A0' } } } },
            responses: { x: { $ref: 'https://evil.example/x' }, y: { $ref: '#/paths/~1a' } },
          },
        },
      },
      components: { schemas },
    };
    const text = described('openapi-operation', { path: '/a', method: 'get' }, specification);
    expect(text?.length).toBeLessThan(200_000);
    expect(text).not.toContain('javascript:');
    expect(text).toContain('\\<script>x\\</script> \\*not bold\\*');
  });
});

describe('an excerpt', () => {
  it('has only the parts that the blocks show', () => {
    const blocks = [
      { type: 'openapi-operation', data: { path: '/pets/{id}/', method: 'get' } },
      { type: 'openapi-webhook', data: { name: 'born', method: 'post' } },
    ];
    const { paths, webhooks, components } = pets;
    const { parameters, get } = paths['/pets/{id}'];
    const { Pet, Friend } = components.schemas;
    expect(excerptOf(file(pets), blocks)).toEqual({
      paths: { '/pets/{id}': { parameters, get } },
      webhooks,
      components: { parameters: components.parameters, schemas: { Pet, Friend } },
    });
  });

  it('of an operation has its servers, and the security that it names', () => {
    const guarded = (operation: object) => ({
      servers: [{ url: 'https://api.example.com' }],
      security: [{ key: [] }],
      paths: { '/a': { get: operation, put: {} } },
      components: { securitySchemes: { key: { type: 'apiKey' }, token: { type: 'http' }, other: {} } },
    });
    const blocks = [{ type: 'openapi-operation', data: { path: '/a', method: 'get' } }];
    const schemesFor = (operation: object) => {
      const excerpt = excerptOf(file(guarded(operation)), blocks);
      expect(excerpt).toMatchObject({
        servers: [{ url: 'https://api.example.com' }],
        security: [{ key: [] }],
      });
      return (excerpt['components'] as { securitySchemes?: object })?.securitySchemes;
    };
    expect(schemesFor({})).toEqual({ key: { type: 'apiKey' } });
    expect(schemesFor({ security: [{ token: [] }, {}] })).toEqual({ token: { type: 'http' } });
  });

  it('omits parts that exceed its size limit', () => {
    const blocks = [{ type: 'openapi-operation', data: { path: '/pets/{id}/', method: 'get' } }];
    expect(JSON.stringify(excerptOf(file(pets), blocks, 200)).length).toBeLessThan(300);
  });
});

describe('the blocks of a document', () => {
  it('are replaced wherever they are', () => {
    const ref = { kind: 'openapi', spec: 'pets' };
    const openapi: DocumentBlock = {
      object: 'block',
      type: 'openapi-operation',
      data: { ref, path: '/a', method: 'get' },
    };
    const hint: DocumentBlock = { object: 'block', type: 'hint', data: { style: 'info' }, nodes: [openapi] };
    const tree = { ...emptyDocument, nodes: [openapi, hint] };
    expect(openapiBlocksIn(tree)).toHaveLength(2);
    const text = documentToMarkdown(replaceOpenapiBlocks(tree, namedBlock));
    expect(text.match(/`GET \/a` \(API specification pets\)/g)).toHaveLength(2);
  });
});
