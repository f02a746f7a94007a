import { Site, SiteSpace, type SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildOrganization,
  buildSection,
  buildSite,
  buildSiteSpace,
  buildSpace,
  changeSpace,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend('space', ({ organization }) => buildSpace(organization, { title: 'Über uns' }))
  .extend('other', { scope: 'file' }, ({ organization }) =>
    buildSpace(organization, {
      title: 'Other',
      gitSync: { provider: 'github', repoName: 'secret', updatedAt: new Date() },
    }),
  )
  .extend('site', ({ organization }) => buildSite(organization))
  .extend(
    'url',
    ({ organization, site }) =>
      (path = '') =>
        `/v1/orgs/${organization._id}/sites/${site._id}/site-spaces${path}`,
  )
  .extend(
    'add',
    ({ api, creator, url }) =>
      (json: unknown, { token } = creator) =>
        api.call('POST', url(), { token, json }),
  )
  .extend(
    'patch',
    ({ api, creator, url }) =>
      (id: string, json: unknown, { token } = creator) =>
        api.call('PATCH', url(`/${id}`), { token, json }),
  )
  .extend(
    'remove',
    ({ api, creator, url }) =>
      (id: string, { token } = creator) =>
        api.call('DELETE', url(`/${id}`), { token }),
  )
  .extend(
    'list',
    ({ api, reader, url }) =>
      async (query = '', { token } = reader) =>
        (await api.call('GET', url(query), { token })).body,
  )
  .extend(
    'ids',
    ({ list }) =>
      async () =>
        (await list()).items.map(({ id }: { id: string }) => id),
  );

describe('POST .../site-spaces', () => {
  it('adds a space after the others; the first one is the default', async ({
    api,
    organization,
    reader,
    space,
    other,
    site,
    add,
    ids,
  }) => {
    const first = await add({ spaceId: space._id });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      object: 'site-space',
      title: 'Über uns',
      path: 'uber-uns',
      default: true,
      draft: false,
      hasAdvancedCustomizationFeature: true,
      urls: {},
      space: { object: 'space', id: space._id, permissions: { view: true, edit: true, admin: false } },
    });
    for (const absent of ['section', 'condition']) expect(first.body).not.toHaveProperty(absent);
    const second = (await add({ spaceId: other._id })).body;
    expect(second).toMatchObject({ default: false, path: 'other' });
    expect(await ids()).toEqual([first.body.id, second.id]);
    const { body } = await api.call('GET', `/v1/orgs/${organization._id}/sites/${site._id}`, {
      token: reader.token,
    });
    expect(body.siteSpaces).toBe(2);
  });

  it('takes the default section, or the section that is named', async ({ space, other, site, add }) => {
    const one = await buildSection(site, { space });
    const two = await buildSection(site, { space });
    expect((await add({ spaceId: other._id })).body).toMatchObject({ section: one._id, default: false });
    expect((await add({ spaceId: other._id, sectionId: two._id })).body).toMatchObject({ section: two._id });
  });

  it('refuses the same space twice in one place', async ({ space, site, add, list }) => {
    await add({ spaceId: space._id });
    expect((await add({ spaceId: space._id })).status).toBe(409);
    const section = await buildSection(site, { space });
    expect((await add({ spaceId: space._id })).status).toBe(409);
    expect((await add({ spaceId: space._id, sectionId: section._id })).status).toBe(409);
    expect((await list()).count).toBe(2);
  });

  it('gives each sibling a path of its own', async ({ organization, space, add }) => {
    const twin = await buildSpace(organization, { title: 'uber uns' });
    await add({ spaceId: space._id });
    expect((await add({ spaceId: twin._id })).body.path).toBe('uber-uns-2');
    const emoji = await buildSpace(organization, { title: '🎉' });
    expect((await add({ spaceId: emoji._id })).body.path).toBe('space');
  });

  it('refuses a space that the caller cannot view, and a section of another site', async ({
    organization,
    reader,
    space,
    add,
    list,
  }) => {
    const foreign = await buildOrganization();
    const section = await buildSection(await buildSite(organization), { space });
    const bodies = [
      {},
      { spaceId: null },
      { spaceId: 'nothing' },
      { spaceId: (await buildSpace(foreign.organization))._id },
      { spaceId: (await buildSpace(organization, { deletedAt: new Date() }))._id },
      { spaceId: (await buildSpace(organization, { defaultLevel: null }))._id },
      { spaceId: space._id, sectionId: 'nothing' },
      { spaceId: space._id, sectionId: section._id },
      [],
    ];
    for (const body of bodies) expect([body, (await add(body)).status]).toEqual([body, 400]);
    expect((await add({ spaceId: space._id }, reader)).status).toBe(403);
    expect((await list()).count).toBe(0);
  });
});

it('a full site refuses another site space', async ({ space, site, add }) => {
  await Site.updateOne({ _id: site._id }, { $set: { siteSpaces: 2_000 } });
  const { status, body } = await add({ spaceId: space._id });
  expect([status, body.error.message]).toEqual([409, 'A site has at most 2000 site spaces.']);
  expect(await SiteSpace.countDocuments({ site: site._id })).toBe(0);
});

describe('GET .../site-spaces', () => {
  it('shows only the title of a space that the caller cannot view', async ({
    api,
    organization,
    admin,
    reader,
    site,
    list,
  }) => {
    const closed = await buildSpace(organization, {
      title: 'Closed',
      defaultLevel: null,
      gitSync: { provider: 'github', repoName: 'secret', updatedAt: new Date() },
      counts: { comments: 3, changeRequests: 4, changeRequestsOpen: 2, changeRequestsDraft: 1 },
    });
    await buildSiteSpace(site, { space: closed });
    const [shown] = (await list()).items;
    expect(shown).toMatchObject({
      title: 'Closed',
      space: { id: closed._id, comments: 0, changeRequests: 0 },
    });
    expect(shown.space).not.toHaveProperty('gitSync');
    expect(Object.values(shown.space.permissions)).not.toContain(true);
    expect((await api.call('GET', `/v1/spaces/${closed._id}`, { token: reader.token })).status).toBe(404);
    const [full] = (await list('', admin)).items;
    expect(full.space).toMatchObject({
      comments: 3,
      gitSync: { repoName: 'secret' },
      permissions: { admin: true },
    });
  });

  it('shows the space as its own endpoint does', async ({ api, reader, other, site, list }) => {
    await buildSiteSpace(site, { space: other });
    const [shown] = (await list()).items;
    expect(shown.space).toEqual(
      (await api.call('GET', `/v1/spaces/${other._id}`, { token: reader.token })).body,
    );
  });

  it('keeps the place of a deleted space until it is removed for good', async ({
    organization,
    admin,
    site,
    list,
  }) => {
    const doomed = await buildSpace(organization);
    await buildSiteSpace(site, { space: doomed });
    await changeSpace(doomed, { deletedAt: new Date() });
    expect((await list()).items[0].space).toMatchObject({
      deletedAt: expect.any(String),
      permissions: { view: false },
    });
    expect((await list('', admin)).items[0].space.permissions.admin).toBe(true);
  });

  it('goes page by page through all sections in display order', async ({
    api,
    organization,
    reader,
    site,
    url,
    list,
  }) => {
    const spaces = await Promise.all(Array.from({ length: 4 }, () => buildSpace(organization)));
    const [a, b, c, d] = spaces as [SpaceRecord, SpaceRecord, SpaceRecord, SpaceRecord];
    const one = await buildSection(site, { space: a });
    const two = await buildSection(site, { space: b });
    await buildSiteSpace(site, { space: c, section: two._id });
    await buildSiteSpace(site, { space: d, section: one._id });
    const seen: string[] = [];
    let page = '';
    do {
      const body = await list(`?limit=1${page}`);
      expect(body.count).toBe(4);
      seen.push(...body.items.map((item: { space: { id: string } }) => item.space.id));
      page = body.next && `&page=${body.next.page}`;
    } while (page);
    expect(seen).toEqual([a, d, b, c].map(({ _id }) => _id));
    expect((await list('?default=true')).count).toBe(2);
    for (const query of ['?default=1', '?default=', '?limit=1001'])
      expect((await api.call('GET', url(query), { token: reader.token })).status).toBe(400);
  });
});

describe('PATCH .../site-spaces/{siteSpaceId}', () => {
  it('changes path and condition, removes the condition, and leaves the rest', async ({
    api,
    creator,
    space,
    url,
    add,
    patch,
  }) => {
    const { body: before } = await add({ spaceId: space._id });
    const condition = 'visitor.claims.beta == true';
    const changed = await patch(before.id, { path: 'About', condition });
    expect([changed.status, changed.body]).toEqual([200, { ...before, path: 'About', condition }]);
    expect((await patch(before.id, {})).body).toEqual(changed.body);
    expect((await api.call('PATCH', url(`/${before.id}`), { token: creator.token })).body).toEqual(
      changed.body,
    );
    expect((await patch(before.id, { condition: null })).body).toEqual({ ...before, path: 'About' });
  });

  it('replaces the space under the same id, path and condition', async ({ space, other, add, patch }) => {
    const { body: before } = await add({ spaceId: space._id });
    await patch(before.id, { condition: 'visitor.claims.beta' });
    const { body } = await patch(before.id, { spaceId: other._id });
    expect(body).toMatchObject({
      id: before.id,
      path: before.path,
      condition: 'visitor.claims.beta',
      default: true,
      title: 'Other',
      space: { id: other._id },
    });
    expect((await patch(before.id, { spaceId: other._id })).status).toBe(200);
    const second = (await add({ spaceId: space._id })).body;
    expect((await patch(second.id, { spaceId: other._id })).status).toBe(409);
    expect((await patch(second.id, { spaceId: 'nothing' })).status).toBe(400);
    expect((await patch(second.id, { spaceId: null })).status).toBe(400);
  });

  it('refuses the path of a sibling, in any Unicode form and case', async ({ space, other, add, patch }) => {
    const first = (await add({ spaceId: space._id })).body;
    const second = (await add({ spaceId: other._id })).body;
    await patch(first.id, { path: 'über' });
    expect((await patch(second.id, { path: 'u\u0308ber' })).status).toBe(409);
    expect((await patch(second.id, { path: '\u00dcBER' })).status).toBe(409);
    expect((await patch(first.id, { path: 'über' })).status).toBe(200);
  });

  it.for(
    ['', ' ', 'a b', '../x', 'a/b', '.', '~', '%2e', 'x'.repeat(101), 'a\0b', null, 5].map((path) => [path]),
  )('refuses the path %j', async ([path], { space, add, patch }) => {
    const { body } = await add({ spaceId: space._id });
    expect((await patch(body.id, { path })).status).toBe(400);
  });

  it.for([
    '',
    ' ',
    'x'.repeat(1025),
    'visitor.claims.',
    'a b',
    ')',
    'process.exit()',
    'visitor.constructor.constructor("return 1")()',
    '`x`',
    5,
  ])('refuses the condition %j', async (condition, { space, add, patch, list }) => {
    const { body } = await add({ spaceId: space._id });
    expect((await patch(body.id, { condition })).status).toBe(400);
    expect((await list()).items[0]).not.toHaveProperty('condition');
  });

  it('is 403 for readers, and 404 below another site', async ({
    api,
    organization,
    admin,
    reader,
    space,
    add,
    patch,
    ids,
  }) => {
    const { body } = await add({ spaceId: space._id });
    expect((await patch(body.id, { path: 'x' }, reader)).status).toBe(403);
    const elsewhere = await buildSite(organization);
    const path = `/v1/orgs/${organization._id}/sites/${elsewhere._id}/site-spaces/${body.id}`;
    for (const method of ['PATCH', 'POST'])
      expect(
        (await api.call(method, method === 'POST' ? `${path}/move` : path, { token: admin.token, json: {} }))
          .status,
      ).toBe(404);
    expect((await api.call('DELETE', path, { token: admin.token })).status).toBe(204);
    expect(await ids()).toEqual([body.id]);
  });
});

describe('DELETE .../site-spaces/{siteSpaceId}', () => {
  it('removes it from the site; the space stays', async ({
    api,
    organization,
    reader,
    space,
    site,
    add,
    remove,
    list,
  }) => {
    const { body } = await add({ spaceId: space._id });
    expect((await remove(body.id, reader)).status).toBe(403);
    expect([
      (await remove(body.id)).status,
      (await remove(body.id)).status,
      (await remove('nothing')).status,
    ]).toEqual([204, 204, 204]);
    expect(await list()).toEqual({ items: [], count: 0 });
    expect((await api.call('GET', `/v1/spaces/${space._id}`, { token: reader.token })).status).toBe(200);
    expect(
      (await api.call('GET', `/v1/orgs/${organization._id}/sites/${site._id}`, { token: reader.token })).body
        .siteSpaces,
    ).toBe(0);
  });

  it('makes the next sibling the default, or the first one after the last', async ({
    api,
    organization,
    admin,
    space,
    site,
    add,
    remove,
    list,
  }) => {
    const spaces = await Promise.all(Array.from({ length: 4 }, () => buildSpace(organization)));
    const [a, b, c, d] = await (async () => {
      const added = [];
      for (const one of spaces) added.push((await add({ spaceId: one._id })).body.id);
      return added;
    })();
    const theDefault = async () => (await list('?default=true')).items.map(({ id }: { id: string }) => id);
    await api.call('PATCH', `/v1/orgs/${organization._id}/sites/${site._id}`, {
      token: admin.token,
      json: { defaultSiteSpace: b },
    });
    await remove(a);
    expect(await theDefault()).toEqual([b]);
    await remove(b);
    expect(await theDefault()).toEqual([c]);
    await api.call('PATCH', `/v1/orgs/${organization._id}/sites/${site._id}`, {
      token: admin.token,
      json: { defaultSiteSpace: d },
    });
    await remove(d);
    expect(await theDefault()).toEqual([c]);
    await remove(c);
    expect(await theDefault()).toEqual([]);
    expect((await add({ spaceId: space._id })).body.default).toBe(true);
    expect(await SiteSpace.countDocuments({ site: site._id })).toBe(1);
  });
});
