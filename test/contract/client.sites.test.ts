import type { SiteRecord, SiteSectionGroupRecord, SiteSectionRecord, SiteSpaceRecord, SpaceRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSection, buildSectionGroup, buildSite, buildSiteSpace, buildSpace } from '../support/factories.ts';
import { startClient, type ClientHarness } from './clientHarness.ts';

let client: ClientHarness;
let spaces: SpaceRecord[];
/** One with site spaces at its root, one with sections, both published. */
let flat: SiteRecord;
let sectioned: SiteRecord;
let siteSpaces: SiteSpaceRecord[];
let sections: SiteSectionRecord[];
let group: SiteSectionGroupRecord;

beforeAll(async () => {
  client = await startClient();
  const { organization } = client;
  spaces = await Promise.all(
    ['Guide', 'Reference', 'Changes', 'More'].map((title) =>
      buildSpace(organization, { title, language: 'de', gitSync: { provider: 'github', repoName: 'r', updatedAt: new Date() } }),
    ),
  );
  flat = await buildSite(organization, {
    title: 'Flat docs',
    isPublished: true,
    proxy: 'www.example.com/docs',
    hostname: 'docs.client.example.com',
    icon: { emoji: '1f4d6' },
    adaptiveContent: { enabled: true },
  });
  siteSpaces = [];
  for (const space of spaces.slice(0, 3)) siteSpaces.push(await buildSiteSpace(flat, { space, condition: 'visitor.claims.beta == true' }));
  sectioned = await buildSite(organization, {
    title: 'Sections',
    visibility: 'visitor-auth',
    isPublished: true,
    icon: { icon: { light: 'http://a.example/l.png', dark: 'http://a.example/d.png' } },
  });
  sections = [];
  for (const space of spaces.slice(0, 3))
    sections.push(await buildSection(sectioned, { space, icon: 'gear', description: 'About', condition: 'visitor.claims.beta' }));
  await buildSiteSpace(sectioned, { space: spaces[3] as SpaceRecord });
  group = await buildSectionGroup(sectioned, { sections: sections.slice(1, 2) });
});
afterAll(() => client.close());

const inFlat = (...more: unknown[]) => [client.organization._id, flat._id, ...more];
const inSectioned = (...more: unknown[]) => [client.organization._id, sectioned._id, ...more];
const space = (place: number) => (spaces[place] as SpaceRecord)._id;
const siteSpace = (place: number) => (siteSpaces[place] as SiteSpaceRecord)._id;
const section = (place: number) => (sections[place] as SiteSectionRecord)._id;

describe('the published client', () => {
  // In this order: what is removed is removed last.
  const calls: [operationId: string, parameters: () => unknown[]][] = [
    ['listSites', () => [client.organization._id, { limit: 1 }]],
    ['listSites', () => [client.organization._id, { space: space(0), title: 'docs', published: true, type: ['basic', 'premium'] }]],
    ['createSite', () => [client.organization._id, {}]],
    [
      'createSite',
      () => [client.organization._id, { type: 'ultimate', title: 'New', visibility: 'share-link', spaces: [space(0), space(1)] }],
    ],
    ['createSite', () => [client.organization._id, { spaces: 'sample' }]],
    ['getSiteById', () => inFlat()],
    ['getSiteById', () => inSectioned()],
    ['updateSiteById', () => inFlat({ basename: 'flat', agentsContext: 'excluded', adaptiveContent: { enabled: false }, proxy: null })],
    ['updateSiteById', () => inFlat({ title: 'New title', visibility: 'unlisted', defaultSiteSpace: siteSpace(1) })],
    ['updateSiteById', () => inSectioned({ defaultSiteSection: section(1) })],
    ['publishSite', () => inFlat()],
    ['unpublishSite', () => inFlat()],
    ['getSiteStructure', () => inFlat({ shareKey: 'x' })],
    ['getSiteStructure', () => inSectioned()],
    [
      'sortSiteStructure',
      () => inFlat({ item: { type: 'site-space', id: siteSpace(0) }, position: { after: { type: 'site-space', id: siteSpace(2) } } }),
    ],
    [
      'sortSiteStructure',
      () =>
        inSectioned({
          item: { type: 'site-section-group', id: group._id },
          position: { before: { type: 'site-section', id: section(0) } },
        }),
    ],
    [
      'sortSiteStructure',
      () =>
        inSectioned({
          item: { type: 'site-section', id: section(0) },
          position: { before: { type: 'site-section-group', id: group._id } },
        }),
    ],
    ['listSiteSpaces', () => inFlat({ default: true, limit: 1 })],
    ['listSiteSpaces', () => inSectioned({ shareKey: 'x' })],
    ['addSpaceToSite', () => inFlat({ spaceId: space(3) })],
    ['addSpaceToSite', () => inSectioned({ spaceId: space(1), sectionId: section(0) })],
    ['updateSiteSpaceById', () => inFlat(siteSpace(0), { path: 'new', condition: null })],
    ['moveSiteSpace', () => inFlat(siteSpace(0), { position: { before: { type: 'site-space', siteSpace: siteSpace(1) } } })],
    ['deleteSiteSpaceById', () => inFlat(siteSpace(2))],
    ['listSiteSections', () => inSectioned({ limit: 2 })],
    ['addSectionToSite', () => inSectioned({ spaceId: space(3), title: null, icon: null })],
    ['addSectionToSite', () => inSectioned({ spaceId: space(3), title: 'Another', icon: 'book' })],
    ['updateSiteSectionById', () => inSectioned(section(0), { title: 'New', path: 'new', icon: null, description: null, condition: null })],
    ['moveSiteSection', () => inSectioned(section(2), { position: { before: { type: 'site-section', siteSection: section(0) } } })],
    ['listSiteSectionGroups', () => inSectioned({ limit: 1 })],
    ['addSectionGroupToSite', () => inSectioned({ title: 'G', icon: 'book', sections: [section(2)] })],
    ['addSectionGroupToSite', () => inSectioned({ title: 'Empty', icon: null })],
    ['updateSiteSectionGroupById', () => inSectioned(group._id, { title: 'New', icon: null })],
    ['moveSiteSectionGroup', () => inSectioned(group._id, { position: { after: { type: 'site-section', id: section(0) } } })],
    ['addSectionToGroup', () => inSectioned(group._id, { sectionId: section(0) })],
    ['removeSectionFromGroup', () => inSectioned(group._id, section(0))],
    ['deleteSiteSectionGroupById', () => inSectioned(group._id)],
    ['deleteSiteSectionById', () => inSectioned(section(0))],
    ['deleteSiteById', () => inFlat()],
  ];

  it.each(calls.map(([operationId, parameters], n) => [operationId, n, parameters] as const))(
    '%s (%i)',
    async (operationId, _n, parameters) => {
      await client.call(operationId, parameters());
      client.expectValid(operationId);
    },
  );

  it('is told why it was refused', async () => {
    const refused = await client.refused('addSpaceToSite', inSectioned({ spaceId: 'nothing' }));
    expect(refused).toMatchObject({ code: 400, message: expect.stringContaining('spaceId') });
    expect(await client.refused('getSiteById', [client.organization._id, 'nothing'])).toMatchObject({ code: 404 });
    expect(await client.refused('updateSiteById', inSectioned({ basename: 'site/x' }))).toMatchObject({ code: 400 });
    client.expectValid('addSpaceToSite', 'getSiteById', 'updateSiteById');
  });
});
