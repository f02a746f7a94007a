import { describe, expect } from 'vitest';
import {
  buildRevision,
  buildSection,
  buildSite,
  buildSiteSpace,
  buildSpace,
} from '../../support/factories.ts';
import { it as base } from './clientHarness.ts';

// The parts of a site besides its structure: claims of its visitors, its look, its access, and redirects of
// its old paths.

const page = { id: 'startpage', title: 'Start', path: 'start' };

const it = base
  .extend('site', { scope: 'file' }, ({ organization }) => buildSite(organization, { isPublished: true }))
  .extend('siteSpace', { scope: 'file' }, async ({ organization, site }) => {
    const space = await buildSpace(organization);
    await buildRevision(space, {
      pages: [{ title: 'Home', path: 'home' }, page],
      redirects: [{ from: 'help', to: 'start.md', page: page.id }],
    });
    return buildSiteSpace(site, { space });
  })
  // The site space is there in every test.
  .extend('place', { scope: 'file' }, ({ organization, site, siteSpace: _there }) => [
    organization._id,
    site._id,
  ]);

it('reads and replaces the adaptive schema', async ({ client, place }) => {
  const description = 'Told by the shop';
  const closed = { type: 'object', description, additionalProperties: false };
  const primitives = {
    beta: { type: 'boolean', description },
    plan: { type: 'string', description, enum: ['free'] },
    name: { type: 'string', description },
    seats: { type: 'number', description },
  };
  await client.call('getSiteAdaptiveSchema', place);
  await client.call('listSiteAdaptiveTemplateConditions', place);
  const jsonSchema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      ...primitives,
      roles: { type: 'array', description, items: primitives.plan },
      company: { ...closed, properties: { inner: { ...closed, properties: primitives } } },
      unsigned: { ...closed, description: 'Unsigned claims of the site visitor.', properties: primitives },
    },
    additionalProperties: false,
  };
  for (const schema of [
    jsonSchema,
    { type: 'object', properties: {}, additionalProperties: false },
    jsonSchema,
  ]) {
    const { data } = await client.call('updateSiteAdaptiveSchema', [...place, { jsonSchema: schema }]);
    expect(data.jsonSchema).toEqual(schema);
  }
  await client.call('getSiteAdaptiveSchema', place);
  await client.call('listSiteAdaptiveTemplateConditions', place);
  expect(
    await client.refused('updateSiteAdaptiveSchema', [
      ...place,
      { jsonSchema: { ...jsonSchema, pattern: 'x' } },
    ]),
  ).toMatchObject({
    code: 400,
  });
  client.expectValid(
    'getSiteAdaptiveSchema',
    'updateSiteAdaptiveSchema',
    'listSiteAdaptiveTemplateConditions',
  );
});

describe('the customization', () => {
  const themed = { light: 'https://example.org/l.png', dark: 'https://example.org/d.png' };
  const color = { light: '#abc', dark: '#ABCDEF' };
  const link = {
    title: 'Page',
    localizedTitle: { de: 'Seite' },
    to: { kind: 'page', page: 'p', space: 's' },
  };
  const rich = {
    title: 'Docs',
    localizedTitle: { de: 'Doku' },
    styling: {
      tint: { color },
      headingFont: null,
      font: {
        id: 'own',
        custom: true,
        fontFamily: 'Own',
        fontFaces: [{ weight: 400, sources: [{ url: 'https://example.org/f.woff2' }] }],
      },
    },
    favicon: { icon: themed },
    header: {
      logo: themed,
      primaryLink: { kind: 'url', url: 'https://example.org' },
      backgroundColor: color,
      linkColor: color,
      links: [
        { title: 'More', style: 'link', to: null, links: [link], condition: 'visitor.claims.beta == true' },
      ],
    },
    footer: { logo: themed, groups: [{ title: 'About', links: [link] }], copyright: 'Us' },
    announcement: { enabled: true, message: 'News', link, style: 'info' },
    ai: { mode: 'search', greeting: 'Hi', suggestions: ['How so?'], instructions: 'Be kind.' },
    privacyPolicy: { url: 'https://example.org' },
    socialPreview: { url: 'https://example.org/p.png' },
    socialAccounts: [{ platform: 'github', handle: 'us', display: { footer: true, header: false } }],
  };

  it('of a site is read and replaced as a whole, also with its own response', async ({ client, place }) => {
    const { data: defaults } = await client.call('getSiteCustomizationById', [...place, {}]);
    for (const look of [rich, { ...defaults, favicon: { emoji: '1f331' } }, defaults, rich]) {
      const { data } = await client.call('updateSiteCustomizationById', [...place, look]);
      expect(await client.call('getSiteCustomizationById', [...place, {}])).toMatchObject({ data });
    }
    client.expectValid('getSiteCustomizationById', 'updateSiteCustomizationById');
  });

  it('of a site space is overridden, reset and deleted', async ({ client, siteSpace, place }) => {
    const at = [...place, siteSpace._id];
    await client.call('getSiteSpaceCustomizationById', [...at, {}]);
    const { ai: _ai, socialAccounts: _accounts, styling, ...overrides } = rich;
    await client.call('overrideSiteSpaceCustomizationById', [
      ...at,
      { ...overrides, styling: { tint: styling.tint, theme: 'bold', primaryColor: color } },
    ]);
    await client.call('getSiteSpaceCustomizationById', [...at, {}]);
    const { data } = await client.call('overrideSiteSpaceCustomizationById', [
      ...at,
      { title: null, styling: { theme: null }, header: { links: null } },
    ]);
    expect(data.styling.theme).toBe('clean');
    expect((await client.call('deleteSiteSpaceCustomizationById', at)).status).toBe(204);
    client.expectValid(
      'getSiteSpaceCustomizationById',
      'overrideSiteSpaceCustomizationById',
      'deleteSiteSpaceCustomizationById',
    );
  });
});

it('creates, lists, changes and deletes share links', async ({ client, place }) => {
  const { status, data: link } = await client.call('createSiteShareLink', [...place, { name: 'Partners' }]);
  expect(status).toBe(201);
  await client.call('createSiteShareLink', [...place, { name: '' }]);
  await client.call('listSiteShareLinks', [...place, {}]);
  await client.call('updateSiteShareLinkById', [...place, link.id, { name: 'Others', active: false }]);
  await client.call('deleteSiteShareLinkById', [...place, link.id]);
  expect(
    await client.refused('updateSiteShareLinkById', [...place, link.id, { active: true }]),
  ).toMatchObject({ code: 404 });
  client.expectValid(
    'createSiteShareLink',
    'listSiteShareLinks',
    'updateSiteShareLinkById',
    'deleteSiteShareLinkById',
  );
});

it('changes and regenerates the key for visitors, and gets URLs of previews', async ({
  client,
  siteSpace,
  place,
}) => {
  await client.call('getSitePublishingAuthById', place);
  for (const change of [
    { backend: 'custom', fallbackURL: 'https://example.org/in', logoutURL: 'https://example.org/out' },
    { backend: 'integration', fallbackURL: null, logoutURL: null },
  ])
    await client.call('updateSitePublishingAuthById', [...place, change]);
  await client.call('regenerateSitePublishingAuthById', place);
  await client.call('getSitePublishingAuthById', place);
  await client.call('getSitePublishingPreviewById', [...place, {}]);
  await client.call('getSitePublishingPreviewById', [
    ...place,
    { siteSpace: siteSpace._id, claims: '(beta:!t)' },
  ]);
  client.expectValid(
    ...[
      'getSitePublishingAuthById',
      'updateSitePublishingAuthById',
      'regenerateSitePublishingAuthById',
      'getSitePublishingPreviewById',
    ],
  );
});

it('creates, finds, changes, upserts, lists and deletes redirects', async ({
  client,
  site,
  siteSpace,
  place,
}) => {
  const section = await buildSection(site, { space: await buildSpace(client.organization), title: 'API' });
  const destinations = [
    { kind: 'site-page', siteSpaceId: siteSpace._id, pageId: page.id },
    { kind: 'site-space', siteSpaceId: siteSpace._id },
    { kind: 'site-section', siteSectionId: section._id },
    { kind: 'external', url: 'https://example.org/new' },
    { kind: 'path', spaceId: siteSpace.space, path: 'start' },
  ];
  for (const [i, destination] of destinations.entries()) {
    const { data } = await client.call('createSiteRedirect', [
      ...place,
      { source: `/old/${i}`, destination },
    ]);
    await client.call('getSiteRedirectBySource', [...place, { source: data.source }]);
  }
  const { data: draft } = await client.call('createSiteRedirect', [
    ...place,
    { source: '/wild/*', destination: destinations[3], draft: true, captureWildcard: true, permanent: true },
  ]);
  await client.call('updateSiteRedirectById', [
    ...place,
    draft.id,
    { permanent: false, destination: destinations[0] },
  ]);
  await client.call('bulkUpsertSiteRedirects', [
    ...place,
    {
      redirects: [
        { source: '/wild/*', intent: 'publish' },
        { source: '/bulk', destination: destinations[3] },
        { source: '/bulk', destination: destinations[1], intent: 'live', permanent: true },
        { source: '/bulk', destination: null },
        { source: '/wrong', destination: { kind: 'site-space', siteSpaceId: 'unknown' }, intent: 'draft' },
      ],
    },
  ]);
  await client.call('listSiteRedirects', [...place, {}]);
  await client.call('listSiteRedirects', [
    ...place,
    { draft: true, orderBy: 'source', search: 'old', limit: 1 },
  ]);
  await client.call('getSiteRedirectBySource', [...place, { source: `/${siteSpace.path}/help` }]);
  expect(await client.refused('getSiteRedirectBySource', [...place, { source: '/nowhere' }])).toMatchObject({
    code: 404,
  });
  expect((await client.call('deleteSiteRedirectById', [...place, draft.id])).status).toBe(204);
  client.expectValid(
    ...[
      'createSiteRedirect',
      'getSiteRedirectBySource',
      'updateSiteRedirectById',
      'bulkUpsertSiteRedirects',
      'listSiteRedirects',
    ],
    'deleteSiteRedirectById',
  );
});

it('reads integration scripts, and sends events of readers', async ({ client, place }) => {
  expect((await client.call('listSiteIntegrationScripts', place)).data).toEqual([]);
  const event = {
    type: 'page_view',
    session: { visitorId: 'v', sessionId: 's', cookies: {}, userAgent: 'x', language: null, referrer: null },
    location: {
      url: 'https://example.org/a',
      siteSection: null,
      siteSpace: null,
      siteShareKey: null,
      page: null,
      space: null,
      revision: null,
    },
  };
  expect((await client.call('trackEventsInSiteById', [...place, { events: [event] }])).status).toBe(204);
  client.expectValid('listSiteIntegrationScripts', 'trackEventsInSiteById');
});
