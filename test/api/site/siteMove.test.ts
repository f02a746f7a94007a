import type { SiteSectionRecord, SiteSpaceRecord, SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildSection,
  buildSectionGroup,
  buildSite,
  buildSiteSpace,
  buildSpace,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const itOnSite = base
  .extend('spaces', { scope: 'file' }, ({ organization }) =>
    Promise.all(['A', 'B', 'C', 'D'].map((title) => buildSpace(organization, { title }))),
  )
  .extend('site', ({ organization }) => buildSite(organization))
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
    'sort',
    ({ send }) =>
      (item: object, position: unknown) =>
        send('PATCH', '/structure/sort', { item, position }),
  )
  .extend(
    'itemsOf',
    ({ send }) =>
      async (path: string) =>
        (await send('GET', path)).body.items.map(({ id }: { id: string }) => id),
  );

describe('site spaces', () => {
  const it = itOnSite.extend('siteSpaces', async ({ spaces, site, send, itemsOf }) => {
    const own: SiteSpaceRecord[] = [];
    for (const space of spaces) own.push(await buildSiteSpace(site, { space }));
    const at = (place: number) => (own[place] as SiteSpaceRecord)._id;
    return {
      at,
      pointer: (place: number) => ({ type: 'site-space', siteSpace: at(place) }),
      move: (place: number, json: unknown) => send('POST', `/site-spaces/${at(place)}/move`, json),
      order: async () =>
        (await itemsOf('/site-spaces')).map((id: string) => own.findIndex(({ _id }) => _id === id)),
    };
  });

  it.for<readonly [moved: number, to: { before?: number; after?: number }, expected: number[]]>([
    [3, { before: 0 }, [3, 0, 1, 2]],
    [0, { after: 3 }, [1, 2, 3, 0]],
    [0, { after: 1 }, [1, 0, 2, 3]],
    [3, { before: 2 }, [0, 1, 3, 2]],
    [0, { after: 1, before: 2 }, [1, 0, 2, 3]],
    // Nothing changes.
    [0, { before: 1 }, [0, 1, 2, 3]],
    [1, { after: 0 }, [0, 1, 2, 3]],
    [1, { after: 0, before: 2 }, [0, 1, 2, 3]],
  ])(
    '%i to %j',
    async ([moved, { before, after }, expected], { siteSpaces: { at, pointer, move, order } }) => {
      const position = {
        ...(before !== undefined && { before: pointer(before) }),
        ...(after !== undefined && { after: pointer(after) }),
      };
      const { status, body } = await move(moved, { position });
      expect([status, body.id]).toEqual([200, at(moved)]);
      expect(await order()).toEqual(expected);
    },
  );

  it('stay in place without a position', async ({ siteSpaces: { move, order } }) => {
    for (const body of [{}, undefined]) expect((await move(1, body)).status).toBe(200);
    expect(await order()).toEqual([0, 1, 2, 3]);
  });

  it('are refused an invalid neighbour, and keep their order', async ({
    organization,
    reader,
    spaces,
    send,
    siteSpaces,
  }) => {
    const { at, pointer, move, order } = siteSpaces;
    const elsewhere = await buildSiteSpace(await buildSite(organization), {
      space: spaces[0] as SpaceRecord,
    });
    const positions = [
      {},
      null,
      'first',
      { before: {} },
      { before: null },
      { before: pointer(1) },
      { before: { type: 'site-space', siteSpace: 'nothing' } },
      { before: { type: 'site-space', siteSpace: elsewhere._id } },
      { before: { type: 'site-section', siteSection: at(0) } },
      { before: { type: 'space', space: (spaces[0] as SpaceRecord)._id } },
      // Not next to each other, and in the wrong order.
      { after: pointer(0), before: pointer(3) },
      { after: pointer(3), before: pointer(2) },
      { after: pointer(2), before: pointer(2) },
    ];
    for (const position of positions)
      expect([position, (await move(1, { position })).status]).toEqual([position, 400]);
    expect(await order()).toEqual([0, 1, 2, 3]);
    expect((await send('POST', `/site-spaces/${at(0)}/move`, {}, reader)).status).toBe(403);
  });

  it('report in headers that the operation is deprecated, and name its successor', async ({
    organization,
    site,
    send,
    siteSpaces: { move },
  }) => {
    const { headers } = await move(0, {});
    expect(headers.get('deprecation')).toMatch(/^@\d{10}$/);
    expect(headers.get('link')).toBe(
      `<http://api.test/v1/orgs/${organization._id}/sites/${site._id}/structure/sort>; rel="successor-version"`,
    );
    expect((await move(0, { position: null })).headers.get('deprecation')).toMatch(/^@/);
    expect((await send('GET', '/structure')).headers.get('deprecation')).toBeNull();
  });
});

describe('sections and groups', () => {
  // The root is: 0, 1, the group of 2 and 3, then 4.
  const it = itOnSite.extend('structure', async ({ spaces, site, send }) => {
    const sections: SiteSectionRecord[] = [];
    for (let i = 0; i < 4; i++) sections.push(await buildSection(site, { space: spaces[i] as SpaceRecord }));
    const group = await buildSectionGroup(site, { sections: sections.slice(2) });
    sections.push(await buildSection(site, { space: spaces[0] as SpaceRecord }));
    const at = (place: number) => (sections[place] as SiteSectionRecord)._id;
    const nameOf = (id: string) => (id === group._id ? 'group' : sections.findIndex(({ _id }) => _id === id));
    return {
      sections,
      group,
      at,
      nameOf,
      section: (place: number) => ({ type: 'site-section', id: at(place) }),
      theGroup: () => ({ type: 'site-section-group', id: group._id }),
      root: async () =>
        (await send('GET', '/structure')).body.structure.map(({ id }: { id: string }) => nameOf(id)),
      inGroup: async () =>
        (await send('GET', '/section-groups')).body.items[0].sections.map(({ id }: { id: string }) =>
          nameOf(id),
        ),
    };
  });

  it('share one order at the root, and have their own order in a group', async ({
    send,
    itemsOf,
    structure,
  }) => {
    const { group, at, nameOf, section, root, inGroup } = structure;
    expect([await root(), await inGroup()]).toEqual([
      [0, 1, 'group', 4],
      [2, 3],
    ]);
    expect((await itemsOf('/sections')).map(nameOf)).toEqual([0, 1, 2, 3, 4]);

    const moved = await send('POST', `/sections/${at(4)}/move`, {
      position: { before: { type: 'site-section', siteSection: at(1) } },
    });
    expect([moved.status, moved.body]).toMatchObject([200, { object: 'site-section', id: at(4) }]);
    expect(await root()).toEqual([0, 4, 1, 'group']);

    const ahead = await send('POST', `/section-groups/${group._id}/move`, {
      position: { before: section(0) },
    });
    expect([ahead.status, ahead.body]).toMatchObject([200, { object: 'site-section-group', id: group._id }]);
    expect(await root()).toEqual(['group', 0, 4, 1]);
    expect((await itemsOf('/sections')).map(nameOf)).toEqual([2, 3, 0, 4, 1]);

    await send('POST', `/sections/${at(3)}/move`, {
      position: { before: { type: 'site-section', siteSection: at(2) } },
    });
    expect(await inGroup()).toEqual([3, 2]);
    expect((await itemsOf('/sections')).map(nameOf)).toEqual([3, 2, 0, 4, 1]);
  });

  it('are sorted by one operation for all kinds, which returns the moved item', async ({
    spaces,
    site,
    sort,
    itemsOf,
    structure,
  }) => {
    const { sections, at, section, theGroup, root, inGroup } = structure;
    expect((await sort(section(4), { after: section(0) })).body).toMatchObject({
      object: 'site-section',
      id: at(4),
    });
    expect((await sort(section(1), { after: theGroup() })).status).toBe(200);
    expect(await root()).toEqual([0, 4, 'group', 1]);
    expect((await sort(theGroup(), { after: section(0), before: section(4) })).body).toMatchObject({
      object: 'site-section-group',
    });
    expect(await root()).toEqual([0, 'group', 4, 1]);
    expect((await sort(section(3), { before: section(2) })).status).toBe(200);
    expect(await inGroup()).toEqual([3, 2]);
    const { defaultSiteSpace } = sections[0] as SiteSectionRecord;
    const variant = await buildSiteSpace(site, { space: spaces[1] as SpaceRecord, section: at(0) });
    const { body } = await sort(
      { type: 'site-space', id: variant._id },
      { before: { type: 'site-space', id: defaultSiteSpace } },
    );
    expect(body).toMatchObject({ object: 'site-space', id: variant._id, default: false });
    expect((await itemsOf('/site-spaces')).slice(0, 2)).toEqual([variant._id, defaultSiteSpace]);
  });

  it('are refused a neighbour in another place, and an item of a wrong type', async ({
    organization,
    reader,
    spaces,
    send,
    sort,
    structure,
  }) => {
    const { sections, group, at, section, theGroup, root, inGroup } = structure;
    const refused: [object, unknown][] = [
      [section(0), { before: section(2) }],
      [section(2), { before: section(0) }],
      [section(2), { after: theGroup() }],
      [theGroup(), { after: section(3) }],
      [theGroup(), { after: theGroup() }],
      [section(0), { after: { type: 'site-section', id: group._id } }],
      [section(0), { after: { type: 'site-section-group', id: at(1) } }],
      [
        section(0),
        { after: { type: 'site-space', id: (sections[1] as SiteSectionRecord).defaultSiteSpace } },
      ],
      [section(0), { after: { type: 'site-external-link', id: at(1) } }],
      [{ type: 'site-section', id: 'nothing' }, { after: section(0) }],
      [{ type: 'site-section-group', id: at(0) }, { after: section(1) }],
      [section(0), {}],
      [section(0), undefined],
      [section(0), { after: section(0), before: section(4) }],
    ];
    for (const [item, position] of refused)
      expect([item, position, (await sort(item, position)).status]).toEqual([item, position, 400]);
    expect(
      (
        await send('POST', `/sections/${at(0)}/move`, {
          position: { after: { type: 'site-section', siteSection: group._id } },
        })
      ).status,
    ).toBe(400);
    expect(
      (
        await send('POST', `/section-groups/${group._id}/move`, {
          position: { after: { type: 'site-section', id: group._id } },
        })
      ).status,
    ).toBe(400);
    const elsewhere = await buildSection(await buildSite(organization), { space: spaces[0] as SpaceRecord });
    expect((await sort({ type: 'site-section', id: elsewhere._id }, { after: section(0) })).status).toBe(400);
    expect([await root(), await inGroup()]).toEqual([
      [0, 1, 'group', 4],
      [2, 3],
    ]);
    for (const [path, json] of [
      [`/sections/${at(0)}/move`, {}],
      [`/section-groups/${group._id}/move`, {}],
    ] as const)
      expect([
        (await send('POST', path, json)).status,
        (await send('POST', path, json, reader)).status,
      ]).toEqual([200, 403]);
    expect(
      (await send('PATCH', '/structure/sort', { item: section(0), position: { after: section(1) } }, reader))
        .status,
    ).toBe(403);
  });
});
