import { SiteSpace, type SiteSpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildOrganization, buildSite, buildSiteSpace, buildSpace } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend('site', ({ organization }) => buildSite(organization))
  .extend('siteSpace', async ({ organization, site }) =>
    buildSiteSpace(site, { space: await buildSpace(organization) }),
  )
  .extend('siteUrl', ({ organization, site }) => `/v1/orgs/${organization._id}/sites/${site._id}`)
  .extend(
    'url',
    ({ siteSpace, siteUrl }) =>
      (id = siteSpace._id) =>
        `${siteUrl}/site-spaces/${id}/customization`,
  )
  .extend(
    'get',
    ({ api, reader, url }) =>
      async () =>
        (await api.call('GET', url(), { token: reader.token })).body,
  )
  .extend(
    'patch',
    ({ api, creator, url }) =>
      (json?: unknown) =>
        api.call('PATCH', url(), { token: creator.token, ...(json !== undefined && { json }) }),
  )
  .extend(
    'putSite',
    ({ api, creator, siteUrl }) =>
      (json: unknown) =>
        api.call('PUT', `${siteUrl}/customization`, { token: creator.token, json }),
  );

describe('the look of a site space', () => {
  it('equals the look of its site until it overrides a setting', async ({ get, putSite }) => {
    const { body } = await putSite({ title: 'Docs', styling: { theme: 'bold' } });
    expect(await get()).toEqual({ ...body, hasOverrides: false });
  });

  it('changes the given settings with PATCH, keeps the rest, and resets a setting with null', async ({
    get,
    patch,
    putSite,
  }) => {
    await putSite({ title: 'Docs', styling: { theme: 'bold', corners: 'straight' } });
    const { status, body } = await patch({
      title: 'Guide',
      styling: { theme: 'muted', sidebar: { list: 'pill' } },
    });
    expect([status, body.title, body.hasOverrides]).toEqual([200, 'Guide', true]);
    expect(body.styling).toMatchObject({
      theme: 'muted',
      corners: 'straight',
      sidebar: { list: 'pill', background: 'default' },
    });

    expect((await patch({ styling: { corners: 'circular' } })).body.styling).toMatchObject({
      theme: 'muted',
      corners: 'circular',
    });
    await patch({ styling: { theme: null, sidebar: { list: null } }, title: null });
    const now = await get();
    expect([now.title, now.styling.theme, now.styling.corners, now.styling.sidebar.list]).toEqual([
      'Docs',
      'bold',
      'circular',
      'default',
    ]);
    expect((await patch({ styling: { corners: null } })).body.hasOverrides).toBe(false);
  });

  it('follows its site in settings that it does not override', async ({ get, patch, putSite }) => {
    await patch({ footer: { copyright: 'Own' } });
    await putSite({ title: 'Later', footer: { copyright: 'Site', groups: [{ title: 'A', links: [] }] } });
    const look = await get();
    expect([look.title, look.footer]).toEqual([
      'Later',
      { copyright: 'Own', groups: [{ title: 'A', links: [] }] },
    ]);
  });

  it('reports the time of the last change of either look', async ({ get, patch, putSite }) => {
    const { body: first } = await patch({ title: 'Guide' });
    const { body: later } = await putSite({});
    expect(first.updatedAt <= later.updatedAt).toBe(true);
    expect((await get()).updatedAt).toBe(later.updatedAt);
  });

  it.for([undefined, {}, { unknown: 5, styling: {} }])(
    'is not changed by %j',
    async (json, { siteSpace, get, patch }) => {
      const before = await get();
      const { status, body } = await patch(json);
      expect([status, body]).toEqual([200, before]);
      expect(
        (await SiteSpace.findById(siteSpace._id).lean<SiteSpaceRecord>())?.customization,
      ).toBeUndefined();
    },
  );

  it('keeps the changes of several requests at once', async ({ get, patch }) => {
    const changes = [
      { styling: { theme: 'bold' } },
      { styling: { corners: 'straight' } },
      { title: 'Many' },
      { footer: { copyright: 'c' } },
    ];
    await Promise.all(changes.map((change) => patch(change)));
    expect(await get()).toMatchObject({
      title: 'Many',
      styling: { theme: 'bold', corners: 'straight' },
      footer: { copyright: 'c' },
    });
  });

  it('belongs to one site space only', async ({ api, organization, reader, site, url, patch }) => {
    const other = await buildSiteSpace(site, { space: await buildSpace(organization) });
    await patch({ title: 'Mine' });
    expect((await api.call('GET', url(other._id), { token: reader.token })).body).not.toHaveProperty('title');
  });

  it('returns to the look of the site with DELETE, also twice', async ({ api, creator, url, get, patch }) => {
    const before = await get();
    await patch({ title: 'Guide', styling: { theme: 'bold' } });
    for (let i = 0; i < 2; i++)
      expect((await api.call('DELETE', url(), { token: creator.token })).status).toBe(204);
    expect(await get()).toEqual(before);
  });

  it.for<[string, unknown, RegExp]>([
    ['an unknown theme', { styling: { theme: 'loud' } }, /theme/],
    ['null for a group', { styling: null }, /styling/],
    ['a colour by name', { styling: { primaryColor: 'red' } }, /primaryColor/],
    ['a list of links that is none', { header: { links: {} } }, /links/],
    [
      'a broken condition',
      { header: { links: [{ title: 'A', to: null, links: [], condition: 'a b' }] } },
      /links\[0\]\.condition/,
    ],
    [
      'a link to a program',
      {
        footer: {
          groups: [{ title: 'A', links: [{ title: 'B', to: { kind: 'url', url: 'javascript:x' } }] }],
        },
      },
      /url/,
    ],
    [
      'a favicon of two kinds',
      { favicon: { emoji: '1f331', icon: { light: 'https://a.org', dark: 'https://a.org' } } },
      /favicon/,
    ],
  ])('refuses %s', async ([, json, message], { get, patch }) => {
    const before = await get();
    const { status, body } = await patch(json);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringMatching(message)]);
    expect(await get()).toEqual(before);
  });

  it('is changed only by members who may edit the site, and hidden from other organizations', async ({
    api,
    organization,
    creator,
    reader,
    site,
    url,
  }) => {
    const { admin: outsider } = await buildOrganization();
    for (const [token, status] of [
      [reader.token, 403],
      [outsider.token, 404],
    ] as const) {
      expect((await api.call('PATCH', url(), { token, json: { title: 'No way' } })).status).toBe(status);
      expect((await api.call('DELETE', url(), { token })).status).toBe(status);
    }
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect(
        (
          await api.call(method, url('unknown'), {
            token: creator.token,
            ...(method === 'PATCH' && { json: {} }),
          })
        ).status,
      ).toBe(404);
    const elsewhere = await buildSite(organization);
    const wrongParent = url().replace(site._id, elsewhere._id);
    expect((await api.call('GET', wrongParent, { token: creator.token })).status).toBe(404);
  });
});
