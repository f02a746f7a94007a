import { expect } from 'vitest';
import {
  buildChangeRequest,
  buildCollection,
  buildRevision,
  buildSection,
  buildSectionGroup,
  buildSite,
  buildSiteSpace,
  buildSpace,
} from '../../support/factories.ts';
import { it as base } from './clientHarness.ts';

const it = base
  .extend('guide', { scope: 'file' }, async ({ organization }) => {
    const guide = await buildSpace(organization, { title: 'Guide' });
    await buildRevision(guide, {
      pages: [{ id: 'page1', title: 'Start', path: 'start', source: '# Start' }],
    });
    return guide;
  })
  .extend('other', { scope: 'file' }, ({ organization }) => buildSpace(organization, { title: 'Reference' }))
  .extend('site', { scope: 'file' }, ({ organization }) =>
    buildSite(organization, { title: 'Docs', isPublished: true }),
  )
  .extend(
    'urlOfSite',
    ({ organization, site }) =>
      (path = '') =>
        `http://api.test/${organization._id}/${site.basename}${path}`,
  );

it('resolves the URL of a site, and reads the site with the content token', async ({
  client,
  organization,
  guide,
  other,
  site,
  urlOfSite,
}) => {
  const inSite = [organization._id, site._id];
  await client.call('getPublishedContentSite', inSite);
  await buildSiteSpace(site, { space: guide });
  const { data: found } = await client.call('resolvePublishedContentByUrl', [{ url: urlOfSite('/start') }], {
    token: null,
  });
  expect(found).toMatchObject({ space: guide._id, pathname: '/start' });
  await client.call('resolvePublishedContentByUrl', [
    { url: urlOfSite(), redirectOnError: true, visitor: { type: 'human', unsignedClaims: { a: 1 } } },
  ]);
  const { data: shown } = await client.call('getPublishedContentSite', inSite, { token: found.apiToken });
  expect(shown.structure).toMatchObject({ type: 'siteSpaces', structure: [{ space: { id: guide._id } }] });

  const section = await buildSection(site, { space: other, title: 'API', icon: 'gear' });
  await buildSectionGroup(site, { title: 'More', sections: [section] });
  const { data: inSections } = await client.call('getPublishedContentSite', inSite, {
    token: found.apiToken,
  });
  expect(inSections.structure.type).toBe('sections');
  const { data: redirect } = await client.call('resolvePublishedContentByUrl', [
    { url: urlOfSite('/docs/guide/start') },
  ]);
  expect(redirect).toEqual({ target: 'content', redirect: urlOfSite('/start') });
  await client.call('getSpaceById', [guide._id], { token: found.apiToken });
  client.expectValid('resolvePublishedContentByUrl', 'getPublishedContentSite', 'getSpaceById');
});

it('resolves URLs of the application, and describes any URL', async ({ client, organization, guide }) => {
  const collection = await buildCollection(organization, { title: 'Manuals' });
  const changeRequest = await buildChangeRequest(guide);
  for (const path of [
    `c/${collection._id}`,
    `s/${guide._id}`,
    `s/${guide._id}/~/changes/${changeRequest.number}/~/pages/page1`,
  ])
    await client.call('getContentByUrl', [{ url: `http://api.test/${path}` }]);
  await client.call('getEmbedByUrl', [{ url: 'https://example.org/getting-started' }]);
  await client.call('getEmbedByUrlInSpace', [guide._id, { url: 'https://example.org' }]);
  client.expectValid('getContentByUrl', 'getEmbedByUrl', 'getEmbedByUrlInSpace');
});
