import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareSpecifications } from '@bindery/openapi-diff';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readUsable } from './localSpecification.ts';

const examples = join(import.meta.dirname, '../../../../../node_modules/@readme/oas-examples/2.0/json');

/** Everything that OpenAPI 3 writes in another way. */
const everything = {
  swagger: '2.0',
  info: { title: 'Everything', version: '1' },
  host: 'api.example.org',
  basePath: '/v1',
  schemes: ['https'],
  consumes: ['application/json'],
  produces: ['application/json', 'application/xml'],
  securityDefinitions: {
    basic: { type: 'basic' },
    oauth: {
      type: 'oauth2',
      flow: 'accessCode',
      authorizationUrl: 'https://api.example.org/authorize',
      tokenUrl: 'https://api.example.org/token',
      scopes: { read: 'Reads.' },
    },
  },
  security: [{ basic: [] }],
  parameters: { Limit: { name: 'limit', in: 'query', type: 'integer', maximum: 100 } },
  responses: { Missing: { description: 'Missing.', schema: { $ref: '#/definitions/Problem' } } },
  definitions: {
    Problem: {
      type: 'object',
      required: ['kind'],
      discriminator: 'kind',
      properties: { kind: { type: 'string' } },
    },
    Pet: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', 'x-nullable': true },
        tags: { type: 'array', items: { type: 'string' } },
      },
    },
  },
  paths: {
    '/pets': {
      get: {
        security: [{ oauth: ['read'] }],
        parameters: [
          { $ref: '#/parameters/Limit' },
          { name: 'tags', in: 'query', type: 'array', items: { type: 'string' }, collectionFormat: 'multi' },
          { name: 'ids', in: 'query', type: 'array', items: { type: 'integer' }, collectionFormat: 'pipes' },
          { name: 'X-Trace', in: 'header', type: 'array', items: { type: 'string' } },
        ],
        responses: {
          200: {
            description: 'Pets.',
            schema: { type: 'array', items: { $ref: '#/definitions/Pet' } },
            headers: { 'X-Total': { type: 'integer' } },
            examples: { 'application/json': [] },
          },
          404: { $ref: '#/responses/Missing' },
        },
      },
      post: {
        parameters: [{ name: 'pet', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } }],
        responses: { 201: { description: 'Made.' } },
      },
    },
    '/pets/{id}/photo': {
      parameters: [{ name: 'id', in: 'path', required: true, type: 'string', format: 'uuid' }],
      put: {
        consumes: ['multipart/form-data'],
        parameters: [
          { name: 'photo', in: 'formData', type: 'file', required: true },
          { name: 'caption', in: 'formData', type: 'string' },
        ],
        responses: { 204: { description: 'Stored.' } },
      },
    },
  },
};

describe('a Swagger 2.0 document against its upgrade to OpenAPI 3', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-upgraded-'));
    await writeFile(join(folder, 'everything.json'), JSON.stringify(everything));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('has no change, in either direction', async () => {
    const files = [
      join(folder, 'everything.json'),
      ...(await readdir(examples)).map((name) => join(examples, name)),
    ];
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      const { reader } = await readUsable(file);
      const upgraded = join(folder, 'upgraded.json');
      await writeFile(upgraded, reader);
      const document = JSON.parse(reader) as object;
      expect(document, file).toHaveProperty('openapi');
      const again = JSON.parse((await readUsable(upgraded)).reader) as object;
      expect(compareSpecifications(document, again).changes, file).toEqual([]);
      expect(compareSpecifications(again, document).changes, file).toEqual([]);
    }
  });
});
