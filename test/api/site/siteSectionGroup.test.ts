import type { SiteSectionRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildSection, buildSite } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend('site', ({ organization }) => buildSite(organization))
  .extend('sections', async ({ site, space }) => {
    const sections: SiteSectionRecord[] = [];
    for (let i = 0; i < 4; i++) sections.push(await buildSection(site, { space, title: `Section ${i}` }));
    return sections;
  })
  .extend(
    'send',
    ({ api, organization, creator, site, sections: _onIt }) =>
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
        send('POST', '/section-groups', json, user),
  )
  .extend(
    'at',
    ({ sections }) =>
      (place: number) =>
        (sections[place] as SiteSectionRecord)._id,
  )
  .extend('nameOf', ({ sections }) => (id: string) => {
    const place = sections.findIndex(({ _id }) => _id === id);
    return place === -1 ? 'group' : place;
  })
  .extend(
    'idsOf',
    ({ nameOf }) =>
      (items: { id: string }[]) =>
        items.map(({ id }) => nameOf(id)),
  )
  .extend(
    'root',
    ({ send, idsOf }) =>
      async () =>
        idsOf((await send('GET', '/structure')).body.structure),
  );

describe('POST .../section-groups', () => {
  it('adds a group at the end of the root with sections in the given order', async ({
    reader,
    send,
    add,
    at,
    idsOf,
    root,
  }) => {
    const { status, body } = await add({ title: ' Guides ', icon: 'book', sections: [at(2), at(0)] });
    expect(status).toBe(201);
    expect(body).toMatchObject({ object: 'site-section-group', title: 'Guides', icon: 'book', draft: false });
    expect(idsOf(body.sections)).toEqual([2, 0]);
    expect(body.children).toEqual(body.sections);
    for (const section of body.sections) expect(section.sectionGroup).toBe(body.id);
    expect(await root()).toEqual([1, 3, 'group']);
    expect(idsOf((await send('GET', '/sections')).body.items)).toEqual([1, 3, 2, 0]);
    const list = await send('GET', '/section-groups', undefined, reader);
    expect(list.body).toMatchObject({
      count: 1,
      items: [{ id: body.id, sections: [{ id: at(2) }, { id: at(0) }] }],
    });
  });

  it('takes sections out of other groups', async ({ send, add, at, idsOf }) => {
    const first = (await add({ title: 'First', sections: [at(0), at(1)] })).body;
    const second = (await add({ title: 'Second', sections: [at(1)] })).body;
    expect([idsOf(second.sections), second.icon]).toEqual([[1], undefined]);
    const { items } = (await send('GET', '/section-groups')).body;
    expect(
      items.map(({ id, sections: own }: { id: string; sections: { id: string }[] }) => [id, idsOf(own)]),
    ).toEqual([
      [first.id, [0]],
      [second.id, [1]],
    ]);
    const page = (await send('GET', '/section-groups?limit=1')).body;
    expect((await send('GET', `/section-groups?limit=1&page=${page.next.page}`)).body).toMatchObject({
      count: 2,
      items: [{ id: second.id }],
    });
  });

  it('refuses an invalid group, and moves no section', async ({
    organization,
    reader,
    space,
    add,
    at,
    root,
  }) => {
    const elsewhere = await buildSection(await buildSite(organization), { space });
    for (const body of [
      {},
      { title: '' },
      { title: ' ' },
      { title: 'x'.repeat(101) },
      { title: 'G', icon: 'x'.repeat(51) },
      { title: 'G', sections: 'all' },
      { title: 'G', sections: [at(0), 'nothing'] },
      { title: 'G', sections: [at(0), elsewhere._id] },
      { title: 'G', sections: [at(0), at(0)] },
    ])
      expect([body, (await add(body)).status]).toEqual([body, 400]);
    expect((await add({ title: 'G' }, reader)).status).toBe(403);
    expect(await root()).toEqual([0, 1, 2, 3]);
  });
});

describe('a section in a group', () => {
  it('is added at the end, moves from another group, and stays in place when added again', async ({
    organization,
    creator,
    reader,
    space,
    send,
    add,
    at,
    idsOf,
    root,
  }) => {
    const one = (await add({ title: 'One', sections: [at(0)] })).body;
    const two = (await add({ title: 'Two' })).body;
    const into = (group: { id: string }, sectionId: unknown, user = creator) =>
      send('POST', `/section-groups/${group.id}/sections`, { sectionId }, user);
    expect(idsOf((await into(one, at(3))).body.sections)).toEqual([0, 3]);
    expect((await into(one, at(0))).status).toBe(201);
    expect(idsOf((await into(one, at(0))).body.sections)).toEqual([0, 3]);
    expect(idsOf((await into(two, at(0))).body.sections)).toEqual([0]);
    const elsewhere = await buildSection(await buildSite(organization), { space });
    for (const id of ['nothing', elsewhere._id, null]) expect((await into(one, id)).status).toBe(400);
    expect((await into(one, at(1), reader)).status).toBe(403);
    expect((await into({ id: 'nothing' }, at(1))).status).toBe(404);

    const outOf = (group: { id: string }, sectionId: string, user = creator) =>
      send('DELETE', `/section-groups/${group.id}/sections/${sectionId}`, undefined, user);
    expect((await outOf(one, at(3), reader)).status).toBe(403);
    // It is in the other group.
    expect((await outOf(one, at(0))).status).toBe(204);
    expect((await outOf(two, 'nothing')).status).toBe(204);
    expect((await outOf({ id: 'nothing' }, at(0))).status).toBe(404);
    const groups = async () =>
      (await send('GET', '/section-groups')).body.items.map((item: { sections: [] }) => idsOf(item.sections));
    expect(await groups()).toEqual([[3], [0]]);
    expect((await outOf(two, at(0))).status).toBe(204);
    expect(await groups()).toEqual([[3], []]);
    expect(await root()).toEqual([1, 2, 'group', 'group', 0]);
    expect((await send('GET', '/sections')).body.items.at(-1)).not.toHaveProperty('sectionGroup');
  });

  it('can be the default section like any other', async ({ send, add, at }) => {
    await add({ title: 'Group', sections: [at(2)] });
    expect((await send('PATCH', '', { defaultSiteSection: at(2) })).status).toBe(200);
    expect((await send('GET', '/section-groups')).body.items[0].sections[0].default).toBe(true);
  });
});

describe('PATCH and DELETE .../section-groups/{siteSectionGroupId}', () => {
  it('changes title and icon', async ({ creator, reader, send, add, at }) => {
    const { body: before } = await add({ title: 'Group', sections: [at(0)] });
    const patch = (json?: unknown, user = creator) =>
      send('PATCH', `/section-groups/${before.id}`, json, user);
    expect((await patch({ title: ' New ', icon: 'gear' })).body).toEqual({
      ...before,
      title: 'New',
      icon: 'gear',
    });
    for (const body of [{}, undefined])
      expect((await patch(body)).body).toMatchObject({ title: 'New', icon: 'gear' });
    expect((await patch({ icon: null })).body).toEqual({ ...before, title: 'New' });
    for (const body of [{ title: '' }, { title: null }, { icon: 'x'.repeat(51) }])
      expect((await patch(body)).status).toBe(400);
    expect((await patch({ title: 'X' }, reader)).status).toBe(403);
    expect((await send('PATCH', '/section-groups/nothing', {})).status).toBe(404);
  });

  it('a removed group leaves its sections in its place, in their order', async ({
    reader,
    send,
    add,
    at,
    root,
  }) => {
    const { body: group } = await add({ title: 'Group', sections: [at(3), at(1)] });
    await send('POST', `/section-groups/${group.id}/move`, {
      position: { after: { type: 'site-section', id: at(0) } },
    });
    expect(await root()).toEqual([0, 'group', 2]);
    expect((await send('DELETE', `/section-groups/${group.id}`, undefined, reader)).status).toBe(403);
    expect((await send('DELETE', `/section-groups/${group.id}`)).status).toBe(204);
    expect(await root()).toEqual([0, 3, 1, 2]);
    const { items } = (await send('GET', '/sections')).body;
    for (const section of items) expect(section).not.toHaveProperty('sectionGroup');
    expect((await send('DELETE', `/section-groups/${group.id}`)).status).toBe(204);
  });
});
