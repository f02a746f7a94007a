import { describe, expect } from 'vitest';
import { buildMember, buildOrganization, buildSite, buildSpace } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend('held', { scope: 'file' }, ({ organization }) => buildSpace(organization))
  .extend('list', ({ api, organization, reader }) => async (query = '', { token } = reader) => {
    const { status, body } = await api.call('GET', `/v1/orgs/${organization._id}/sites${query}`, { token });
    return { status, body, titles: body.items?.map(({ title }: { title: string }) => title) };
  });

it.beforeAll(async ({ organization, held }) => {
  await buildSite(organization, { title: 'Alpha docs', type: 'basic' });
  await buildSite(organization, { title: 'Beta Docs (a+)+$', type: 'premium', isPublished: true });
  await buildSite(organization, { title: 'Gamma 100%', type: 'ultimate', spaces: [held], isPublished: true });
  await buildSite(organization, { title: 'Delta', type: 'premium', spaces: [held] });
  const other = await buildOrganization();
  await buildSite(other.organization, {
    title: 'Docs elsewhere',
    spaces: [await buildSpace(other.organization)],
  });
});

describe('GET /v1/orgs/{organizationId}/sites', () => {
  it('lists the newest first, page by page', async ({ list }) => {
    expect((await list()).titles).toEqual(['Delta', 'Gamma 100%', 'Beta Docs (a+)+$', 'Alpha docs']);
    const { body, titles } = await list('?limit=3');
    expect([titles.length, body.count]).toEqual([3, 4]);
    const rest = await list(`?limit=3&page=${body.next.page}`);
    expect(rest.titles).toEqual(['Alpha docs']);
    expect(rest.body).not.toHaveProperty('next');
    expect((await list('?limit=0')).body).toEqual({ items: [], count: 4 });
  });

  it.for([
    ['?title=docs', ['Beta Docs (a+)+$', 'Alpha docs']],
    ['?title=(a%2B)%2B%24', ['Beta Docs (a+)+$']],
    ['?title=.*', []],
    ['?title=%25', ['Gamma 100%']],
    ['?title=', ['Delta', 'Gamma 100%', 'Beta Docs (a+)+$', 'Alpha docs']],
    ['?published=true', ['Gamma 100%', 'Beta Docs (a+)+$']],
    ['?published=false', ['Delta', 'Alpha docs']],
    ['?type=premium', ['Delta', 'Beta Docs (a+)+$']],
    ['?type=premium&type=ultimate', ['Delta', 'Gamma 100%', 'Beta Docs (a+)+$']],
    ['?type[]=basic&type[]=ultimate', ['Gamma 100%', 'Alpha docs']],
    ['?type=premium&published=true&title=BETA', ['Beta Docs (a+)+$']],
  ] as const)('%s', async ([query, expected], { list }) => {
    const { titles, body } = await list(query);
    expect(titles).toEqual(expected);
    expect(body.count).toBe(expected.length);
  });

  it('finds the sites that hold a space, also with other filters', async ({ held, list }) => {
    expect((await list(`?space=${held._id}`)).titles).toEqual(['Delta', 'Gamma 100%']);
    expect((await list(`?space=${held._id}&published=true`)).titles).toEqual(['Gamma 100%']);
    expect((await list(`?space=${held._id}&title=beta`)).titles).toEqual([]);
    expect((await list('?space=nothing')).titles).toEqual([]);
    const first = await list(`?space=${held._id}&limit=1`);
    expect((await list(`?space=${held._id}&limit=1&page=${first.body.next.page}`)).titles).toEqual([
      'Gamma 100%',
    ]);
    // The token is for the list with these filters only.
    expect((await list(`?limit=1&page=${first.body.next.page}`)).status).toBe(400);
  });

  it.for([
    '?published=yes',
    '?published=1',
    '?type=gold',
    '?limit=1001',
    '?limit=-1',
    '?limit=1e2',
    '?page=garbage',
    `?title=${'x'.repeat(129)}`,
  ])('refuses %s', async (query, { list }) => {
    expect((await list(query)).status).toBe(400);
  });

  it('hides all sites from guests, and shows members all sites with their own permissions', async ({
    organization,
    admin,
    list,
  }) => {
    const guest = await buildMember(organization, null);
    expect((await list('', guest)).body).toEqual({ items: [], count: 0 });
    expect((await list('', admin)).body.items[0].permissions.admin).toBe(true);
    expect((await list()).body.items[0].permissions.admin).toBe(false);
    const outsider = (await buildOrganization()).admin;
    expect((await list('', outsider)).status).toBe(404);
  });
});
