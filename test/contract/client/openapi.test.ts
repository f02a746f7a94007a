import { describe, expect } from 'vitest';
import { buildOrganization, buildSpec, buildSpecVersion } from '../../support/factories.ts';
import { it } from './clientHarness.ts';

const source = { url: 'https://me:secret@specs.example.org/petstore.json' };

describe('the published client', () => {
  it('adds, reads, changes and removes a specification', async ({ client, organization }) => {
    const { data: spec } = await client.call('createOpenAPISpec', [
      organization._id,
      { slug: 'petstore', source },
    ]);
    await client.call('createOpenAPISpec', [
      organization._id,
      { slug: 'from-text', source: { text: 'openapi: 3.1.0' } },
    ]);
    await client.call('getOpenAPISpecBySlug', [organization._id, spec.slug]);
    await client.call('listOpenAPISpecs', [organization._id, { limit: 1 }]);
    await client.call('createOrUpdateOpenAPISpecBySlug', [organization._id, 'petstore', { source }]);
    await client.call('createOrUpdateOpenAPISpecBySlug', [
      organization._id,
      'another',
      { source: { text: '{}' } },
    ]);
    await client.call('updateOpenAPISpecBySlug', [organization._id, 'petstore', { visibility: 'public' }]);
    await client.call('getOpenAPISpecBySlug', [organization._id, 'petstore']);
    await client.call('deleteOpenAPISpecBySlug', [organization._id, 'another']);
    await client.call('deleteOpenAPISpecBySlug', [organization._id, 'another']);
    await client.call('listOpenAPISpecs', [organization._id]);
    client.expectValid(
      ...['createOpenAPISpec', 'getOpenAPISpecBySlug', 'listOpenAPISpecs', 'createOrUpdateOpenAPISpecBySlug'],
      ...['updateOpenAPISpecBySlug', 'deleteOpenAPISpecBySlug'],
    );
  });

  it('reads versions and their content', async ({ client, organization }) => {
    const spec = await buildSpec(organization, { slug: 'versions', visibility: 'public' });
    const files = [
      {
        filename: 'a.yaml',
        dir: '/',
        isEntrypoint: true,
        references: ['b.yaml'],
        specification: { openapi: '3.1.0' },
      },
      { filename: 'b.yaml', dir: '/', isEntrypoint: false, references: [], specification: {} },
    ];
    const version = await buildSpecVersion(spec, { text: 'openapi: 3.1.0', format: 'yaml', files });
    await buildSpecVersion(spec);
    await client.call('listOpenAPISpecVersions', [organization._id, spec.slug, { limit: 1 }]);
    await client.call('getLatestOpenAPISpecVersion', [organization._id, spec.slug]);
    await client.call('getLatestOpenAPISpecVersionContent', [organization._id, spec.slug]);
    await client.call('getLatestOpenAPISpecVersionContentRaw', [organization._id, spec.slug]);
    await client.call('getOpenAPISpecVersionById', [organization._id, spec.slug, version._id]);
    const { data } = await client.call('getOpenAPISpecVersionContentById', [
      organization._id,
      spec.slug,
      version._id,
    ]);
    expect(data.filesystem).toEqual(files);
    await client.call('getOpenAPISpecBySlug', [organization._id, spec.slug]);
    await buildSpecVersion(await buildSpec(organization, { slug: 'private' }));
    await client.call('getLatestOpenAPISpecVersionContent', [organization._id, 'private']);
    client.expectValid(
      ...['listOpenAPISpecVersions', 'getLatestOpenAPISpecVersion', 'getLatestOpenAPISpecVersionContent'],
      ...[
        'getLatestOpenAPISpecVersionContentRaw',
        'getOpenAPISpecVersionById',
        'getOpenAPISpecVersionContentById',
        'getOpenAPISpecBySlug',
      ],
    );
  });

  it('reads the errors of a failed processing', async ({ client, organization }) => {
    await buildSpec(organization, {
      slug: 'failed',
      lastProcessedAt: new Date(),
      lastProcessErrorCode: 'PARSE_ERROR',
      lastProcessedErrors: [
        { message: 'It has no paths.', code: 'no_paths' },
        { message: 'It has no title.' },
      ],
    });
    const { data } = await client.call('getOpenAPISpecBySlug', [organization._id, 'failed']);
    expect(data).toMatchObject({ lastProcessErrorCode: 'PARSE_ERROR', lastProcessedErrorCount: 2 });
    client.expectValid('getOpenAPISpecBySlug');
  });

  it('gets the declared errors', async ({ client, organization }) => {
    const { admin: outsider } = await buildOrganization();
    expect(
      await client.refused('createOpenAPISpec', [organization._id, { slug: 'A', source }]),
    ).toMatchObject({ code: 400 });
    expect(
      await client.refused('createOpenAPISpec', [organization._id, { slug: 'petstore', source }]),
    ).toMatchObject({ code: 409 });
    expect(
      await client.refused('getOpenAPISpecBySlug', [organization._id, 'petstore'], { token: outsider.token }),
    ).toMatchObject({
      code: 404,
    });
    expect(await client.refused('getLatestOpenAPISpecVersion', [organization._id, 'petstore'])).toMatchObject(
      { code: 404 },
    );
    expect(
      await client.refused('updateOpenAPISpecBySlug', [
        organization._id,
        'petstore',
        { visibility: 'secret' },
      ]),
    ).toMatchObject({
      code: 400,
    });
    client.expectValid(
      'createOpenAPISpec',
      'getOpenAPISpecBySlug',
      'getLatestOpenAPISpecVersion',
      'updateOpenAPISpecBySlug',
    );
  });
});
