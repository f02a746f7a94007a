import { Site, SiteRedirect, SiteSpace, type SiteSpaceRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { newRedirect } from '../../../apps/api/src/resources/site-redirect/changeRedirects.ts';
import {
  buildOrganization,
  buildRevision,
  buildSection,
  buildSite,
  buildSiteRedirect,
  buildSiteSpace,
  buildSpace,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

// Of all organizations there are.
const hostname = newId().toLowerCase();

const page = { id: newId(), title: 'Start', path: 'start' };

const external = { kind: 'external', url: 'https://example.org/new' };

const it = base
  .extend('home', { scope: 'file' }, ({ api: _started }) => buildOrganization({ hostname }))
  .extend('space', async ({ organization }) => {
    const space = await buildSpace(organization);
    await buildRevision(space, { pages: [{ title: 'Home', path: 'home' }, page] });
    return space;
  })
  .extend('site', ({ organization, space }) => buildSite(organization, { spaces: [space] }))
  .extend('siteSpace', ({ site }) => SiteSpace.findOne({ site: site._id }).orFail().lean<SiteSpaceRecord>())
  .extend(
    'siteUrl',
    ({ organization, site }) =>
      (path = '') =>
        `/v1/orgs/${organization._id}/sites/${site._id}${path}`,
  )
  .extend(
    'call',
    ({ api, creator, siteUrl }) =>
      (method: string, path = '', json?: unknown, { token } = creator) =>
        api.call(method, siteUrl(`/redirects${path}`), { token, ...(json !== undefined && { json }) }),
  )
  .extend(
    'post',
    ({ call }) =>
      (json: object) =>
        call('POST', '', { source: `/${newId()}`, destination: external, ...json }),
  )
  .extend(
    'ownUrl',
    ({ api, creator, siteUrl }) =>
      async () =>
        (await api.call('GET', siteUrl('/publishing/preview'), { token: creator.token })).body.url.replace(
          /\/preview\..*/,
          '',
        ),
  );

describe('POST .../redirects', () => {
  it('creates a live redirect', async ({ call, post }) => {
    const { status, body } = await post({ source: '/old/page' });
    expect([status, body]).toEqual([
      201,
      {
        object: 'site-redirect',
        id: expect.any(String),
        source: '/old/page',
        draft: false,
        captureWildcard: false,
        permanent: false,
        destination: external,
        createdAt: expect.any(String),
      },
    ]);
    expect((await call('GET')).body.items).toEqual([body]);
  });

  it.for([
    ['a page', (siteSpaceId: string) => ({ kind: 'site-page', siteSpaceId, pageId: page.id })],
    ['a site space', (siteSpaceId: string) => ({ kind: 'site-space', siteSpaceId })],
    ['another site', () => ({ kind: 'external', url: 'http://example.org/a?b=c#d' })],
  ] as const)('leads to %s', async ([, destinationOf], { siteSpace, post }) => {
    const destination = destinationOf(siteSpace._id);
    const { status, body } = await post({ destination, permanent: true, captureWildcard: true, draft: true });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ destination, permanent: true, captureWildcard: true, draft: true }),
    ]);
  });

  it('leads to a section, and to the page that a path names', async ({
    organization,
    site,
    siteSpace,
    post,
  }) => {
    const destination = { kind: 'path', spaceId: siteSpace.space, path: '/start/' };
    expect((await post({ destination })).body.destination).toEqual({
      kind: 'site-page',
      siteSpaceId: siteSpace._id,
      pageId: page.id,
    });
    const section = await buildSection(site, { space: await buildSpace(organization), title: 'API' });
    const toSection = { kind: 'site-section', siteSectionId: section._id };
    expect((await post({ destination: toSection })).body.destination).toEqual(toSection);
  });

  it('allows one redirect and one draft for a path, however it is written', async ({
    api,
    organization,
    creator,
    post,
  }) => {
    await post({ source: '/caf%C3%A9' });
    for (const source of ['/caf%C3%A9', '/caf%c3%a9', '/cafe%CC%81'])
      expect((await post({ source })).status).toBe(409);
    expect((await post({ source: '/caf%C3%A9', draft: true })).status).toBe(201);
    expect((await post({ source: '/caf%C3%A9', draft: true })).status).toBe(409);
    expect((await post({ source: '/caf%C3%A9*' })).status).toBe(201);
    const { _id: id, organization: inside } = await buildSite(organization);
    expect(
      (
        await api.call('POST', `/v1/orgs/${inside}/sites/${id}/redirects`, {
          token: creator.token,
          json: { source: '/caf%C3%A9', destination: external },
        })
      ).status,
    ).toBe(201);
  });

  it('creates one redirect when many requests for the same path arrive at once', async ({ post }) => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => post({ source: '/same' })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 409, 409, 409, 409, 409,
    ]);
  });

  it.for(
    [
      ...[
        '',
        '/',
        'old',
        '/a//b',
        '/a/',
        '/a b',
        '/a?b=c',
        '/a#b',
        '/%',
        '/%zz',
        '/*',
        '/a*b',
        '/a/*/b',
        '/a**',
        '/é',
        'https://example.org/a',
      ],
      ...[`/${'a'.repeat(512)}`, '/a\0', null, 5, ['/a']],
    ].map((source) => [source]),
  )('refuses the source %j', async ([source], { post }) => {
    const { status, body } = await post({ source });
    expect([status, body.error.details?.[0].path]).toEqual([400, 'body.source']);
  });

  it.for([
    [undefined, 'body.destination'],
    [null, 'body.destination'],
    [{ kind: 'page' }, 'body.destination.kind'],
    [{ kind: 'external', url: 'javascript:alert(1)' }, 'body.destination.url'],
    [{ kind: 'external', url: '/path' }, 'body.destination.url'],
    [{ kind: 'external', url: 'https://a:b@example.org' }, 'body.destination.url'],
    [{ kind: 'site-page', siteSpaceId: 'x' }, 'body.destination.pageId'],
    [{ kind: 'site-space', siteSpaceId: 'unknown' }, 'body.destination.siteSpaceId'],
    [{ kind: 'site-page', siteSpaceId: 'unknown', pageId: 'x' }, 'body.destination.siteSpaceId'],
    [{ kind: 'site-section', siteSectionId: 'unknown' }, 'body.destination.siteSectionId'],
    [{ kind: 'path', spaceId: 'unknown', path: 'start' }, 'body.destination.spaceId'],
  ] as const)('refuses the destination %j', async ([destination, path], { call, post }) => {
    const { status, body } = await post({ destination });
    expect([status, body.error.details?.[0].path]).toEqual([400, path]);
    expect((await call('GET')).body.count).toBe(0);
  });

  it('refuses destinations in another site, and pages that are unknown or hidden from the caller', async ({
    organization,
    site,
    siteSpace,
    post,
  }) => {
    const elsewhere = await buildSite(organization);
    const theirs = await buildSiteSpace(elsewhere, { space: await buildSpace(organization) });
    const section = await buildSection(elsewhere, { space: await buildSpace(organization) });
    const closed = await buildSpace(organization, { defaultLevel: null });
    await buildRevision(closed, { pages: [{ ...page, id: 'closedpage' }] });
    const hidden = await buildSiteSpace(site, { space: closed });
    for (const destination of [
      { kind: 'site-space', siteSpaceId: theirs._id },
      { kind: 'site-section', siteSectionId: section._id },
      { kind: 'path', spaceId: theirs.space, path: '' },
      { kind: 'site-page', siteSpaceId: siteSpace._id, pageId: 'unknown' },
      { kind: 'path', spaceId: siteSpace.space, path: 'unknown' },
      { kind: 'site-page', siteSpaceId: hidden._id, pageId: 'closedpage' },
      { kind: 'path', spaceId: closed._id, path: 'start' },
    ])
      expect((await post({ destination })).status, JSON.stringify(destination)).toBe(400);
  });

  it('refuses the 10 001st redirect of a site', async ({ site, call, post }) => {
    const many = Array.from({ length: 10_000 }, (_, i) =>
      newRedirect(
        { site },
        {
          source: `/r${i}`,
          destination: { kind: 'external', url: 'https://example.org' },
          captureWildcard: false,
          draft: false,
        },
      ),
    );
    await SiteRedirect.insertMany(many, { ordered: false });
    expect((await post({})).status).toBe(409);
    expect((await call('GET', '?limit=1')).body.count).toBe(10_000);
  });
});

describe('loops are refused', () => {
  it('directly, and through other redirects', async ({ post, ownUrl }) => {
    const base = await ownUrl();
    const to = (path: string) => ({ kind: 'external', url: `${base}${path}` });
    const { status, body } = await post({ source: '/a', destination: to('/a') });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('leads back')]);
    expect((await post({ source: '/a', destination: to('/a/?x=y#z') })).status).toBe(400);
    expect((await post({ source: '/a', destination: to('/b') })).status).toBe(201);
    expect((await post({ source: '/b', destination: to('/c%2D1') })).status).toBe(201);
    expect((await post({ source: '/c-1', destination: to('/a') })).status).toBe(400);
    expect((await post({ source: '/c-1', destination: to('/d') })).status).toBe(201);
    expect((await post({ source: '/docs/*', destination: to('/docs/new') })).status).toBe(400);
    expect((await post({ source: '/d*', destination: to('/a') })).status).toBe(400);
  });

  it('also when a change or a publication closes the loop', async ({ call, post, ownUrl }) => {
    const base = await ownUrl();
    const to = (path: string) => ({ kind: 'external', url: `${base}${path}` });
    await post({ source: '/a', destination: to('/b') });
    const { body: other } = await post({ source: '/c', destination: to('/a') });
    expect((await call('PATCH', `/${other.id}`, { source: '/b' })).status).toBe(400);
    const { body: draft } = await post({ source: '/b', destination: to('/a'), draft: true });
    expect((await call('PATCH', `/${draft.id}`, { draft: false })).status).toBe(400);
    expect((await call('PATCH', `/${draft.id}`, { draft: false, destination: external })).status).toBe(200);
  });

  it('below the host of the proxy, also before the host is proven', async ({ site, post, ownUrl }) => {
    for (const field of ['pendingProxy', 'proxy'] as const) {
      const other = field === 'proxy' ? 'pendingProxy' : 'proxy';
      await Site.updateOne(
        { _id: site._id },
        { $set: { [field]: 'docs.example.org/guide' }, $unset: { [other]: 1 } },
      );
      for (const base of ['https://docs.example.org/guide', await ownUrl()])
        expect(
          (await post({ source: '/a', destination: { kind: 'external', url: `${base}/a` } })).status,
          `${field} ${base}`,
        ).toBe(400);
    }
    expect(
      (await post({ source: '/a', destination: { kind: 'external', url: 'https://docs.example.org/a' } }))
        .status,
    ).toBe(201);
  });

  it('from a page to its own path, but not from a wildcard to a page below it', async ({
    siteSpace,
    post,
  }) => {
    const destination = { kind: 'site-page', siteSpaceId: siteSpace._id, pageId: page.id };
    expect((await post({ source: '/start', destination })).status).toBe(400);
    expect((await post({ source: '/star*', destination })).status).toBe(201);
  });
});

describe('PATCH and DELETE .../redirects/{siteRedirectId}', () => {
  it('changes the given fields, and sets the time of the update', async ({ siteSpace, call, post }) => {
    const { body: before } = await post({ source: '/old' });
    const { status, body } = await call('PATCH', `/${before.id}`, { permanent: true, source: '/older' });
    expect([status, body]).toEqual([
      200,
      { ...before, permanent: true, source: '/older', updatedAt: expect.any(String) },
    ]);
    const destination = { kind: 'path', spaceId: siteSpace.space, path: 'start' };
    expect((await call('PATCH', `/${before.id}`, { destination })).body.destination).toMatchObject({
      kind: 'site-page',
      pageId: page.id,
    });
  });

  it.for([undefined, {}, { id: 'x', createdAt: 'y', unknown: 1 }])(
    'is not changed by %j',
    async (json, { call, post }) => {
      const { body } = await post({});
      expect((await call('PATCH', `/${body.id}`, json)).body).toEqual(body);
    },
  );

  it('refuses a source that is in use, and the values that POST refuses', async ({ site, call, post }) => {
    await post({ source: '/taken' });
    const { body } = await post({ source: '/mine' });
    expect((await call('PATCH', `/${body.id}`, { source: '/taken' })).status).toBe(409);
    expect((await call('PATCH', `/${body.id}`, { source: '/mine', permanent: true })).status).toBe(200);
    for (const json of [
      { source: 'x' },
      { source: null },
      { draft: 'no' },
      { destination: null },
      { destination: { kind: 'site-space', siteSpaceId: 'x' } },
    ])
      expect((await call('PATCH', `/${body.id}`, json)).status, JSON.stringify(json)).toBe(400);
    const draft = await buildSiteRedirect(site, { source: '/taken', isDraft: true, path: '/taken' });
    expect((await call('PATCH', `/${draft._id}`, { draft: false })).status).toBe(409);
  });

  it('DELETE removes it, also twice, and the source is free again', async ({ call, post }) => {
    const { body } = await post({ source: '/old' });
    for (let i = 0; i < 2; i++) expect((await call('DELETE', `/${body.id}`)).status).toBe(204);
    expect((await post({ source: '/old' })).status).toBe(201);
  });

  it('do not reach a redirect of another site', async ({ organization, call }) => {
    const { _id } = await buildSiteRedirect(await buildSite(organization));
    expect((await call('PATCH', `/${_id}`, { permanent: true })).status).toBe(404);
    expect((await call('DELETE', `/${_id}`)).status).toBe(204);
    expect(await SiteRedirect.findById(_id).lean()).toMatchObject({ permanent: false });
  });
});

it('redirects are changed only by members who may edit the site, and hidden from other organizations', async ({
  reader,
  call,
  post,
}) => {
  const { body } = await post({});
  const { admin: outsider } = await buildOrganization();
  for (const [method, path] of [
    ['POST', ''],
    ['PUT', ''],
    ['PATCH', `/${body.id}`],
    ['DELETE', `/${body.id}`],
  ] as const) {
    expect([method, (await call(method, path, {}, reader)).status]).toEqual([method, 403]);
    expect([method, (await call(method, path, {}, outsider)).status]).toEqual([method, 404]);
  }
  expect((await call('GET', '', undefined, reader)).body.items).toEqual([body]);
  expect((await call('GET', '', undefined, outsider)).status).toBe(404);
});
