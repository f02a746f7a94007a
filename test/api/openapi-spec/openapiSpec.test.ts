import { jobCollection, OpenAPISpec, OpenAPISpecVersion, type OpenAPISpecRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildMember, buildOrganization, buildSpec, buildSpecVersion } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const url = 'https://specs.example.org/petstore.json';

// Room for all jobs of this file, so that none of them waits in MongoDB.
const it = base
  .extend('environment', { scope: 'file' }, { BINDERY_QUEUE_WINDOW: '10000' })
  .extend('base', ({ organization }) => `/v1/orgs/${organization._id}/openapi`)
  .extend(
    'call',
    ({ api, creator, base }) =>
      (method: string, path: string, json?: unknown, { token } = creator) =>
        api.call(method, `${base}${path}`, { token, ...(json !== undefined && { json }) }),
  )
  .extend(
    'create',
    ({ creator, call }) =>
      (slug: string, source: unknown = { url }, user = creator) =>
        call('POST', '', { slug, source }, user),
  )
  .extend(
    'stored',
    ({ organization }) =>
      async (slug: string) =>
        OpenAPISpec.findOne({ organization: organization._id, slug }).lean<OpenAPISpecRecord>(),
  );

describe('POST /v1/orgs/{organizationId}/openapi', () => {
  it('adds a specification that waits for its worker, and names the job', async ({
    api,
    organization,
    reader,
    create,
  }) => {
    const { status, body, headers } = await create('petstore');
    expect([status, body]).toEqual([
      200,
      {
        object: 'openapi-spec',
        id: expect.any(String),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        slug: 'petstore',
        sourceURL: url,
        refresh: { nextAt: expect.any(String) },
        processingState: 'pending',
        visibility: 'private',
        lastProcessedErrorCount: 0,
        permissions: { view: true, edit: true },
        urls: {
          location: `http://api.test/v1/orgs/${organization._id}/openapi/petstore`,
          app: `http://api.test/o/${organization._id}/openapi/petstore`,
        },
      },
    ]);
    const job = await api.call('GET', `/v1/jobs/${headers.get('x-job-id')}`, { token: reader.token });
    expect(headers.get('link')).toBe(`<http://api.test/v1/jobs/${job.body.id}>; rel="monitor"`);
    expect(job.body).toMatchObject({
      kind: 'openapi-processing',
      state: 'queued',
      subject: { type: 'openapi-spec', id: body.id },
      waiting: { reason: 'no_worker' },
    });
    expect((await jobCollection().findOne({ _id: job.body.id }))?.input).toEqual({
      specId: body.id,
      sourceRevision: 1,
    });
  });

  it.for(
    [
      'A',
      'a_b',
      '-a',
      'a-',
      'a--b',
      '',
      'a'.repeat(101),
      '__proto__',
      '..',
      'a/b',
      'ä',
      'a b',
      'constructor()',
      'a\n',
      5,
      null,
      undefined,
    ].map((slug) => [slug]),
  )('refuses the slug %j', async ([slug], { create }) => {
    const { status, body } = await create(slug as string);
    expect([status, body.error.details[0].path]).toEqual([400, 'body.slug']);
  });

  it.for(['latest', 'versions', 'content', 'openapi', '0', 'constructor', 'a'.repeat(100), '1-2-3'])(
    'takes the slug %s on all routes',
    async (slug, { call, create, stored }) => {
      expect((await create(slug)).status).toBe(200);
      const spec = await stored(slug);
      expect((await call('GET', `/${slug}`)).body.id).toBe(spec?._id);
      expect((await call('GET', `/${slug}/versions/latest`)).status).toBe(404);
      const version = await buildSpecVersion(spec as OpenAPISpecRecord);
      for (const path of ['/versions/latest', `/versions/${version._id}`])
        expect((await call('GET', `/${slug}${path}`)).body.id).toBe(version._id);
      for (const path of [
        '',
        '/versions',
        '/versions/latest/content',
        '/versions/latest/content/raw',
        `/versions/${version._id}/content`,
      ])
        expect([path, (await call('GET', `/${slug}${path}`)).status]).toEqual([path, 200]);
      expect((await call('PATCH', `/${slug}`, { visibility: 'private' })).status).toBe(200);
      expect((await call('PUT', `/${slug}`, { source: { url } })).status).toBe(200);
      expect((await call('DELETE', `/${slug}`)).status).toBe(204);
      expect((await call('GET', `/${slug}`)).status).toBe(404);
    },
  );

  it('refuses a slug that is in use, also when many requests arrive at once', async ({
    api,
    outsider,
    call,
    create,
    stored,
  }) => {
    const before = (await call('GET', '')).body.count;
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('only-once')));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 409),
    ]);
    expect((await call('GET', '')).body.count).toBe(before + 1);
    const spec = await stored('only-once');
    expect(await jobCollection().countDocuments({ 'subject.id': spec?._id ?? '' })).toBe(1);
    expect(
      await api.call('POST', `/v1/orgs/${(await buildOrganization()).organization._id}/openapi`, {
        token: outsider.token,
      }),
    ).toMatchObject({ status: 404 });
  });

  it('needs organization.createOpenAPISpec', async ({
    organization,
    admin,
    reader,
    commenter,
    outsider,
    create,
  }) => {
    for (const user of [reader, commenter, await buildMember(organization, 'review')]) {
      const { status, body } = await create('refused', { url }, user);
      expect([status, body.error.message]).toEqual([
        403,
        expect.stringContaining('organization.createOpenAPISpec'),
      ]);
    }
    expect((await create('refused', { url }, outsider)).status).toBe(404);
    expect((await create('by-admin', { url }, admin)).status).toBe(200);
  });

  it.for([
    ['a URL', { url }, { url: `${url}?other` }],
    ['a large text', { text: `{"x":"${'a'.repeat(1_100_000)}"}` }, { text: 'b'.repeat(1_100_000) }],
  ] as const)(
    'is carried out once for one Idempotency-Key, with %s',
    async ([name, source, other], { api, creator, base }) => {
      const slug = `once-by-key-${name.replaceAll(' ', '-').toLowerCase()}`;
      const send = (json: object) =>
        api.call('POST', base, { token: creator.token, json, headers: { 'idempotency-key': slug } });
      const first = await send({ slug, source });
      const again = await send({ slug, source });
      expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
      expect(again.headers.get('x-job-id')).toBe(first.headers.get('x-job-id'));
      expect((await send({ slug, source: other })).body.error.type).toBe('idempotency_mismatch');
    },
  );

  it('refuses fields that callers may not set', async ({ call, stored }) => {
    for (const field of ['id', 'visibility', 'organization', 'lastVersion', 'permissions'])
      expect(
        (await call('POST', '', { slug: 'fields', source: { url }, [field]: 'public' })).body.error.details[0]
          .path,
      ).toBe(`body.${field}`);
    expect((await call('POST', '', { slug: 'fields', source: { url, blob: 'x' } })).status).toBe(400);
    expect(await stored('fields')).toBeNull();
  });
});

describe('GET, PATCH and DELETE /v1/orgs/{organizationId}/openapi/{specSlug}', () => {
  it('finds it by slug and by id, a slug before an id', async ({ organization, call }) => {
    const spec = await buildSpec(organization);
    const imitation = await buildSpec(organization, { slug: `${spec._id.toLowerCase()}` });
    expect((await call('GET', `/${spec._id}`)).body.slug).toBe(spec.slug);
    await OpenAPISpec.updateOne({ _id: imitation._id }, { $set: { slug: spec._id } });
    expect((await call('GET', `/${spec._id}`)).body.id).toBe(imitation._id);
  });

  it('is visible to every member, and hidden from other organizations', async ({
    api,
    organization,
    admin,
    reader,
    commenter,
    outsider,
    call,
  }) => {
    const spec = await buildSpec(organization);
    for (const user of [reader, commenter])
      expect((await call('GET', `/${spec.slug}`, undefined, user)).body.permissions).toEqual({
        view: true,
        edit: false,
      });
    expect((await call('GET', `/${spec.slug}`, undefined, outsider)).status).toBe(404);
    const elsewhere = (await buildOrganization()).organization;
    expect(
      (await api.call('GET', `/v1/orgs/${elsewhere._id}/openapi/${spec._id}`, { token: admin.token })).status,
    ).toBe(404);
    for (const odd of ['nothing', '%2e%2e', '__proto__', '%00', 'A', '%ED%A0%80'])
      expect([odd, (await call('GET', `/${odd}`)).status]).toEqual([odd, 404]);
  });

  it('lists the specifications of the organization, newest first, page by page', async ({ api }) => {
    const { organization: own, admin: owner } = await buildOrganization();
    const slugs = ['one', 'two', 'three'];
    for (const slug of slugs) await buildSpec(own, { slug });
    const list = (query: string) =>
      api.call('GET', `/v1/orgs/${own._id}/openapi${query}`, { token: owner.token });
    const first = (await list('?limit=2')).body;
    expect(first).toMatchObject({ count: 3, items: [{ slug: 'three' }, { slug: 'two' }] });
    expect((await list(`?limit=2&page=${first.next.page}`)).body).toEqual({
      count: 3,
      items: [expect.objectContaining({ slug: 'one' })],
    });
    expect((await list('?limit=0')).body).toEqual({ count: 3, items: [] });
    for (const query of ['?limit=1001', '?limit=-1', '?limit=abc', '?page=x'])
      expect((await list(query)).status).toBe(400);
  });

  it('makes it public and private again', async ({ organization, call }) => {
    const spec = await buildSpec(organization);
    const opened = await call('PATCH', `/${spec.slug}`, { visibility: 'public' });
    expect(opened.body).toMatchObject({
      visibility: 'public',
      urls: {
        published: `http://api.test/v1/openapi/${spec._id}`,
        json: `http://api.test/v1/openapi/${spec._id}/openapi.json`,
        yaml: `http://api.test/v1/openapi/${spec._id}/openapi.yaml`,
        reference: `http://api.test/v1/openapi/${spec._id}/reference`,
      },
    });
    expect(Date.parse(opened.body.updatedAt)).toBeGreaterThan(spec.updatedAt.getTime());
    const again = await call('PATCH', `/${spec.slug}`, { visibility: 'public' });
    expect(again.body).toEqual(opened.body);
    const closed = await call('PATCH', `/${spec.slug}`, { visibility: 'private' });
    expect(Object.keys(closed.body.urls)).toEqual(['location', 'app']);
  });

  it.for([{ visibility: 'secret' }, {}, { visibility: null }, [], { visibility: 'PUBLIC' }])(
    'refuses to change it to %j',
    async (change, { organization, call }) => {
      const spec = await buildSpec(organization);
      expect((await call('PATCH', `/${spec.slug}`, change)).status).toBe(400);
    },
  );

  it('changes only the state that If-Match names', async ({ api, organization, creator, base, call }) => {
    const spec = await buildSpec(organization);
    const tag = (await call('GET', `/${spec.slug}`)).headers.get('etag') ?? '';
    const patch = (headers: Record<string, string>, visibility: string) =>
      api.call('PATCH', `${base}/${spec.slug}`, { token: creator.token, json: { visibility }, headers });
    expect((await patch({ 'if-match': tag }, 'public')).status).toBe(200);
    expect((await patch({ 'if-match': tag }, 'private')).status).toBe(412);
    expect((await patch({ 'if-match': tag }, 'public')).status).toBe(412);
  });

  it('removes it with its versions, and stops its jobs', async ({
    api,
    organization,
    admin,
    call,
    create,
  }) => {
    const spec = await buildSpec(organization);
    await buildSpecVersion(spec);
    const job = (await call('PUT', `/${spec.slug}`, { source: { url } })).headers.get('x-job-id') ?? '';
    expect((await call('DELETE', `/${spec.slug}`)).status).toBe(204);
    expect(await OpenAPISpecVersion.countDocuments({ spec: spec._id })).toBe(0);
    expect((await jobCollection().findOne({ _id: job }))?.state).toBe('cancelled');
    expect((await api.call('GET', `/v1/jobs/${job}`, { token: admin.token })).status).toBe(404);
    const jobs = await api.call('GET', `/v1/orgs/${organization._id}/jobs?subject=${spec._id}`, {
      token: admin.token,
    });
    expect(jobs.body).toEqual({ count: 0, items: [] });
    expect((await call('DELETE', `/${spec.slug}`)).status).toBe(204);
    // The slug is free again.
    expect((await create(spec.slug)).status).toBe(200);
  });

  it('needs openapi.edit to change or remove it', async ({
    organization,
    reader,
    commenter,
    outsider,
    call,
  }) => {
    const spec = await buildSpec(organization);
    for (const [method, json] of [
      ['PATCH', { visibility: 'public' }],
      ['DELETE', undefined],
    ] as const) {
      for (const user of [reader, commenter]) {
        const { status, body } = await call(method, `/${spec.slug}`, json, user);
        expect([status, body.error.message]).toEqual([403, expect.stringContaining('openapi.edit')]);
      }
      expect((await call(method, `/${spec.slug}`, json, outsider)).status).toBe(404);
    }
    expect((await call('GET', `/${spec.slug}`)).body.visibility).toBe('private');
  });
});
