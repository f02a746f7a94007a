import { Space } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildSection, buildSite, buildSiteSpace, buildSpace } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend('space', ({ organization }) => buildSpace(organization, { title: 'Guide' }))
  .extend('other', { scope: 'file' }, ({ organization }) => buildSpace(organization, { title: 'Reference' }))
  .extend('site', ({ organization }) => buildSite(organization, { title: 'The docs' }))
  .extend(
    'send',
    ({ api, organization, creator, site }) =>
      (method: string, path: string, json?: unknown, { token } = creator) =>
        api.call(method, `/v1/orgs/${organization._id}/sites/${site._id}${path}`, {
          token,
          ...(json !== undefined && { json }),
        }),
  )
  .extend(
    'add',
    ({ creator, send }) =>
      (json: unknown, user = creator) =>
        send('POST', '/sections', json, user),
  )
  .extend(
    'list',
    ({ reader, send }) =>
      async (query = '') =>
        (await send('GET', `/sections${query}`, undefined, reader)).body,
  );

describe('POST .../sections', () => {
  it('adds a section with one space; the first of an empty site is the default', async ({
    space,
    add,
    list,
  }) => {
    const { status, body } = await add({ spaceId: space._id, title: ' First steps ', icon: 'rocket' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      object: 'site-section',
      title: 'First steps',
      icon: 'rocket',
      path: 'first-steps',
      default: true,
      draft: false,
      urls: {},
      siteSpaces: [{ section: body.id, default: true, path: 'guide', space: { id: space._id } }],
    });
    for (const absent of ['description', 'condition', 'sectionGroup'])
      expect(body).not.toHaveProperty(absent);
    const second = (await add({ spaceId: space._id, title: 'First steps', icon: null })).body;
    expect(second).toMatchObject({ default: false, path: 'first-steps-2', siteSpaces: [{ default: true }] });
    expect(second).not.toHaveProperty('icon');
    expect(await list()).toMatchObject({ count: 2, items: [{ id: body.id }, { id: second.id }] });
  });

  it('without a title takes the title of the space, or of the site when that is too short', async ({
    organization,
    space,
    other,
    add,
  }) => {
    const short = await buildSpace(organization, { title: 'X' });
    expect((await add({ spaceId: space._id })).body).toMatchObject({ title: 'Guide', path: 'guide' });
    expect((await add({ spaceId: other._id, title: null })).body.title).toBe('Reference');
    expect((await add({ spaceId: short._id })).body.title).toBe('The docs');
  });

  it('moves the spaces at the root of a site into a default section with the title of the site', async ({
    reader,
    space,
    other,
    site,
    send,
    add,
    list,
  }) => {
    const first = await buildSiteSpace(site, { space: other });
    const second = await buildSiteSpace(site, { space });
    await send('PATCH', '', { defaultSiteSpace: second._id });
    const { body: added } = await add({ spaceId: space._id, title: 'The docs' });
    expect(added).toMatchObject({ default: false, path: 'the-docs-2' });
    const { items } = await list();
    expect(items).toMatchObject([
      {
        title: 'The docs',
        path: 'the-docs',
        default: true,
        siteSpaces: [
          { id: first._id, default: false, section: items[0].id },
          { id: second._id, default: true, section: items[0].id },
        ],
      },
      { id: added.id },
    ]);
    expect((await send('GET', '/structure', undefined, reader)).body).toEqual({
      type: 'sections',
      structure: items,
    });
    expect((await send('GET', '')).body.siteSpaces).toBe(3);
  });

  it.for([
    {},
    { spaceId: null },
    { spaceId: 'nothing' },
    { title: 'x' },
    { title: 'x'.repeat(129) },
    { title: ' x ' },
    { icon: 'x'.repeat(51) },
    { icon: '' },
    { icon: 5 },
  ])('refuses %j', async (body, { space, add, list }) => {
    const complete =
      'spaceId' in body || Object.keys(body).length === 0 ? body : { spaceId: space._id, ...body };
    expect((await add(complete)).status).toBe(400);
    expect((await list()).count).toBe(0);
  });

  it('is 403 for readers', async ({ reader, space, add }) => {
    expect((await add({ spaceId: space._id }, reader)).status).toBe(403);
  });
});

describe('PATCH .../sections/{siteSectionId}', () => {
  it('changes the given fields, clears a field with null, and keeps the rest', async ({
    space,
    send,
    add,
  }) => {
    const { body: before } = await add({ spaceId: space._id });
    const changes = {
      title: 'New',
      path: 'new',
      icon: 'gear',
      description: 'About',
      condition: 'visitor.claims.beta',
    };
    const changed = await send('PATCH', `/sections/${before.id}`, changes);
    expect([changed.status, changed.body]).toEqual([200, { ...before, ...changes }]);
    for (const body of [{}, undefined])
      expect((await send('PATCH', `/sections/${before.id}`, body)).body).toEqual(changed.body);
    const cleared = await send('PATCH', `/sections/${before.id}`, {
      icon: null,
      description: null,
      condition: null,
    });
    expect(cleared.body).toEqual({ ...before, title: 'New', path: 'new' });
    await send('PATCH', `/sections/${before.id}`, { description: 'Again' });
    expect((await send('PATCH', `/sections/${before.id}`, { description: '' })).body).not.toHaveProperty(
      'description',
    );
  });

  it('takes only a site space of the section as its default', async ({ space, other, site, send }) => {
    const section = await buildSection(site, { space });
    const variant = await buildSiteSpace(site, { space: other, section: section._id });
    const { body } = await send('PATCH', `/sections/${section._id}`, { defaultSiteSpace: variant._id });
    expect(body.siteSpaces.map((one: { id: string; default: boolean }) => [one.id, one.default])).toEqual([
      [section.defaultSiteSpace, false],
      [variant._id, true],
    ]);
    const elsewhere = await buildSection(site, { space });
    expect(
      (await send('PATCH', `/sections/${section._id}`, { defaultSiteSpace: elsewhere.defaultSiteSpace }))
        .status,
    ).toBe(400);
  });

  it('refuses a path that another section of the site has, in any group', async ({
    space,
    other,
    send,
    add,
  }) => {
    const one = (await add({ spaceId: space._id })).body;
    const two = (await add({ spaceId: other._id })).body;
    await send('POST', '/section-groups', { title: 'Group', sections: [two.id] });
    expect((await send('PATCH', `/sections/${one.id}`, { path: two.path })).status).toBe(409);
    expect((await send('PATCH', `/sections/${two.id}`, { path: two.path })).status).toBe(200);
  });

  it.for([
    { title: 'x' },
    { title: null },
    { path: 'a b' },
    { path: '' },
    { path: 'x'.repeat(101) },
    { defaultSiteSpace: 'nothing' },
    { defaultSiteSpace: null },
    { condition: '' },
    { condition: 'x'.repeat(1025) },
    { condition: 'this' },
    { icon: 'x'.repeat(51) },
    { description: 'x'.repeat(257) },
  ])('refuses %j', async (body, { reader, space, send, add, list }) => {
    const section = (await add({ spaceId: space._id })).body;
    expect((await send('PATCH', `/sections/${section.id}`, body)).status).toBe(400);
    expect((await send('PATCH', `/sections/${section.id}`, body, reader)).status).toBe(403);
    expect((await list()).items[0]).toMatchObject({ title: section.title, path: section.path });
  });
});

describe('DELETE .../sections/{siteSectionId}', () => {
  it('removes its site spaces, keeps the spaces, and passes the default on in display order', async ({
    reader,
    space,
    other,
    site,
    send,
    list,
  }) => {
    const [one, two, three] = [
      await buildSection(site, { space }),
      await buildSection(site, { space }),
      await buildSection(site, { space: other }),
    ];
    // The group is first, with the last section in it.
    const { body: group } = await send('POST', '/section-groups', { title: 'Group', sections: [three._id] });
    await send('POST', `/section-groups/${group.id}/move`, {
      position: { before: { type: 'site-section', id: one._id } },
    });
    const defaults = async () =>
      (await list()).items
        .filter((item: { default: boolean }) => item.default)
        .map(({ id }: { id: string }) => id);

    expect((await send('DELETE', `/sections/${one._id}`, undefined, reader)).status).toBe(403);
    expect((await send('DELETE', `/sections/${one._id}`)).status).toBe(204);
    expect(await defaults()).toEqual([two._id]);
    expect((await send('DELETE', `/sections/${one._id}`)).status).toBe(204);
    // Behind the last one comes the first, which is in the group.
    expect((await send('DELETE', `/sections/${two._id}`)).status).toBe(204);
    expect(await defaults()).toEqual([three._id]);
    expect((await send('GET', '')).body.siteSpaces).toBe(1);
    expect((await send('DELETE', `/sections/${three._id}`)).status).toBe(204);

    expect((await send('GET', '/structure')).body).toEqual({ type: 'siteSpaces', structure: [] });
    expect((await send('GET', '/section-groups')).body.items).toMatchObject([
      { id: group.id, sections: [], children: [] },
    ]);
    expect(await Space.countDocuments({ _id: { $in: [space._id, other._id] }, isDeleted: false })).toBe(2);
    expect((await send('POST', '/site-spaces', { spaceId: space._id })).body).toMatchObject({
      default: true,
    });
  });
});

describe('GET .../sections', () => {
  it('goes page by page, also when the last section of a page is removed', async ({
    space,
    site,
    send,
    list,
  }) => {
    const sections = [];
    for (let i = 0; i < 4; i++) sections.push(await buildSection(site, { space, title: `Section ${i}` }));
    const first = await list('?limit=2');
    expect([first.count, first.items.map(({ id }: { id: string }) => id)]).toEqual([
      4,
      sections.slice(0, 2).map(({ _id }) => _id),
    ]);
    await send('DELETE', `/sections/${sections[1]?._id}`);
    const rest = await list(`?limit=2&page=${first.next.page}`);
    expect(rest.items.map(({ id }: { id: string }) => id)).toEqual(sections.slice(2).map(({ _id }) => _id));
    expect(rest).not.toHaveProperty('next');
    expect(await list('?limit=0')).toEqual({ items: [], count: 3 });
  });
});
