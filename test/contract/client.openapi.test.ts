import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildOrganization, buildSpec, buildSpecVersion } from '../support/factories.ts';
import { startClient, type ClientHarness } from './clientHarness.ts';

let client: ClientHarness;
let organization: string;

beforeAll(async () => {
  client = await startClient();
  organization = client.organization._id;
});
afterAll(() => client.close());

const source = { url: 'https://me:secret@specs.example.org/petstore.json' };

describe('the published client', () => {
  it('adds, reads, changes and removes a specification', async () => {
    const { data: spec } = await client.call('createOpenAPISpec', [organization, { slug: 'petstore', source }]);
    await client.call('createOpenAPISpec', [organization, { slug: 'from-text', source: { text: 'openapi: 3.1.0' } }]);
    await client.call('getOpenAPISpecBySlug', [organization, spec.slug]);
    await client.call('listOpenAPISpecs', [organization, { limit: 1 }]);
    await client.call('createOrUpdateOpenAPISpecBySlug', [organization, 'petstore', { source }]);
    await client.call('createOrUpdateOpenAPISpecBySlug', [organization, 'another', { source: { text: '{}' } }]);
    await client.call('updateOpenAPISpecBySlug', [organization, 'petstore', { visibility: 'public' }]);
    await client.call('getOpenAPISpecBySlug', [organization, 'petstore']);
    await client.call('deleteOpenAPISpecBySlug', [organization, 'another']);
    await client.call('deleteOpenAPISpecBySlug', [organization, 'another']);
    await client.call('listOpenAPISpecs', [organization]);
    client.expectValid(
      ...['createOpenAPISpec', 'getOpenAPISpecBySlug', 'listOpenAPISpecs', 'createOrUpdateOpenAPISpecBySlug'],
      ...['updateOpenAPISpecBySlug', 'deleteOpenAPISpecBySlug'],
    );
  });

  it('reads versions and their content', async () => {
    const spec = await buildSpec(client.organization, { slug: 'versions', visibility: 'public' });
    const files = [
      { filename: 'a.yaml', dir: '/', isEntrypoint: true, references: ['b.yaml'], specification: { openapi: '3.1.0' } },
      { filename: 'b.yaml', dir: '/', isEntrypoint: false, references: [], specification: {} },
    ];
    const version = await buildSpecVersion(spec, { text: 'openapi: 3.1.0', format: 'yaml', files });
    await buildSpecVersion(spec);
    await client.call('listOpenAPISpecVersions', [organization, spec.slug, { limit: 1 }]);
    await client.call('getLatestOpenAPISpecVersion', [organization, spec.slug]);
    await client.call('getLatestOpenAPISpecVersionContent', [organization, spec.slug]);
    await client.call('getLatestOpenAPISpecVersionContentRaw', [organization, spec.slug]);
    await client.call('getOpenAPISpecVersionById', [organization, spec.slug, version._id]);
    const { data } = await client.call('getOpenAPISpecVersionContentById', [organization, spec.slug, version._id]);
    expect(data.filesystem).toEqual(files);
    await client.call('getOpenAPISpecBySlug', [organization, spec.slug]);
    await buildSpecVersion(await buildSpec(client.organization, { slug: 'private' }));
    await client.call('getLatestOpenAPISpecVersionContent', [organization, 'private']);
    client.expectValid(
      ...['listOpenAPISpecVersions', 'getLatestOpenAPISpecVersion', 'getLatestOpenAPISpecVersionContent'],
      ...['getLatestOpenAPISpecVersionContentRaw', 'getOpenAPISpecVersionById', 'getOpenAPISpecVersionContentById', 'getOpenAPISpecBySlug'],
    );
  });

  it('reads what a processing that failed left', async () => {
    await buildSpec(client.organization, {
      slug: 'failed',
      lastProcessedAt: new Date(),
      lastProcessErrorCode: 'PARSE_ERROR',
      lastProcessedErrors: [{ message: 'It has no paths.', code: 'no_paths' }, { message: 'It has no title.' }],
    });
    const { data } = await client.call('getOpenAPISpecBySlug', [organization, 'failed']);
    expect(data).toMatchObject({ lastProcessErrorCode: 'PARSE_ERROR', lastProcessedErrorCount: 2 });
    client.expectValid('getOpenAPISpecBySlug');
  });

  it('is told why it was refused', async () => {
    const { admin: outsider } = await buildOrganization();
    expect(await client.refused('createOpenAPISpec', [organization, { slug: 'A', source }])).toMatchObject({ code: 400 });
    expect(await client.refused('createOpenAPISpec', [organization, { slug: 'petstore', source }])).toMatchObject({ code: 409 });
    expect(await client.refused('getOpenAPISpecBySlug', [organization, 'petstore'], { token: outsider.token })).toMatchObject({
      code: 404,
    });
    expect(await client.refused('getLatestOpenAPISpecVersion', [organization, 'petstore'])).toMatchObject({ code: 404 });
    expect(await client.refused('updateOpenAPISpecBySlug', [organization, 'petstore', { visibility: 'secret' }])).toMatchObject({
      code: 400,
    });
    client.expectValid('createOpenAPISpec', 'getOpenAPISpecBySlug', 'getLatestOpenAPISpecVersion', 'updateOpenAPISpecBySlug');
  });
});
