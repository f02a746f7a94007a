import { Site, type SiteRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildOrganization, buildSite } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const themed = { light: 'https://example.org/l.png', dark: 'https://example.org/d.png' };
const to = { kind: 'url', url: 'https://example.org' };

/** Every setting there is. */
const everything = {
  title: 'Docs',
  localizedTitle: { de: 'Doku', 'pt-br': 'Documentos' },
  styling: {
    theme: 'gradient',
    primaryColor: { light: '#abc', dark: '#ABCDEF' },
    infoColor: { light: '#111', dark: '#111' },
    successColor: { light: '#222', dark: '#222' },
    warningColor: { light: '#333', dark: '#333' },
    dangerColor: { light: '#444', dark: '#444' },
    tint: { color: { light: '#555', dark: '#555' } },
    corners: 'circular',
    depth: 'flat',
    links: 'accent',
    background: 'match',
    icons: 'thin',
    search: 'subtle',
    font: {
      id: 'own',
      custom: true,
      fontFamily: 'Own',
      fontFaces: [{ weight: 400, sources: [{ url: 'https://example.org/f.woff2', format: 'woff2' }] }],
    },
    headingFont: null,
    monospaceFont: 'FiraCode',
    sidebar: { background: 'filled', list: 'line' },
    codeTheme: { default: { light: 'nord', dark: 'dracula' }, openapi: { light: 'red', dark: 'red' } },
  },
  internationalization: { locale: 'de' },
  favicon: { icon: themed },
  header: {
    preset: 'custom',
    logo: themed,
    primaryLink: { kind: 'space', space: 'abc' },
    backgroundColor: { light: '#666', dark: '#666' },
    linkColor: { light: '#777', dark: '#777' },
    links: [
      {
        title: 'More',
        localizedTitle: { fr: 'Plus' },
        style: 'button-primary',
        to: null,
        links: [
          { title: 'Page', to: { kind: 'page', page: 'p', space: 's' } },
          { title: 'Mail', to: { kind: 'url', url: 'mailto:us@example.org' } },
          { title: 'Path', localizedTitle: {}, to: { kind: 'url', url: '/start#top' } },
        ],
        condition: 'visitor.claims.beta == true',
      },
    ],
  },
  footer: { logo: themed, groups: [{ title: 'About', links: [{ title: 'Us', to }] }], copyright: '© Us' },
  announcement: {
    enabled: true,
    message: 'News',
    localizedMessage: { es: 'Noticias' },
    link: { title: 'Read', to },
    style: 'danger',
  },
  themes: { default: 'system', toggeable: false },
  pdf: { enabled: false },
  feedback: { enabled: true },
  ai: {
    mode: 'assistant',
    greeting: 'Hi',
    localizedGreeting: { de: 'Hallo' },
    suggestions: ['How so?'],
    instructions: 'Be kind.',
  },
  advancedCustomization: { enabled: false },
  git: { showEditLink: true },
  pageActions: { externalAI: true, markdown: false, items: ['assistant', 'git'] },
  externalLinks: { target: 'blank' },
  pagination: { enabled: false },
  trademark: { enabled: true },
  privacyPolicy: { url: 'https://example.org/privacy' },
  socialPreview: { url: 'https://example.org/p.png' },
  socialAccounts: [{ platform: 'github', handle: 'us', display: { footer: true, header: false } }],
  insights: { trackingCookie: false },
};

const it = base
  .extend('site', ({ organization }) => buildSite(organization))
  .extend('url', ({ organization, site }) => `/v1/orgs/${organization._id}/sites/${site._id}/customization`)
  .extend(
    'get',
    ({ api, reader, url }) =>
      async () =>
        (await api.call('GET', url, { token: reader.token })).body,
  )
  .extend(
    'put',
    ({ api, creator, url }) =>
      (json: unknown, headers: Record<string, string> = {}) =>
        api.call('PUT', url, { token: creator.token, json, headers }),
  )
  .extend(
    'iconOfSite',
    ({ api, reader, url }) =>
      async () =>
        (await api.call('GET', url.replace('/customization', ''), { token: reader.token })).body.icon,
  );

describe('GET and PUT .../customization', () => {
  it('holds the defaults until it is set', async ({ get }) => {
    const look = await get();
    expect(look).not.toHaveProperty('updatedAt');
    expect(look).toMatchObject({
      styling: {
        theme: 'clean',
        primaryColor: { light: '#346ddb', dark: '#346ddb' },
        font: 'Inter',
        codeTheme: { default: { light: 'default-light' } },
      },
      internationalization: { locale: 'en' },
      favicon: {},
      header: { preset: 'default', links: [] },
      footer: { groups: [] },
      themes: { default: 'light', toggeable: true },
      pageActions: { externalAI: false, markdown: true, items: ['markdown', 'pdf'] },
      advancedCustomization: { enabled: true },
      insights: { trackingCookie: true },
    });
  });

  it('keeps every setting as it was given', async ({ get, put }) => {
    const { status, body } = await put(everything);
    expect(status).toBe(200);
    expect(body).toEqual({ ...everything, updatedAt: expect.any(String) });
    expect(await get()).toEqual(body);
  });

  it('takes its own response as the body, and drops unknown fields', async ({ put }) => {
    const { body: first } = await put(everything);
    const { status, body } = await put({
      ...first,
      hasOverrides: true,
      object: 'x',
      permissions: { admin: true },
    });
    expect(status).toBe(200);
    expect({ ...body, updatedAt: '' }).toEqual({ ...first, updatedAt: '' });
  });

  it('resets omitted fields to their defaults', async ({ get, put }) => {
    const defaults = await get();
    await put(everything);
    const { body } = await put({ styling: { theme: 'bold' } });
    expect({ ...body, updatedAt: undefined }).toEqual({
      ...defaults,
      styling: { ...defaults.styling, theme: 'bold' },
      updatedAt: undefined,
    });
  });

  it('makes the favicon the icon of the site', async ({ put, iconOfSite }) => {
    expect(await iconOfSite()).toBeUndefined();
    await put({ favicon: { emoji: '1f331' } });
    expect(await iconOfSite()).toEqual({ emoji: '1f331' });
    await put({ favicon: { icon: themed } });
    expect(await iconOfSite()).toEqual({ icon: themed });
    await put({});
    expect(await iconOfSite()).toBeUndefined();
  });

  it('is changed only by members who may edit the site, and hidden from other organizations', async ({
    api,
    reader,
    site,
    url,
  }) => {
    expect((await api.call('PUT', url, { token: reader.token, json: {} })).status).toBe(403);
    const { admin: outsider } = await buildOrganization();
    expect((await api.call('GET', url, { token: outsider.token })).status).toBe(404);
    expect((await api.call('PUT', url, { token: outsider.token, json: {} })).status).toBe(404);
    expect((await Site.findById(site._id).lean<SiteRecord>())?.customization).toBeUndefined();
  });

  it('is not overwritten by a caller who read an older version', async ({ api, creator, url, get, put }) => {
    const tag = (await api.call('GET', url, { token: creator.token })).headers.get('etag') ?? '';
    expect((await put({ title: 'First' }, { 'if-match': tag })).status).toBe(200);
    expect((await put({ title: 'Second' }, { 'if-match': tag })).status).toBe(412);
    expect((await get()).title).toBe('First');
  });
});

describe('a look is refused', () => {
  const link = (fields: object) => ({ header: { links: [{ title: 'A', to: null, links: [], ...fields }] } });

  it.for<[string, unknown, RegExp]>([
    ['that is a list', [], /body/],
    ['with an unknown theme', { styling: { theme: 'loud' } }, /styling\.theme/],
    [
      'with a colour by name',
      { styling: { primaryColor: { light: 'red', dark: '#000' } } },
      /primaryColor\.light/,
    ],
    [
      'with a colour and more',
      { styling: { primaryColor: { light: '#000;}', dark: '#000' } } },
      /primaryColor\.light/,
    ],
    ['with half a colour', { styling: { primaryColor: { light: '#000' } } }, /primaryColor\.dark/],
    ['with an unknown font', { styling: { font: 'Comic' } }, /styling\.font/],
    [
      'with a font without faces',
      { styling: { font: { id: 'a', custom: true, fontFamily: 'A', fontFaces: [] } } },
      /fontFaces/,
    ],
    [
      'with an unknown code theme',
      { styling: { codeTheme: { default: { light: 'x', dark: 'nord' } } } },
      /codeTheme/,
    ],
    ['with null for a group', { styling: null }, /styling/],
    ['with an unknown language', { internationalization: { locale: 'xx' } }, /locale/],
    ['with a title in an unknown language', { localizedTitle: { klingon: 'x' } }, /localizedTitle/],
    ['with a favicon of two kinds', { favicon: { emoji: '1f331', icon: themed } }, /favicon/],
    ['with a favicon that is no emoji', { favicon: { emoji: 'abc' } }, /emoji/],
    [
      'with a logo that is a program',
      { header: { logo: { light: 'javascript:alert(1)', dark: themed.dark } } },
      /logo\.light/,
    ],
    ['with a link to a program', link({ to: { kind: 'url', url: 'javascript:alert(1)' } }), /url/],
    ['with a link to a program, hidden', link({ to: { kind: 'url', url: ' java\tscript:alert(1)' } }), /url/],
    ['with a link to data', link({ to: { kind: 'url', url: 'DATA:text/html,x' } }), /url/],
    ['with a link to nothing known', link({ to: { kind: 'door' } }), /to/],
    ['with a link without a place', link({ to: undefined }), /to/],
    ['with a link without a title', { header: { links: [{ to: null, links: [] }] } }, /title/],
    ['with a link with a long title', link({ links: [{ title: 'x'.repeat(65), to }] }), /title/],
    ['with an empty condition', link({ condition: '' }), /condition/],
    [
      'with a condition that is a call',
      link({ condition: 'process.exit()' }),
      /header\.links\[0\]\.condition must not use calls/,
    ],
    [
      'with a condition that is cut off',
      link({ condition: 'visitor.claims.' }),
      /header\.links\[0\]\.condition must be/,
    ],
    [
      'with 51 links',
      { header: { links: Array.from({ length: 51 }, () => ({ title: 'A', to: null, links: [] })) } },
      /links/,
    ],
    ['with a long copyright', { footer: { copyright: 'x'.repeat(513) } }, /copyright/],
    [
      'with a short announcement',
      { announcement: { enabled: true, message: 'x', style: 'info' } },
      /message/,
    ],
    ['with a text for a boolean', { feedback: { enabled: 'true' } }, /feedback\.enabled/],
    [
      'with 11 accounts',
      {
        socialAccounts: Array.from({ length: 11 }, () => ({
          platform: 'github',
          handle: 'a',
          display: { footer: true, header: true },
        })),
      },
      /socialAccounts/,
    ],
    [
      'with an account elsewhere',
      { socialAccounts: [{ platform: 'myspace', handle: 'a', display: { footer: true, header: true } }] },
      /platform/,
    ],
    ['with an address that is none', { privacyPolicy: { url: 'example.org' } }, /privacyPolicy\.url/],
    ['with a title of one character', { title: 'x' }, /title/],
    ['with NUL in it', { footer: { copyright: 'a\0b' } }, /NUL/],
    [
      'of 100 KB',
      {
        header: {
          links: Array.from({ length: 50 }, () => ({
            title: 'A',
            to: null,
            links: Array.from({ length: 20 }, () => ({ title: 'x'.repeat(64), to })),
          })),
        },
      },
      /65536 characters/,
    ],
  ])('%s', async ([, json, message], { get, put }) => {
    await put({ title: 'Kept' });
    const before = await get();
    const { status, body } = await put(json);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringMatching(message)]);
    expect(await get()).toEqual(before);
  });
});
