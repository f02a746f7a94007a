import type { SiteSpaceRecord, SpaceRecord } from '@bindery/models';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildSite, buildSiteSpace, buildSpace } from '../support/factories.ts';
import { indexWhatWaits, publishPages } from '../support/indexing.ts';
import { startClient, type ClientHarness } from './clientHarness.ts';

let client: ClientHarness;
let space: SpaceRecord;
let siteSpace: SiteSpaceRecord;

beforeAll(async () => {
  client = await startClient();
  space = await publishPages(await buildSpace(client.organization, { title: 'Handbook' }), [
    {
      id: 'guide',
      title: 'Guide',
      description: 'Where to begin',
      source: '# Guide\n\nWords before.\n\n## With a heading\n\nWords below it.',
      pages: [{ id: 'empty', title: 'Words in a title' }],
    },
  ]);
  await indexWhatWaits(client.api.config);
  siteSpace = await buildSiteSpace(await buildSite(client.organization), { space });
});
afterAll(() => client.close());

it('searches a space, with sections and without', async () => {
  const { data } = await client.call('searchSpaceContent', [space._id, { query: 'words' }]);
  expect(data).toMatchObject({
    count: 2,
    items: [
      { id: 'empty', ancestors: [{ title: 'Guide' }] },
      { id: 'guide', description: 'Where to begin' },
    ],
  });
  expect(data.items[1].sections).toHaveLength(2);
  const first = await client.call('searchSpaceContent', [space._id, { query: 'words', limit: 1 }]);
  const second = await client.call('searchSpaceContent', [space._id, { query: 'words', limit: 1, page: first.data.next.page }]);
  expect([...first.data.items, ...second.data.items]).toEqual(data.items);
  await client.call('searchSpaceContent', [space._id, { query: '!?' }]);
  expect(await client.refused('searchSpaceContent', [space._id, { query: '' }])).toMatchObject({ code: 400 });
  client.expectValid('searchSpaceContent');
});

it('searches an organization', async () => {
  const { data } = await client.call('searchOrganizationContent', [client.organization._id, { query: 'words' }]);
  expect(data).toMatchObject({
    count: 1,
    items: [{ type: 'space', id: space._id, title: 'Handbook', pages: [{ id: 'empty' }, { id: 'guide' }] }],
  });
  await client.call('searchOrganizationContent', [client.organization._id, { query: 'nothing of the kind' }]);
  client.expectValid('searchOrganizationContent');
});

it('searches a site in every scope', async () => {
  const search = async (body: object) =>
    (await client.call('searchSiteContent', [client.organization._id, siteSpace.site, { query: 'words', ...body }])).data;
  for (const body of [
    { scope: { mode: 'all' } },
    { scope: { mode: 'default' } },
    { scope: { mode: 'default', currentSiteSpace: siteSpace._id } },
    { scope: { mode: 'specific', siteSpaceIds: [siteSpace._id] } },
    { mode: 'all' },
    { mode: 'current', siteSpaceId: siteSpace._id },
    { siteSpaceIds: [siteSpace._id] },
  ])
    expect([body, await search(body)]).toMatchObject([body, { count: 1, items: [{ id: space._id }] }]);
  expect(await search({ scope: { mode: 'default', currentSiteSpace: siteSpace._id, restrictTo: 'otherSiteSpaces' } })).toMatchObject({
    count: 0,
  });
  client.expectValid('searchSiteContent');
});
