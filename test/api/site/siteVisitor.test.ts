import type { SpaceRecord } from '@bindery/models';
import type { ContentToken } from '@bindery/publishing';
import { describe, expect } from 'vitest';
import { contentTokenFor } from '../../support/http/contentTokenFor.ts';
import {
  buildOrganization,
  buildSection,
  buildSectionGroup,
  buildSite,
  buildSiteSpace,
  buildSpace,
  changeSpace,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend('spaces', ({ organization }) =>
    Promise.all(
      ['A', 'B', 'C', 'D'].map((title) =>
        buildSpace(organization, {
          title,
          defaultLevel: null,
          gitSync: { provider: 'github', repoName: 'secret', updatedAt: new Date() },
        }),
      ),
    ),
  )
  .extend('site', ({ organization }) =>
    buildSite(organization, { visibility: 'unlisted', isPublished: true }),
  )
  .extend(
    'spaceAt',
    ({ spaces }) =>
      (place: number) =>
        spaces[place] as SpaceRecord,
  )
  .extend(
    'tokenFor',
    ({ api, site }) =>
      async (fields: Partial<ContentToken> = {}) =>
        contentTokenFor(api, site, fields),
  )
  .extend(
    'send',
    ({ api, organization, site }) =>
      (method: string, path: string, token: string, { _id } = site) =>
        api.call(method, `/v1/orgs/${organization._id}/sites/${_id}${path}`, {
          token,
          ...(method !== 'GET' && { json: {} }),
        }),
  )
  .extend(
    'spacesOn',
    ({ send }) =>
      async (token: string) =>
        (await send('GET', '/site-spaces', token)).body.items.map(({ title }: { title: string }) => title),
  );

describe('a visitor with the content token of a site', () => {
  it('reads its structure, site spaces and sections, without the internals of its spaces', async ({
    site,
    spaceAt,
    tokenFor,
    send,
  }) => {
    await buildSiteSpace(site, { space: spaceAt(0) });
    const token = await tokenFor();
    const structure = await send('GET', '/structure', token);
    expect([structure.status, structure.body]).toMatchObject([
      200,
      { type: 'siteSpaces', structure: [{ title: 'A', default: true }] },
    ]);
    const [shown] = (await send('GET', '/site-spaces', token)).body.items;
    expect(shown.space).not.toHaveProperty('gitSync');
    expect(shown.space.permissions).toMatchObject({
      view: true,
      access: true,
      comment: false,
      edit: false,
      admin: false,
    });
    expect((await send('GET', '/sections', token)).body).toEqual({ items: [], count: 0 });
  });

  it('sees only the spaces that are not deleted and whose condition the visitor meets', async ({
    organization,
    spaces,
    site,
    spaceAt,
    tokenFor,
    send,
    spacesOn,
  }) => {
    for (const one of spaces) await buildSiteSpace(site, { space: one });
    const token = await tokenFor({ claims: { plan: 'pro' } });
    expect(await spacesOn(token)).toEqual(['A', 'B', 'C', 'D']);
    await changeSpace(spaceAt(1), { deletedAt: new Date() });
    expect(await spacesOn(token)).toEqual(['A', 'C', 'D']);
    const third = await buildSite(organization, { visibility: 'unlisted', isPublished: true });
    await buildSiteSpace(third, { space: spaceAt(0), condition: 'visitor.claims.plan == "pro"' });
    await buildSiteSpace(third, { space: spaceAt(2), condition: 'visitor.claims.plan == "free"' });
    const onThird = (claims: object) => tokenFor({ site: third._id, claims: { ...claims } });
    const seen = async (claims: object) =>
      (await send('GET', '/site-spaces', await onThird(claims), third)).body;
    expect(await seen({ plan: 'pro' })).toMatchObject({ count: 1, items: [{ title: 'A' }] });
    expect(await seen({})).toEqual({ items: [], count: 0 });
  });

  it('sees no section that is closed or empty to the visitor, and no group without sections', async ({
    site,
    spaceAt,
    tokenFor,
    send,
    spacesOn,
  }) => {
    const sections = [
      await buildSection(site, { space: spaceAt(0), title: 'Open' }),
      await buildSection(site, { space: spaceAt(1), title: 'Closed', condition: 'visitor.claims.beta' }),
      await buildSection(site, { space: spaceAt(2), title: 'Grouped' }),
    ];
    await buildSectionGroup(site, { sections: sections.slice(1, 2) });
    await buildSectionGroup(site, { sections: sections.slice(2) });
    const titles = async (token: string) =>
      (await send('GET', '/structure', token)).body.structure.map(
        (one: { title: string; sections?: { title: string }[] }) =>
          one.sections ? one.sections.map(({ title }) => title) : one.title,
      );
    expect(await titles(await tokenFor())).toEqual(['Open', ['Grouped']]);
    expect(await titles(await tokenFor({ claims: { beta: true } }))).toEqual([
      'Open',
      ['Closed'],
      ['Grouped'],
    ]);
    expect((await send('GET', '/sections', await tokenFor())).body).toMatchObject({
      count: 2,
      items: [{ title: 'Open' }, { title: 'Grouped' }],
    });
    expect(await spacesOn(await tokenFor())).toEqual(['A', 'C']);
  });

  it('reads no other site and no data for members only, and changes nothing', async ({
    api,
    organization,
    site,
    tokenFor,
    send,
  }) => {
    const token = await tokenFor();
    const other = await buildSite(organization, { visibility: 'unlisted', isPublished: true });
    const foreign = await buildOrganization();
    expect((await send('GET', '/structure', token, other)).status).toBe(404);
    expect(
      (await api.call('GET', `/v1/orgs/${foreign.organization._id}/sites/${site._id}/structure`, { token }))
        .status,
    ).toBe(404);
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/section-groups'],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/site-spaces'],
      ['POST', '/sections'],
      ['PATCH', '/structure/sort'],
      ['POST', '/unpublish'],
    ] as const)
      expect([method, path, (await send(method, path, token)).status]).toEqual([method, path, 403]);
    expect((await send('GET', '/structure', token)).status).toBe(200);
  });
});
