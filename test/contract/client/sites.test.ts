import type { SiteSectionRecord, SiteSpaceRecord, SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildSection,
  buildSectionGroup,
  buildSite,
  buildSiteSpace,
  buildSpace,
} from '../../support/factories.ts';
import { it as base, type ClientHarness } from './clientHarness.ts';

type Sites = Awaited<ReturnType<typeof buildSites>>;

const it = base.extend('sites', { scope: 'file' }, ({ client }) => buildSites(client));

describe('the published client', () => {
  // In this order: what is removed is removed last.
  const calls: [operationId: string, parameters: (sites: Sites) => unknown[]][] = [
    ['listSites', ({ organization }) => [organization._id, { limit: 1 }]],
    [
      'listSites',
      ({ space, organization }) => [
        organization._id,
        { space: space(0), title: 'docs', published: true, type: ['basic', 'premium'] },
      ],
    ],
    ['createSite', ({ organization }) => [organization._id, {}]],
    [
      'createSite',
      ({ space, organization }) => [
        organization._id,
        { type: 'ultimate', title: 'New', visibility: 'share-link', spaces: [space(0), space(1)] },
      ],
    ],
    ['createSite', ({ organization }) => [organization._id, { spaces: 'sample' }]],
    ['getSiteById', ({ inFlat }) => inFlat()],
    ['getSiteById', ({ inSectioned }) => inSectioned()],
    [
      'updateSiteById',
      ({ inFlat }) =>
        inFlat({
          basename: 'flat',
          agentsContext: 'excluded',
          adaptiveContent: { enabled: false },
          proxy: null,
        }),
    ],
    [
      'updateSiteById',
      ({ inFlat, siteSpace }) =>
        inFlat({ title: 'New title', visibility: 'unlisted', defaultSiteSpace: siteSpace(1) }),
    ],
    ['updateSiteById', ({ inSectioned, section }) => inSectioned({ defaultSiteSection: section(1) })],
    ['publishSite', ({ inFlat }) => inFlat()],
    ['unpublishSite', ({ inFlat }) => inFlat()],
    ['getSiteStructure', ({ inFlat }) => inFlat({ shareKey: 'x' })],
    ['getSiteStructure', ({ inSectioned }) => inSectioned()],
    [
      'sortSiteStructure',
      ({ inFlat, siteSpace }) =>
        inFlat({
          item: { type: 'site-space', id: siteSpace(0) },
          position: { after: { type: 'site-space', id: siteSpace(2) } },
        }),
    ],
    [
      'sortSiteStructure',
      ({ inSectioned, section, group }) =>
        inSectioned({
          item: { type: 'site-section-group', id: group._id },
          position: { before: { type: 'site-section', id: section(0) } },
        }),
    ],
    [
      'sortSiteStructure',
      ({ inSectioned, section, group }) =>
        inSectioned({
          item: { type: 'site-section', id: section(0) },
          position: { before: { type: 'site-section-group', id: group._id } },
        }),
    ],
    ['listSiteSpaces', ({ inFlat }) => inFlat({ default: true, limit: 1 })],
    ['listSiteSpaces', ({ inSectioned }) => inSectioned({ shareKey: 'x' })],
    ['addSpaceToSite', ({ inFlat, space }) => inFlat({ spaceId: space(3) })],
    [
      'addSpaceToSite',
      ({ inSectioned, space, section }) => inSectioned({ spaceId: space(1), sectionId: section(0) }),
    ],
    [
      'updateSiteSpaceById',
      ({ inFlat, siteSpace }) => inFlat(siteSpace(0), { path: 'new', condition: null }),
    ],
    [
      'moveSiteSpace',
      ({ inFlat, siteSpace }) =>
        inFlat(siteSpace(0), { position: { before: { type: 'site-space', siteSpace: siteSpace(1) } } }),
    ],
    ['deleteSiteSpaceById', ({ inFlat, siteSpace }) => inFlat(siteSpace(2))],
    ['listSiteSections', ({ inSectioned }) => inSectioned({ limit: 2 })],
    [
      'addSectionToSite',
      ({ inSectioned, space }) => inSectioned({ spaceId: space(3), title: null, icon: null }),
    ],
    [
      'addSectionToSite',
      ({ inSectioned, space }) => inSectioned({ spaceId: space(3), title: 'Another', icon: 'book' }),
    ],
    [
      'updateSiteSectionById',
      ({ inSectioned, section }) =>
        inSectioned(section(0), {
          title: 'New',
          path: 'new',
          icon: null,
          description: null,
          condition: null,
        }),
    ],
    [
      'moveSiteSection',
      ({ inSectioned, section }) =>
        inSectioned(section(2), { position: { before: { type: 'site-section', siteSection: section(0) } } }),
    ],
    ['listSiteSectionGroups', ({ inSectioned }) => inSectioned({ limit: 1 })],
    [
      'addSectionGroupToSite',
      ({ inSectioned, section }) => inSectioned({ title: 'G', icon: 'book', sections: [section(2)] }),
    ],
    ['addSectionGroupToSite', ({ inSectioned }) => inSectioned({ title: 'Empty', icon: null })],
    [
      'updateSiteSectionGroupById',
      ({ inSectioned, group }) => inSectioned(group._id, { title: 'New', icon: null }),
    ],
    [
      'moveSiteSectionGroup',
      ({ inSectioned, section, group }) =>
        inSectioned(group._id, { position: { after: { type: 'site-section', id: section(0) } } }),
    ],
    [
      'addSectionToGroup',
      ({ inSectioned, section, group }) => inSectioned(group._id, { sectionId: section(0) }),
    ],
    ['removeSectionFromGroup', ({ inSectioned, section, group }) => inSectioned(group._id, section(0))],
    ['deleteSiteSectionGroupById', ({ inSectioned, group }) => inSectioned(group._id)],
    ['deleteSiteSectionById', ({ inSectioned, section }) => inSectioned(section(0))],
    ['deleteSiteById', ({ inFlat }) => inFlat()],
  ];

  it.for(calls.map(([operationId, parameters], n) => [operationId, n, parameters] as const))(
    '%s (%i)',
    async ([operationId, , parametersIn], { client, sites }) => {
      await client.call(operationId, parametersIn(sites));
      client.expectValid(operationId);
    },
  );

  it('gets the declared errors', async ({ client, sites: { inSectioned } }) => {
    const refused = await client.refused('addSpaceToSite', inSectioned({ spaceId: 'nothing' }));
    expect(refused).toMatchObject({ code: 400, message: expect.stringContaining('spaceId') });
    expect(await client.refused('getSiteById', [client.organization._id, 'nothing'])).toMatchObject({
      code: 404,
    });
    expect(await client.refused('updateSiteById', inSectioned({ basename: 'site/x' }))).toMatchObject({
      code: 400,
    });
    client.expectValid('addSpaceToSite', 'getSiteById', 'updateSiteById');
  });
});

/**
 * A site with site spaces at its root and one with sections, both published, and what the operations take to
 * name what is on them.
 */
async function buildSites({ organization }: ClientHarness) {
  const spaces = await Promise.all(
    ['Guide', 'Reference', 'Changes', 'More'].map((title) =>
      buildSpace(organization, {
        title,
        language: 'de',
        gitSync: { provider: 'github', repoName: 'r', updatedAt: new Date() },
      }),
    ),
  );
  const flat = await buildSite(organization, {
    title: 'Flat docs',
    isPublished: true,
    proxy: 'www.example.com/docs',
    hostname: 'docs.client.example.com',
    icon: { emoji: '1f4d6' },
    adaptiveContent: { enabled: true },
  });
  const siteSpaces: SiteSpaceRecord[] = [];
  for (const space of spaces.slice(0, 3))
    siteSpaces.push(await buildSiteSpace(flat, { space, condition: 'visitor.claims.beta == true' }));
  const sectioned = await buildSite(organization, {
    title: 'Sections',
    visibility: 'visitor-auth',
    isPublished: true,
    icon: { icon: { light: 'http://a.example/l.png', dark: 'http://a.example/d.png' } },
  });
  const sections: SiteSectionRecord[] = [];
  for (const space of spaces.slice(0, 3))
    sections.push(
      await buildSection(sectioned, {
        space,
        icon: 'gear',
        description: 'About',
        condition: 'visitor.claims.beta',
      }),
    );
  await buildSiteSpace(sectioned, { space: spaces[3] as SpaceRecord });
  const group = await buildSectionGroup(sectioned, { sections: sections.slice(1, 2) });
  return {
    organization,
    group,
    inFlat: (...more: unknown[]) => [organization._id, flat._id, ...more],
    inSectioned: (...more: unknown[]) => [organization._id, sectioned._id, ...more],
    space: (place: number) => (spaces[place] as SpaceRecord)._id,
    siteSpace: (place: number) => (siteSpaces[place] as SiteSpaceRecord)._id,
    section: (place: number) => (sections[place] as SiteSectionRecord)._id,
  };
}
