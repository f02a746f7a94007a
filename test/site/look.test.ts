import fc from 'fast-check';
import { codeThemeOf } from '@bindery/render';
import { UpdateSiteCustomization } from '@bindery/contract';
import { buildSite, buildSpace } from '../support/factories.ts';
import { publishPages } from '../support/content/indexing.ts';
import { violationsOf } from '../support/operatorBrowser.ts';
import { everyBlock } from '../support/site/everyBlock.ts';
import { it as base } from '../support/site/siteIt.ts';
import { assetPaths, findAsset } from '../../apps/site/src/assets/assets.ts';
import { codeColorsOf } from '../../apps/site/src/frame/codeColors.ts';
import { codeThemeName } from '../../packages/contract/src/site/customizationValues.ts';
import { paletteOf } from '../../apps/site/src/frame/palette.ts';
import { describe, expect } from 'vitest';

const gitSync = {
  provider: 'github' as const,
  url: 'https://git.example/we/docs/edit/main',
  updatedAt: new Date(),
};

const it = base
  .extend('guide', { scope: 'file' }, async ({ organization }) =>
    publishPages(await buildSpace(organization, { title: 'Guide', gitSync }), [
      { title: 'Every block', path: 'every-block', source: everyBlock },
      {
        title: 'Second',
        path: 'second',
        description: 'About it',
        source: '# Second\n\nText',
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
    /** Publishes the guide with a customization. @returns the address of the site */
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

const inBoth = (light: string, dark = light) => ({ light, dark });
const widths = [320, 412, 768, 1_280];

/** The contrast of two colours as WCAG 2 defines it. */
function contrastOf(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].toSorted((left, right) => left - right);
  return (bright + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const themed = fc.record({ light: color, dark: color });
const settings = fc.record({
  styling: fc.record(
    {
      theme: fc.constantFrom('clean', 'muted', 'bold', 'gradient'),
      background: fc.constantFrom('plain', 'match'),
      primaryColor: themed,
      infoColor: themed,
      successColor: themed,
      warningColor: themed,
      dangerColor: themed,
      tint: fc.record({ color: themed }),
    },
    { requiredKeys: ['primaryColor'] },
  ),
  header: fc.record(
    {
      preset: fc.constantFrom('default', 'bold', 'contrast', 'custom', 'none'),
      backgroundColor: themed,
      linkColor: themed,
    },
    { requiredKeys: ['preset'] },
  ),
  announcement: fc.record({
    enabled: fc.constant(true),
    message: fc.constant('News'),
    style: fc.constantFrom('info', 'warning', 'danger', 'success'),
  }),
});

const onPage = ['ink', 'soft', 'link', 'tint', 'info', 'success', 'warning', 'danger'];
const pairs = [
  ...onPage.flatMap((text) => [
    [text, 'page'],
    [text, 'wash'],
  ]),
  ['on-primary', 'primary'],
  ['on-notice', 'notice'],
  ['header-ink', 'header'],
  ['header-link', 'header'],
];

describe('the style sheet of all sites', () => {
  it('has at most 6 kB on the wire', () => {
    expect(findAsset(assetPaths('/').style)?.br.length).toBeLessThanOrEqual(6_000);
  });
});

describe('the colours of a customization', () => {
  it('are readable in both modes, whatever they are', () => {
    fc.assert(
      fc.property(settings, fc.constantFrom('light', 'dark'), (given, mode) => {
        const palette = paletteOf(UpdateSiteCustomization.parse(given), mode);
        const unreadable = pairs.filter(
          ([text = '', ground = '']) => !(contrastOf(palette[text] ?? '', palette[ground] ?? '') >= 4.5),
        );
        expect(unreadable).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('stay as they are where they are readable, and keep their hue where not', () => {
    const customization = UpdateSiteCustomization.parse({
      styling: { primaryColor: inBoth('#7a0000', '#ffb3b3'), successColor: inBoth('#00ff00') },
    });
    expect(paletteOf(customization, 'light')).toMatchObject({ link: '#7a0000', 'on-primary': '#ffffff' });
    expect(paletteOf(customization, 'dark')).toMatchObject({ link: '#ffb3b3', 'on-primary': '#000000' });
    expect(paletteOf(customization, 'dark')['success']).toBe('#00ff00');
    const corrected = paletteOf(customization, 'light')['success'] ?? '';
    expect(corrected).toMatch(/^#00[7-8].00$/);
  });

  it('break no rule of axe, also where they have hardly any contrast', async ({ page, siteWith }) => {
    const url = await siteWith({
      styling: {
        background: 'match',
        primaryColor: inBoth('#ffee88', '#222244'),
        infoColor: inBoth('#ffffff', '#000000'),
        successColor: inBoth('#aaffaa', '#003300'),
        warningColor: inBoth('#ffcc00', '#332200'),
        dangerColor: inBoth('#ffaaaa', '#330000'),
        tint: { color: inBoth('#ff00ff') },
      },
      header: { preset: 'bold', links: [{ title: 'Far', to: { kind: 'url', url: '/far' }, links: [] }] },
    });
    for (const theme of ['light', 'dark']) {
      for (const width of widths) {
        await page.setViewport({ width, height: 900 });
        await page.goto(url);
        await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
        expect(await violationsOf(page), `${theme} at ${width}`).toEqual([]);
      }
    }
    expect(page.complaints).toEqual([]);
  });
});

describe('code', () => {
  it('is readable in each theme, also in highlighted lines', async () => {
    const site = paletteOf(UpdateSiteCustomization.parse({}), 'light');
    const themes = codeThemeName.options;
    const unknown = await Promise.all(themes.map(async (name) => ((await codeThemeOf(name)) ? [] : [name])));
    expect(unknown.flat()).toEqual(['default-light', 'default-dark', 'monochrome-light', 'monochrome-dark']);
    for (const theme of themes) {
      const colors = await codeColorsOf(theme, { mode: 'light', site });
      const { code: ground = '', 'code-mark': mark = '', ...texts } = colors;
      for (const [name, color] of Object.entries(texts))
        for (const background of [ground, mark])
          expect(contrastOf(color, background), `${name} in ${theme}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('has the background and the colours of its theme', async ({ page, siteWith }) => {
    const theme = { light: 'solarized-light', dark: 'dracula' };
    const url = await siteWith({ styling: { codeTheme: { default: theme, openapi: theme } } });
    await page.setViewport({ width: 1_280, height: 900 });
    await page.goto(url);
    await page.evaluate(`document.documentElement.dataset.theme = 'dark'`);
    const colorOf = async (selector: string, property: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}'))['${property}']`);
    expect(await colorOf('.page pre', 'backgroundColor')).toBe('rgb(40, 42, 54)');
    expect(await colorOf('.page pre .t-string', 'color')).toBe('rgb(241, 250, 140)');
    for (const mode of ['dark', 'light']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${mode}'`);
      expect(await violationsOf(page)).toEqual([]);
    }
  });
});

describe('a theme', () => {
  it.for(['clean', 'muted', 'bold', 'gradient'] as const)(
    '%s breaks no rule of axe, with any style of the navigation',
    async (theme, { page, siteWith }) => {
      const url = await siteWith({
        styling: {
          theme,
          corners: theme === 'bold' ? 'circular' : 'straight',
          links: theme === 'clean' ? 'default' : 'accent',
          sidebar: {
            background: theme === 'bold' ? 'filled' : 'default',
            list: theme === 'muted' ? 'pill' : 'line',
          },
          primaryColor: inBoth('#ff8800'),
        },
        header: { preset: theme === 'clean' ? 'none' : 'default', links: around.header.links },
      });
      for (const mode of ['light', 'dark']) {
        for (const width of widths) {
          await page.setViewport({ width, height: 900 });
          await page.goto(url);
          await page.evaluate(`document.documentElement.dataset.theme = '${mode}'`);
          expect(await violationsOf(page), `${mode} at ${width}`).toEqual([]);
          const wider = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
          expect(wider, `${mode} at ${width}`).toBeLessThanOrEqual(0);
        }
      }
      expect(page.complaints).toEqual([]);
    },
  );

  it('shows on the page: corners, links, navigation, header', async ({ page, siteWith }) => {
    const styleOf = async (selector: string, property: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}'))['${property}']`);
    await page.setViewport({ width: 1_280, height: 900 });
    await page.goto(
      await siteWith({
        styling: {
          theme: 'bold',
          corners: 'circular',
          links: 'accent',
          sidebar: { background: 'filled', list: 'pill' },
          primaryColor: inBoth('#123456'),
        },
      }),
    );
    expect(await styleOf('.page pre', 'borderRadius')).toBe('14.4px');
    expect(await styleOf('.top', 'backgroundColor')).toBe('rgb(18, 52, 86)');
    expect(await styleOf('.page p a', 'color')).toBe(await styleOf('.page p', 'color'));
    expect(await styleOf('.tree', 'backgroundColor')).toBe('rgb(246, 248, 250)');
    expect(await styleOf('.tree a', 'borderRadius')).toBe('32px');
  });
});

const logo = inBoth('https://pictures.example/light.svg', 'https://pictures.example/dark.svg');
const to = (url: string) => ({ kind: 'url', url });
const around = {
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

const isLastLinkShown = `(() => {
  const { left, right, width } = document.querySelector('.menu li:last-child a').getBoundingClientRect();
  return width > 0 && left >= 0 && right <= innerWidth;
})()`;

describe('what a customization puts around pages', () => {
  it('is there: announcement, icon, logos, links and copyright', async ({ server, siteWith }) => {
    const { text, headers } = await server.get(await siteWith(around));
    expect(text).toMatch(/<aside class="announcement"[^>]*>Version 2 has arrived <a href="https:\/\/blog/);
    expect(text).toContain(`<link rel="icon" href="data:image/svg+xml,%3Csvg`);
    expect(text).toContain(encodeURIComponent('🚀'));
    expect(headers['content-security-policy']).toContain("img-src 'self' data: https://pictures.example;");
    expect(text).toContain('<a class="brand" href="https://www.example.org/"><img class="on-light"');
    expect(text).toContain(
      '<a class="button primary" href="https://app.example.org/" target="_blank" rel="noopener">Start &quot;now',
    );
    expect(text).toContain('<summary>More</summary><ul><li><a href="/l/0">Link number 0</a>');
    expect(text).not.toMatch(/Secret|Gone|Empty/);
    const footer = text.slice(text.indexOf('<footer'));
    expect(footer).toContain('<p class="label">Company</p><ul><li><a href="/jobs">Jobs</a></li></ul>');
    expect(footer).toContain('<a href="https://mastodon.social/@we" target="_blank"');
    expect(footer).toContain('>Privacy policy</a>');
    expect(footer).toContain('<p>© Us &amp; them</p>');
    expect(footer).toContain('https://pictures.example/dark.svg');
  });

  it('is around pages of results too, but for links that need the content', async ({ server, siteWith }) => {
    const { text } = await server.get(`${await siteWith(around)}/~/search?q=text`);
    expect(text).toContain('Version 2 has arrived');
    expect(text).toContain('>Jobs</a>');
    expect(text).not.toMatch(/Secret|Gone|Empty/);
  });

  it('fits into each window, also with an open menu, from right to left too', async ({ page, siteWith }) => {
    const url = await siteWith({ ...around, favicon: { icon: logo } });
    for (const direction of ['ltr', 'rtl']) {
      for (const width of widths) {
        await page.setViewport({ width, height: 900 });
        await page.goto(url);
        await page.evaluate(`document.documentElement.dir = '${direction}'`);
        await page.click('.menu > summary');
        const wider = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
        expect(wider, `${direction} at ${width}`).toBeLessThanOrEqual(0);
        const link = await page.evaluate(isLastLinkShown);
        expect(link, `${direction} at ${width}`).toBe(true);
        expect(await violationsOf(page), `${direction} at ${width}`).toEqual([]);
      }
    }
    // The pictures are on a host that does not exist.
    expect(page.complaints.filter((text) => !text.includes('ERR_'))).toEqual([]);
  });
});

describe('a page', () => {
  it('has its neighbours, its date and its actions', async ({ server, siteWith }) => {
    const url = await siteWith({ git: { showEditLink: true } });
    const { text } = await server.get(`${url}/second`);
    expect(text).toContain('rel="prev"><small>Previous</small>Every block</a>');
    expect(text).toContain('rel="next"><small>Next</small>Bare</a>');
    expect(text).toContain('Last updated <time datetime="2026-03-04T05:06:07.890Z">March 4, 2026</time>');
    expect(text).toContain(
      `<a class="markdown" href="${new URL(url).pathname}/second.md">View as Markdown</a>`,
    );
    expect(text).toContain(
      '<a href="https://git.example/we/docs/edit/main/docs/the%20second.md">Edit this page</a>',
    );
    expect((await server.get(url)).text).not.toContain('Edit this page');
  });

  it('has none that the customization turns off', async ({ server, siteWith }) => {
    const url = await siteWith({
      pagination: { enabled: false },
      pdf: { enabled: false },
      pageActions: { items: ['pdf'] },
    });
    const { text } = await server.get(`${url}/second`);
    expect(text).not.toMatch(/class="pager"|class="actions"|Edit this page/);
  });

  it('shows only the parts that its author left visible', async ({ server, page, siteWith }) => {
    const url = await siteWith({});
    const { text, headers } = await server.get(`${url}/bare`);
    expect(text).not.toMatch(/class="(?:pager|actions|outline|meta)"/);
    expect(text).toContain(
      '<div class="cover background"><img class="on-light" src="https://pictures.example/cov',
    );
    expect(text).toContain('.cover img{height:700px;object-position:50% calc(50% + -40px)}');
    expect(headers['content-security-policy']).toContain('https://pictures.example');
    await page.setViewport({ width: 1_280, height: 900 });
    await page.goto(`${url}/bare`);
    const seen = (await page.evaluate('document.querySelector("main").innerText')) as string;
    expect(seen).not.toContain('Not shown');
    expect(await page.$eval('h1', (title) => title.getBoundingClientRect().width)).toBeLessThan(2);
    expect(await page.$eval('.tree', (tree) => tree.getBoundingClientRect().width)).toBe(0);
    await page.click('.menu-button');
    expect(await page.$eval('.tree', (tree) => tree.getBoundingClientRect().width)).toBeGreaterThan(100);
  });

  it('breaks no rule of axe and fits into each window, with a cover or without parts', async ({
    page,
    siteWith,
  }) => {
    const url = await siteWith({ git: { showEditLink: true }, themes: { default: 'system' } });
    for (const value of ['light', 'dark']) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
      for (const width of widths) {
        await page.setViewport({ width, height: 900 });
        for (const path of ['/second', '/bare', '/covered']) {
          await page.goto(url + path);
          expect(await violationsOf(page), `${path} at ${width}`).toEqual([]);
          const wider = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
          expect(wider, `${path} at ${width}`).toBeLessThanOrEqual(0);
        }
      }
    }
    expect(page.complaints.filter((text) => !text.includes('ERR_'))).toEqual([]);
  });

  it('is copied as Markdown', async ({ page, browser, server, siteWith }) => {
    const url = await siteWith({});
    const permissions = ['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write'] as const;
    await browser.defaultBrowserContext().overridePermissions(new URL(url).origin, [...permissions]);
    await page.goto(`${url}/second`);
    await page.click('.actions button');
    await page.waitForFunction(`document.querySelector('.actions button').textContent === 'Copied'`);
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe((await server.get(`${url}/second.md`)).text);
    expect(page.complaints).toEqual([]);
  });
});

describe('the policy of a page', () => {
  it.for(['https://x;sandbox/p.png', 'https://x,default-src/p.png'])(
    'has no directive from the host of a logo, %s',
    async (light, { server, siteWith }) => {
      const { status, headers } = await server.get(
        await siteWith({ header: { logo: inBoth(light, light) } }),
      );
      expect(status).toBe(200);
      expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
      expect(headers['content-security-policy']).not.toMatch(/https:|sandbox/);
    },
  );
});
