import { expect, it } from 'vitest';
import { readText } from '../../../../test/support/specifications.ts';

const html = 'x-gitbook-description-html';

async function readerOf(document: object) {
  const read = await readText(document);
  if (!read.isUsable) throw new Error(read.findings[0]?.message);
  return { bundle: JSON.parse(read.bundle) as object, reader: JSON.parse(read.reader) as object, read };
}

it('gives every object with a description its HTML, and examples none', async () => {
  const example = { description: 'data', [html]: '<script>' };
  const described = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1', description: 'About *it*', [html]: '<script>alert(1)</script>' },
    tags: [{ name: 'a', description: '<img src=x onerror=alert(1)>' }],
    paths: {},
    components: {
      schemas: {
        A: {
          properties: { description: { type: 'string', description: 'One' } },
          example,
          default: { description: 'data' },
        },
      },
      examples: { E: { description: 'Two', value: { description: 'data' } } },
    },
    'x-webhooks': { a: { description: '<script>alert(1)</script>' } },
  };
  const { bundle, reader } = await readerOf(described);

  expect(bundle).toEqual(described);
  expect(reader).toEqual({
    openapi: '3.1.0',
    info: { title: 'T', version: '1', description: 'About *it*', [html]: '<p>About <em>it</em></p>' },
    tags: [{ name: 'a', description: '<img src=x onerror=alert(1)>', [html]: '<img />' }],
    paths: {},
    components: {
      schemas: {
        A: {
          properties: { description: { type: 'string', description: 'One', [html]: '<p>One</p>' } },
          example: { description: 'data' },
          default: { description: 'data' },
        },
      },
      examples: { E: { description: 'Two', [html]: '<p>Two</p>', value: { description: 'data' } } },
    },
    'x-webhooks': { a: { description: '<script>alert(1)</script>', [html]: '<p></p>' } },
  });
});

it('converts Swagger 2.0 to OpenAPI 3, with the request bodies behind references', async () => {
  const { bundle, reader } = await readerOf({
    swagger: '2.0',
    info: { title: 'T', version: '1' },
    host: 'api.example',
    basePath: '/v1',
    schemes: ['https'],
    consumes: ['application/json'],
    paths: {
      '/a': {
        post: {
          schemes: ['https'],
          parameters: [{ $ref: '#/parameters/Body' }],
          responses: { '200': { description: 'OK', schema: { $ref: '#/definitions/A' } } },
        },
      },
    },
    parameters: { Body: { name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/A' } } },
    definitions: { A: { type: 'object', description: 'One' } },
  });

  const schema = { $ref: '#/components/schemas/A' };
  expect(bundle).toMatchObject({ swagger: '2.0', definitions: { A: { description: 'One' } } });
  expect(reader).toMatchObject({
    openapi: expect.stringMatching(/^3\.0\./) as string,
    servers: [{ url: 'https://api.example/v1' }],
    paths: {
      '/a': { post: { requestBody: { required: true, content: { 'application/json': { schema } } } } },
    },
    components: {
      schemas: { A: { type: 'object', [html]: '<p>One</p>' } },
    },
  });
});

it('shows a document of 2.0 that cannot be converted as one without paths', async () => {
  const { reader, read } = await readerOf({
    swagger: '2.0',
    info: { title: 'T' },
    paths: { '/a': 'x' },
    definitions: { A: null },
  });
  expect(reader).toMatchObject({ openapi: expect.stringMatching(/^3\.0\./) as string });
  expect(read.isUsable).toBe(true);
});
