import { SiteRedirect, SiteSpace, type SiteSpaceRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { buildRevision, buildSite, buildSiteRedirect, buildSpace } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { bound } from '../../support/machine.ts';

const page = { id: newId(), title: 'Start', path: 'start' };

const external = { kind: 'external' as const, url: 'https://example.org/new' };

const it = base
  .extend('space', async ({ organization }) => {
    const space = await buildSpace(organization);
    await buildRevision(space, { pages: [{ title: 'Home', path: 'home' }, page] });
    return space;
  })
  .extend('site', ({ organization, space }) => buildSite(organization, { spaces: [space] }))
  .extend('siteSpace', ({ site }) => SiteSpace.findOne({ site: site._id }).orFail().lean<SiteSpaceRecord>())
  .extend(
    'call',
    ({ api, organization, admin, site }) =>
      (method: string, path = '', json?: unknown) =>
        api.call(method, `/v1/orgs/${organization._id}/sites/${site._id}/redirects${path}`, {
          token: admin.token,
          ...(json !== undefined && { json }),
        }),
  )
  .extend(
    'post',
    ({ call }) =>
      (json: object) =>
        call('POST', '', { source: `/${newId()}`, destination: external, ...json }),
  )
  .extend('put', ({ call }) => async (...redirects: object[]) => {
    const { status, body } = await call('PUT', '', { redirects });
    return { status, results: body.results as Record<string, unknown>[], body };
  })
  .extend(
    'all',
    ({ site }) =>
      async () =>
        SiteRedirect.find({ site: site._id }, { _id: 0, source: 1, isDraft: 1, destination: 1, permanent: 1 })
          .sort({ source: 1, isDraft: 1 })
          .lean(),
  );

describe('GET .../redirects', () => {
  const sources = (answer: { body: { items: { source: string }[] } }) =>
    answer.body.items.map(({ source }) => source);

  it('lists live redirects newest first; drafts, other orders and a search on request', async ({
    call,
    post,
  }) => {
    const made: { id: string }[] = [];
    for (const source of ['/b', '/a', '/c.x']) made.push((await post({ source })).body);
    await post({ source: '/draft', draft: true });
    await call('PATCH', `/${made[0]?.id}`, { permanent: true });
    expect(sources(await call('GET'))).toEqual(['/c.x', '/a', '/b']);
    expect(sources(await call('GET', '?orderBy=source'))).toEqual(['/a', '/b', '/c.x']);
    expect(sources(await call('GET', '?orderBy=updatedAt'))).toEqual(['/b', '/c.x', '/a']);
    expect(sources(await call('GET', '?draft=true'))).toEqual(['/draft']);
    expect(sources(await call('GET', '?search=.'))).toEqual(['/c.x']);
    for (const orderBy of ['source', 'updatedAt', 'createdAt']) {
      const { body: first } = await call('GET', `?limit=2&orderBy=${orderBy}`);
      const rest = await call('GET', `?limit=2&orderBy=${orderBy}&page=${first.next.page}`);
      expect([...sources({ body: first }), ...sources(rest)]).toEqual(
        sources(await call('GET', `?orderBy=${orderBy}`)),
      );
    }
  });

  it.for(['draft=yes', 'orderBy=id', `search=${'x'.repeat(513)}`])('refuses ?%s', async (query, { call }) => {
    expect((await call('GET', `?${query}`)).status).toBe(400);
  });
});

describe('PUT .../redirects', () => {
  it('applies each entry on its own, in order, and reports the result of each', async ({
    site,
    siteSpace,
    put,
    all,
  }) => {
    const live = await buildSiteRedirect(site, { source: '/live', path: '/live' });
    const gone = await buildSiteRedirect(site, { source: '/gone', path: '/gone' });
    const { status, results } = await put(
      { source: '/new', destination: external },
      {
        source: '/live',
        destination: { kind: 'path', spaceId: siteSpace.space, path: 'start' },
        permanent: true,
      },
      { source: '/gone', destination: null },
      { source: '/never', destination: null },
      { source: '/draft', intent: 'draft', destination: external },
      { source: '/wrong', destination: { kind: 'site-space', siteSpaceId: 'unknown' } },
      { source: '/none', intent: 'publish' },
    );
    expect(status).toBe(200);
    expect(results).toEqual([
      { status: 'created', source: '/new', draft: false, id: expect.any(String) },
      { status: 'updated', source: '/live', draft: false, id: live._id },
      { status: 'deleted', source: '/gone', draft: false },
      { status: 'deleted', source: '/never', draft: false },
      { status: 'created', source: '/draft', draft: true, id: expect.any(String) },
      {
        status: 'error',
        source: '/wrong',
        draft: false,
        error: 'destination.siteSpaceId is no site space of this site',
      },
      { status: 'error', source: '/none', draft: false, error: expect.stringContaining('no draft') },
    ]);
    expect(await SiteRedirect.findById(gone._id)).toBeNull();
    expect(await all()).toEqual([
      { source: '/draft', isDraft: true, destination: external, permanent: false },
      {
        source: '/live',
        isDraft: false,
        destination: { kind: 'site-page', siteSpaceId: siteSpace._id, pageId: page.id },
        permanent: true,
      },
      { source: '/new', isDraft: false, destination: external, permanent: false },
    ]);
  });

  it('publishes a draft in place of the live redirect', async ({ site, put }) => {
    const live = await buildSiteRedirect(site, { source: '/a', path: '/a' });
    const draft = await buildSiteRedirect(site, { source: '/a', path: '/a', isDraft: true, permanent: true });
    const { results } = await put({ source: '/a', intent: 'publish' });
    expect(results).toEqual([{ status: 'published', source: '/a', draft: false, id: draft._id }]);
    expect(await SiteRedirect.findById(live._id)).toBeNull();
    expect(await SiteRedirect.findById(draft._id).lean()).toMatchObject({ isDraft: false, permanent: true });
  });

  it('builds on the earlier entries of the same request', async ({ put, all }) => {
    const { results } = await put(
      { source: '/a', destination: external, permanent: true },
      { source: '/a', destination: external },
      { source: '/%61', destination: external, permanent: false },
      { source: '/b', intent: 'draft', destination: external },
      { source: '/b', intent: 'publish' },
      { source: '/b', intent: 'publish' },
      { source: '/c', destination: external },
      { source: '/c', destination: null },
    );
    expect(results.map(({ status }) => status)).toEqual([
      'created',
      'updated',
      'updated',
      'created',
      'published',
      'error',
      'created',
      'deleted',
    ]);
    expect(await all()).toEqual([
      { source: '/%61', isDraft: false, destination: external, permanent: false },
      { source: '/b', isDraft: false, destination: external, permanent: false },
    ]);
  });

  it('keeps `permanent` when it is not given', async ({ put, all }) => {
    await put({ source: '/a', destination: external, permanent: true });
    await put({ source: '/a', destination: external });
    expect(await all()).toMatchObject([{ permanent: true }]);
  });

  it('refuses a loop, and applies the other entries', async ({ api, organization, admin, site, put }) => {
    const preview = await api.call(
      'GET',
      `/v1/orgs/${organization._id}/sites/${site._id}/publishing/preview`,
      { token: admin.token },
    );
    const base = preview.body.url.replace(/\/preview\..*/, '');
    const { results } = await put(
      { source: '/a', destination: { kind: 'external', url: `${base}/b` } },
      { source: '/b', destination: { kind: 'external', url: `${base}/a` } },
      { source: '/b', destination: external },
      { source: '/c', intent: 'draft', destination: { kind: 'external', url: `${base}/c` } },
      { source: '/c', intent: 'publish' },
    );
    expect(results.map(({ status }) => status)).toEqual(['created', 'error', 'created', 'created', 'error']);
    expect(results[1]?.['error']).toContain('leads back');
  });

  it('takes 500 at once, quickly', async ({ siteSpace, call, put }) => {
    const redirects = Array.from({ length: 500 }, (_, i) => ({
      source: `/r${i}`,
      destination: { kind: 'path', spaceId: siteSpace.space, path: 'start' },
    }));
    const start = Date.now();
    const { results } = await put(...redirects);
    expect(results.every(({ status }) => status === 'created')).toBe(true);
    expect(Date.now() - start).toBeLessThan(bound(5000));
    expect((await put(...redirects)).results.every(({ status }) => status === 'updated')).toBe(true);
    expect((await call('GET', '?limit=0')).body.count).toBe(500);
  });

  it('runs several requests one after the other', async ({ put, all }) => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        put({ source: '/a', destination: external }, { source: '/b', destination: external }),
      ),
    );
    expect(answers.flatMap(({ results }) => results.map(({ status }) => String(status))).toSorted()).toEqual([
      ...Array(2).fill('created'),
      ...Array(6).fill('updated'),
    ]);
    expect(await all()).toHaveLength(2);
  });

  it.for([
    [{}],
    [{ redirects: [] }],
    [{ redirects: {} }],
    [{ redirects: [{ source: '/a' }] }],
    [{ redirects: [{ source: 'a', destination: external }] }],
    [{ redirects: [{ source: '/a', intent: 'delete', destination: external }] }],
    [
      {
        redirects: [
          { source: '/a', destination: external },
          { source: '/b', destination: { kind: 'external', url: 'javascript:x' } },
        ],
      },
    ],
    [{ redirects: Array.from({ length: 501 }, (_, i) => ({ source: `/r${i}`, destination: external })) }],
  ] as const)('refuses an invalid list as a whole', async ([json], { call, all }) => {
    expect((await call('PUT', '', json)).status).toBe(400);
    expect(await all()).toEqual([]);
  });
});
