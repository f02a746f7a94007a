import type { SiteRecord, SpaceRecord } from '@bindery/models';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  buildChangeRequest,
  buildCollection,
  buildRevision,
  buildSection,
  buildSectionGroup,
  buildSite,
  buildSiteSpace,
  buildSpace,
} from '../support/factories.ts';
import { startClient, type ClientHarness } from './clientHarness.ts';

let client: ClientHarness;
let site: SiteRecord;
let space: SpaceRecord;
let other: SpaceRecord;

beforeAll(async () => {
  client = await startClient();
  const { organization } = client;
  space = await buildSpace(organization, { title: 'Guide' });
  other = await buildSpace(organization, { title: 'Reference' });
  await buildRevision(space, { pages: [{ id: 'page1', title: 'Start', path: 'start', source: '# Start' }] });
  site = await buildSite(organization, { title: 'Docs', isPublished: true });
});
afterAll(() => client.close());

const urlOfSite = (path = '') => `http://api.test/${client.organization._id}/${site.basename}${path}`;

it('resolves the URL of a site, and reads it with the token of the answer', async () => {
  const inSite = [client.organization._id, site._id];
  await client.call('getPublishedContentSite', inSite);
  await buildSiteSpace(site, { space });
  const { data: found } = await client.call('resolvePublishedContentByUrl', [{ url: urlOfSite('/start') }], { token: null });
  expect(found).toMatchObject({ space: space._id, pathname: '/start' });
  await client.call('resolvePublishedContentByUrl', [
    { url: urlOfSite(), redirectOnError: true, visitor: { type: 'human', unsignedClaims: { a: 1 } } },
  ]);
  const { data: shown } = await client.call('getPublishedContentSite', inSite, { token: found.apiToken });
  expect(shown.structure).toMatchObject({ type: 'siteSpaces', structure: [{ space: { id: space._id } }] });

  const section = await buildSection(site, { space: other, title: 'API', icon: 'gear' });
  await buildSectionGroup(site, { title: 'More', sections: [section] });
  const { data: inSections } = await client.call('getPublishedContentSite', inSite, { token: found.apiToken });
  expect(inSections.structure.type).toBe('sections');
  const { data: redirect } = await client.call('resolvePublishedContentByUrl', [{ url: urlOfSite('/docs/guide/start') }]);
  expect(redirect).toEqual({ target: 'content', redirect: urlOfSite('/start') });
  await client.call('getSpaceById', [space._id], { token: found.apiToken });
  client.expectValid('resolvePublishedContentByUrl', 'getPublishedContentSite', 'getSpaceById');
});

it('finds what a URL of the application names, and describes any URL', async () => {
  const collection = await buildCollection(client.organization, { title: 'Manuals' });
  const changeRequest = await buildChangeRequest(space);
  for (const path of [`c/${collection._id}`, `s/${space._id}`, `s/${space._id}/~/changes/${changeRequest.number}/~/pages/page1`])
    await client.call('getContentByUrl', [{ url: `http://api.test/${path}` }]);
  await client.call('getEmbedByUrl', [{ url: 'https://example.org/getting-started' }]);
  await client.call('getEmbedByUrlInSpace', [space._id, { url: 'https://example.org' }]);
  client.expectValid('getContentByUrl', 'getEmbedByUrl', 'getEmbedByUrlInSpace');
});
