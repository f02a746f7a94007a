import { expect } from 'vitest';
import { buildSite, buildSiteSpace, buildSpace } from '../../support/factories.ts';
import { indexWhatWaits, publishPages } from '../../support/content/indexing.ts';
import { it as base } from './clientHarness.ts';

const it = base
  .extend('handbook', { scope: 'file' }, async ({ api, organization }) => {
    const handbook = await publishPages(await buildSpace(organization, { title: 'Handbook' }), [
      {
        id: 'guide',
        title: 'Guide',
        description: 'Where to begin',
        source: '# Guide\n\nWords before.\n\n## With a heading\n\nWords below it.',
        pages: [{ id: 'empty', title: 'Words in a title' }],
      },
    ]);
    await indexWhatWaits(api.config);
    return handbook;
  })
  .extend('siteSpace', { scope: 'file' }, async ({ organization, handbook }) =>
    buildSiteSpace(await buildSite(organization), { space: handbook }),
  );

it('searches a space page by page, with the sections of pages', async ({ client, handbook }) => {
  const { data } = await client.call('searchSpaceContent', [handbook._id, { query: 'words' }]);
  expect(data).toMatchObject({
    count: 2,
    items: [
      { id: 'empty', ancestors: [{ title: 'Guide' }] },
      { id: 'guide', description: 'Where to begin' },
    ],
  });
  expect(data.items[1].sections).toHaveLength(2);
  const first = await client.call('searchSpaceContent', [handbook._id, { query: 'words', limit: 1 }]);
  const second = await client.call('searchSpaceContent', [
    handbook._id,
    { query: 'words', limit: 1, page: first.data.next.page },
  ]);
  expect([...first.data.items, ...second.data.items]).toEqual(data.items);
  await client.call('searchSpaceContent', [handbook._id, { query: '!?' }]);
  expect(await client.refused('searchSpaceContent', [handbook._id, { query: '' }])).toMatchObject({
    code: 400,
  });
  client.expectValid('searchSpaceContent');
});

it('searches an organization', async ({ client, organization, handbook }) => {
  const { data } = await client.call('searchOrganizationContent', [organization._id, { query: 'words' }]);
  expect(data).toMatchObject({
    count: 1,
    items: [
      { type: 'space', id: handbook._id, title: 'Handbook', pages: [{ id: 'empty' }, { id: 'guide' }] },
    ],
  });
  await client.call('searchOrganizationContent', [organization._id, { query: 'nothing of the kind' }]);
  client.expectValid('searchOrganizationContent');
});

it('searches a site in every scope', async ({ client, organization, handbook, siteSpace }) => {
  const search = async (body: object) =>
    (await client.call('searchSiteContent', [organization._id, siteSpace.site, { query: 'words', ...body }]))
      .data;
  for (const body of [
    { scope: { mode: 'all' } },
    { scope: { mode: 'default' } },
    { scope: { mode: 'default', currentSiteSpace: siteSpace._id } },
    { scope: { mode: 'specific', siteSpaceIds: [siteSpace._id] } },
    { mode: 'all' },
    { mode: 'current', siteSpaceId: siteSpace._id },
    { siteSpaceIds: [siteSpace._id] },
  ])
    expect([body, await search(body)]).toMatchObject([body, { count: 1, items: [{ id: handbook._id }] }]);
  expect(
    await search({
      scope: { mode: 'default', currentSiteSpace: siteSpace._id, restrictTo: 'otherSiteSpaces' },
    }),
  ).toMatchObject({
    count: 0,
  });
  client.expectValid('searchSiteContent');
});
