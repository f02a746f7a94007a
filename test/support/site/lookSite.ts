import { UpdateSiteCustomization } from '@bindery/contract';
import { publishPages } from '../content/indexing.ts';
import { buildSite, buildSpace } from '../factories.ts';
import { everyBlock } from './everyBlock.ts';
import { it as base } from './siteIt.ts';

const gitSync = {
  provider: 'github' as const,
  url: 'https://git.example/we/docs/edit/main',
  updatedAt: new Date(),
};

/**
 * The `it` of tests of the look of a site. Fixtures beside those of `siteIt.ts`:
 *
 * - `guide`: a space with pages that show different parts
 * - `siteWith`: publishes the guide with a customization, and returns the address of the site
 */
export const it = base
  .extend('guide', { scope: 'file' }, async ({ organization }) =>
    publishPages(await buildSpace(organization, { title: 'Guide', gitSync }), [
      { title: 'Every block', path: 'every-block', source: everyBlock },
      {
        title: 'Second',
        path: 'second',
        description: 'About it',
        source: '# Second\n\nText, [elsewhere](https://elsewhere.example/)',
        git: { oid: '1', path: 'docs/the second.md' },
        updatedAt: '2026-03-04T05:06:07.890Z',
      },
      {
        title: 'Bare',
        path: 'bare',
        description: 'Not shown',
        source: `# Bare\n\n## One\n\nText\n\n## Two\n\nText`,
        cover: {
          ref: { kind: 'url', url: 'https://pictures.example/cover.png' },
          refDark: { kind: 'url', url: 'https://pictures.example/dark.png' },
          yPos: -40,
          heightPixels: 5_000,
        },
        layout: {
          ...{ width: 'wide', coverSize: 'background', title: false, description: false, outline: false },
          ...{ tableOfContents: false, pagination: false, metadata: false, actions: false },
        },
      },
      {
        title: 'Covered',
        path: 'covered',
        source: '# Covered\n\nText',
        cover: { ref: { kind: 'url', url: 'https://pictures.example/hero.png' }, yPos: 0 },
      },
    ]),
  )
  .extend('siteWith', { scope: 'file' }, ({ organization, server, guide, hostname }) => {
    return async (settings: object): Promise<string> => {
      const customization = { settings: UpdateSiteCustomization.parse(settings), updatedAt: new Date() };
      const site = await buildSite(organization, {
        title: 'Docs',
        spaces: [guide],
        isPublished: true,
        customization: customization as never,
      });
      return `${server.origin}/${hostname}/${site.basename}`;
    };
  });

/** A colour or a picture for both themes. */
export const inBoth = (light: string, dark = light) => ({ light, dark });
/** Of the windows in which pages are tried, in pixels. */
export const widths = [320, 412, 768, 1_280];

export const logo = inBoth('https://pictures.example/light.svg', 'https://pictures.example/dark.svg');
/** The target of a link. */
export const to = (url: string) => ({ kind: 'url', url });
/** A customization with something in each place around a page. */
export const around = {
  localizedTitle: { de: 'Handbuch' },
  header: {
    logo,
    primaryLink: to('https://www.example.org/'),
    preset: 'custom',
    backgroundColor: inBoth('#777777'),
    linkColor: inBoth('#888888'),
    links: [
      { title: 'Start "now"', style: 'button-primary', to: to('https://app.example.org/'), links: [] },
      {
        title: 'More',
        to: null,
        links: Array.from({ length: 12 }, (_, at) => ({ title: `Link number ${at}`, to: to(`/l/${at}`) })),
      },
      { title: 'Secret', to: to('/secret'), links: [], condition: 'visitor.claims.isTester' },
      { title: 'Gone', to: { kind: 'page', page: 'no-such-page' }, links: [] },
    ],
  },
  footer: {
    logo,
    groups: [
      { title: 'Company', links: [{ title: 'Jobs', to: to('/jobs') }] },
      { title: 'Empty', links: [{ title: 'Gone', to: { kind: 'page', page: 'no-such-page' } }] },
    ],
    copyright: '© Us & them',
  },
  announcement: {
    enabled: true,
    message: 'Version 2 is here',
    localizedMessage: { en: 'Version 2 has arrived' },
    link: { title: 'Read on', to: to('https://blog.example.org/') },
    style: 'warning',
  },
  favicon: { emoji: '1f680' },
  externalLinks: { target: 'blank' },
  privacyPolicy: { url: 'https://www.example.org/privacy' },
  socialAccounts: [
    { platform: 'mastodon', handle: '@we', display: { header: false, footer: true } },
    { platform: 'github', handle: 'we/docs', display: { header: true, footer: false } },
  ],
};
