import {
  insertSpecVersion,
  OpenAPISpec,
  OpenAPISpecVersion,
  withTransaction,
  type OpenAPISpecRecord,
} from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildOrganization, buildSpec, buildSpecVersion, specDocuments } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend(
    'get',
    ({ api, organization, commenter }) =>
      (path: string, { token } = commenter, headers: Record<string, string> = {}) =>
        api.call('GET', `/v1/orgs/${organization._id}/openapi/${path}`, { token, headers }),
  )
  /** A specification with two versions. */
  .extend('buildVersions', ({ organization }) => async () => {
    const spec = await buildSpec(organization);
    const first = await buildSpecVersion(spec, { text: 'openapi: 3.1.0\n', format: 'yaml' });
    const second = await buildSpecVersion(spec, { text: '{"openapi":"3.1.1","info":"ü"}' });
    return { spec, first, second };
  })
  .extend(
    'published',
    ({ api }) =>
      (id: string, options = {}) =>
        api.call('GET', `/v1/openapi/${id}`, options),
  );

describe('versions of a specification', () => {
  it('are listed newest first', async ({ organization, get, buildVersions }) => {
    const { spec, first, second } = await buildVersions();
    const { status, body } = await get(`${spec.slug}/versions`);
    expect([status, body]).toEqual([
      200,
      {
        count: 2,
        items: [second, first].map((version) => ({
          object: 'openapi-spec-version',
          id: version._id,
          createdAt: version.createdAt.toISOString(),
          url: expect.stringContaining(
            `/files/${organization._id}/${version.document.blob}/${spec.slug}.${version.document.format}?signature=`,
          ),
          openapi: '3.1.0',
          title: 'Test',
          version: '1',
          counts: { operations: 0, webhooks: 0, schemas: 0 },
          findings: 0,
          urls: {
            location: `http://api.test/v1/orgs/${organization._id}/openapi/${spec.slug}/versions/${version._id}`,
          },
        })),
      },
    ]);
    const page = (await get(`${spec.slug}/versions?limit=1`)).body;
    expect(page.items).toEqual([body.items[0]]);
    expect((await get(`${spec.slug}/versions?limit=1&page=${page.next.page}`)).body.items).toEqual([
      body.items[1],
    ]);
  });

  it('the latest is the last one, and answers 404 before the first success', async ({
    organization,
    get,
    buildVersions,
  }) => {
    const { spec, second } = await buildVersions();
    expect((await get(`${spec.slug}/versions/latest`)).body.id).toBe(second._id);
    expect((await get(`${spec.slug}`)).body).toMatchObject({
      lastVersion: second._id,
      processingState: 'complete',
    });
    const empty = await buildSpec(organization);
    for (const path of ['', '/content', '/content/raw'])
      expect((await get(`${empty.slug}/versions/latest${path}`)).status).toBe(404);
    expect((await get(`${empty.slug}/versions/previous`)).status).toBe(404);
    expect((await get(`${empty.slug}/versions`)).body).toEqual({ count: 0, items: [] });
  });

  it('the previous is the one before the last', async ({ organization, get, buildVersions }) => {
    const { spec, first } = await buildVersions();
    expect((await get(`${spec.slug}/versions/previous`)).body.id).toBe(first._id);
    const single = await buildSpec(organization);
    await buildSpecVersion(single);
    expect((await get(`${single.slug}/versions/previous`)).status).toBe(404);
  });

  it('link their document at a URL that needs no token', async ({ api, get, buildVersions }) => {
    const { spec, first } = await buildVersions();
    const { url } = (await get(`${spec.slug}/versions/${first._id}`)).body;
    const answer = await api.call('GET', url);
    expect([answer.status, answer.text]).toEqual([200, 'openapi: 3.1.0\n']);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/yaml',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringContaining('attachment'),
    });
    expect((await api.call('GET', url.replace(first.document.blob, first.filesystem.blob))).status).toBe(404);
  });

  it('give their content as a list of files', async ({ api, organization, admin, commenter, get }) => {
    const files = [
      {
        filename: 'openapi.json',
        dir: '/',
        isEntrypoint: true,
        references: ['pet.json'],
        specification: { openapi: '3.1.0', $ref: './pet.json' },
      },
      {
        filename: 'pet.json',
        dir: '/',
        isEntrypoint: false,
        references: [],
        specification: { 'a.b': null, $x: [{}] },
      },
    ];
    const spec = await buildSpec(organization);
    const version = await buildSpecVersion(spec, { files });
    const { url } = (await get(`${spec.slug}/versions/latest`)).body;
    const latest = await get(`${spec.slug}/versions/latest/content`);
    expect(latest.body).toEqual({ filesystem: files, url, urls: { source: url, public: null } });
    expect((await get(`${spec.slug}/versions/${version._id}/content`)).body).toEqual(latest.body);
    const tag = latest.headers.get('etag') ?? '';
    expect(
      (await get(`${spec.slug}/versions/latest/content`, commenter, { 'if-none-match': tag })).status,
    ).toBe(304);
    await api.call('PATCH', `/v1/orgs/${organization._id}/openapi/${spec.slug}`, {
      token: admin.token,
      json: { visibility: 'public' },
    });
    const opened = await get(`${spec.slug}/versions/latest/content`, commenter, { 'if-none-match': tag });
    expect([opened.status, opened.body?.urls.public]).toEqual([
      200,
      `http://api.test/v1/openapi/${spec._id}`,
    ]);
  });

  it('the latest can be read as it was received', async ({ get, buildVersions }) => {
    const { spec, second } = await buildVersions();
    const answer = await get(`${spec.slug}/versions/latest/content/raw`);
    expect(answer.body).toEqual({ text: '{"openapi":"3.1.1","info":"ü"}', format: 'json' });
    expect(answer.headers.get('etag')).toBe(`"${second.document.blob}"`);
  });

  it('of another specification are not found, nor any by another organization', async ({
    get,
    buildVersions,
  }) => {
    const { spec } = await buildVersions();
    const { second: foreign } = await buildVersions();
    for (const id of [foreign._id, 'nothing', '%00', '__proto__'])
      for (const path of ['', '/content'])
        expect((await get(`${spec.slug}/versions/${id}${path}`)).status).toBe(404);
    const outsider = (await buildOrganization()).admin;
    for (const path of ['', '/latest', '/latest/content', '/latest/content/raw'])
      expect((await get(`${spec.slug}/versions${path}`, outsider)).status).toBe(404);
  });
});

describe('GET /v1/openapi/{specId}', () => {
  it('serves the last document of a public specification to everyone', async ({
    api,
    get,
    buildVersions,
    published,
  }) => {
    const { spec, first } = await buildVersions();
    await OpenAPISpec.updateOne({ _id: spec._id }, { $set: { visibility: 'public' } });
    const { urls } = (await get(spec.slug)).body;
    const answer = await api.call('GET', urls.published);
    expect([answer.status, answer.text]).toEqual([200, '{"openapi":"3.1.1","info":"ü"}']);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': `attachment; filename*=UTF-8''${spec.slug}.json`,
      'cache-control': 'public, no-cache',
      'access-control-allow-origin': '*',
    });
    expect(
      (await published(spec._id, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } })).status,
    ).toBe(304);
    const head = await api.call('HEAD', urls.published);
    expect([head.status, head.text]).toEqual([200, '']);
    const part = await api.open('GET', urls.published, { headers: { range: 'bytes=0-8' } });
    expect([part.status, await part.text()]).toEqual([206, '{"openapi']);
    // The last one, whichever that is.
    await OpenAPISpec.updateOne({ _id: spec._id }, { $set: { lastVersion: first._id } });
    expect((await published(spec._id)).text).toBe('openapi: 3.1.0\n');
  });

  it('hides private and unprocessed specifications, also from their admins', async ({
    organization,
    admin,
    buildVersions,
    published,
  }) => {
    const { spec } = await buildVersions();
    const unprocessed = await buildSpec(organization, { visibility: 'public' });
    for (const id of [spec._id, unprocessed._id, spec.slug, 'nothing', '%00']) {
      const { status, body } = await published(id, { token: admin.token });
      expect([status, body.error.message]).toEqual([
        404,
        expect.stringMatching(/^No (public specification|spec)/),
      ]);
    }
  });
});

describe('insertSpecVersion', () => {
  const content = { contentHash: 'a', ...specDocuments() };
  const insert = (spec: OpenAPISpecRecord, fields = {}) =>
    withTransaction((session) =>
      insertSpecVersion({ spec: spec._id, sourceRevision: 1, ...content, ...fields }, session),
    );

  it('stores a version only when the content has changed', async ({ organization }) => {
    const spec = await buildSpec(organization);
    const first = await insert(spec);
    const again = await insert(spec);
    expect([first?.isNew, again?.isNew, again?.version._id]).toEqual([true, false, first?.version._id]);
    const changed = await insert(spec, { contentHash: 'b' });
    expect(changed?.isNew).toBe(true);
    expect(await OpenAPISpecVersion.countDocuments({ spec: spec._id })).toBe(2);
    const record = await OpenAPISpec.findById(spec._id).lean<OpenAPISpecRecord>();
    expect(record).toMatchObject({ lastVersion: changed?.version._id, version: 1 });
    expect(record?.lastProcessedAt?.getTime()).toBeGreaterThan(first?.version.createdAt.getTime() ?? 0);
    // Earlier content comes back as a version of its own.
    expect((await insert(spec))?.isNew).toBe(true);
  });

  it('stores nothing for an older source or a deleted specification', async ({ organization }) => {
    const spec = await buildSpec(organization);
    expect(await insert(spec, { sourceRevision: 2 })).toBeUndefined();
    expect(await insert({ ...spec, _id: 'gone' })).toBeUndefined();
    expect(await OpenAPISpecVersion.countDocuments({ spec: spec._id })).toBe(0);
  });
});
