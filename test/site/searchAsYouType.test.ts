import type { Page } from 'puppeteer-core';
import { describe, expect } from 'vitest';
import { indexWhatWaits, publishPages } from '../support/content/indexing.ts';
import { buildSite, buildSpace } from '../support/factories.ts';
import { pressAndFollow, violationsOf } from '../support/operatorBrowser.ts';
import { it as base } from '../support/site/siteIt.ts';

const long = 'A long sentence about orchards, with many words around it. '.repeat(40);
const pages = [
  { title: 'Home', path: 'home', source: '# Home\n\nWelcome. [A link](https://a.example/)' },
  {
    title: 'Tools',
    path: 'tools',
    source: '# Tools\n\nSeveral.\n\n## Große Sägen\n\nCut with secateurs.\n\n## More tools\n\nLadders',
  },
  ...Array.from({ length: 30 }, (_, index) => ({
    title: `Orchard ${index} 果樹園`,
    path: `orchard-${index}`,
    source: `# Orchard ${index} 果樹園\n\n${long}${'果樹園の木。'.repeat(100)}`,
  })),
];

const it = base.extend('url', { scope: 'file' }, async ({ api, organization, server, hostname }) => {
  const guide = await publishPages(await buildSpace(organization, { title: 'Guide' }), pages);
  await indexWhatWaits(api.config);
  const site = await buildSite(organization, { title: 'Docs', spaces: [guide], isPublished: true });
  return `${server.origin}/${hostname}/${site.basename}`;
});

describe('the results of a search as a reader types', () => {
  it('are the best pages, with the total number, in at most 3 kB', async ({ server, url }) => {
    for (const word of ['orchard', '果樹園']) {
      const { status, headers, text } = await server.get(
        `${url}/~/search.json?q=${encodeURIComponent(word)}`,
      );
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3_000);
      const answer = JSON.parse(text) as { status: string; results: { href: string; text: string }[] };
      expect(answer.status).toBe('30 pages found.');
      expect(answer.results.length).toBeGreaterThan(2);
      expect(answer.results[0]?.href).toMatch(new RegExp(`^${new URL(url).pathname}/orchard-\\d+$`));
    }
  });

  it('lead to the matching section, or to the page with a matching title', async ({ server, url }) => {
    const best = async (words: string) => {
      const { text } = await server.get(`${url}/~/search.json?q=${encodeURIComponent(words)}`);
      return (JSON.parse(text) as { results: { href: string; title: string }[] }).results[0];
    };
    const { pathname } = new URL(url);
    const { href = '', title } = (await best('secateurs')) ?? {};
    expect(title).toBe('Tools / Große Sägen');
    expect(href.split('#', 1)).toEqual([`${pathname}/tools`]);
    const id = decodeURIComponent(href.slice(href.indexOf('#') + 1));
    expect((await server.get(`${url}/tools`)).text).toContain(`<h2 id="${id}"`);
    expect((await server.get(`${url}/~/search?q=secateurs`)).text).toContain(
      `<a href="${href}">${title}</a>`,
    );
    expect(await best('tools')).toMatchObject({ href: `${pathname}/tools`, title: 'Tools' });
  });

  it('are empty for an empty query', async ({ server, url }) => {
    const { text } = await server.get(`${url}/~/search.json`);
    expect(JSON.parse(text)).toEqual({ status: 'Enter the words to look for.', results: [] });
  });
});

const focused = (page: Page) => page.evaluate('document.activeElement.textContent.trim()');
const isOpen = (page: Page) => page.$eval('dialog.find', (dialog) => dialog.hasAttribute('open'));

describe('the search dialog', () => {
  it('finds a page with the keyboard alone, and announces the number of results', async ({ page, url }) => {
    await page.goto(url);
    await page.keyboard.press('/');
    await page.keyboard.type('orchard 7');
    await page.waitForSelector('dialog.find [role=option]');
    expect(await page.$eval('dialog.find [role=status]', (status) => status.textContent)).toMatch(
      /pages? found/,
    );
    expect(await page.$eval('dialog.find input', (input) => input.getAttribute('aria-expanded'))).toBe(
      'true',
    );
    await page.keyboard.press('ArrowDown');
    const chosen = await page.$eval('dialog.find input', (input) =>
      input.getAttribute('aria-activedescendant'),
    );
    expect(await page.$eval(`[id="${chosen}"]`, (option) => option.getAttribute('aria-selected'))).toBe(
      'true',
    );
    expect(await violationsOf(page)).toEqual([]);
    await pressAndFollow(page, 'Enter');
    expect(await page.title()).toBe('Orchard 7 果樹園 - Docs');
    expect(page.complaints).toEqual([]);
  });

  it('closes with Escape, and restores the focus', async ({ page, url }) => {
    await page.goto(url);
    await page.focus('.page a');
    await page.keyboard.down('Control');
    await page.keyboard.press('k');
    await page.keyboard.up('Control');
    expect(await isOpen(page)).toBe(true);
    await page.keyboard.press('Escape');
    expect(await isOpen(page)).toBe(false);
    expect(await focused(page)).toBe('A link');
  });

  it('leads to the page of results when no result is chosen', async ({ page, url }) => {
    await page.goto(url);
    await page.type('.top .search input', 'orchard');
    await page.waitForSelector('dialog.find [role=option]');
    await pressAndFollow(page, 'Enter');
    expect(await page.title()).toBe('Search: orchard - Docs');
  });

  it('passes axe and fits into narrow and wide windows, in both themes', async ({ page, url }) => {
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
      for (const width of [320, 1_280]) {
        await page.setViewport({ width, height: 700 });
        await page.goto(url);
        await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
        await page.keyboard.press('/');
        await page.keyboard.type('orchard');
        await page.waitForSelector('dialog.find [role=option]');
        expect(await violationsOf(page), `${theme} at ${width}`).toEqual([]);
        expect(await page.$eval('dialog.find', (dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0);
      }
    }
  });
});
