import type { Page } from 'puppeteer-core';
import { describe, expect } from 'vitest';
import { publishPages } from '../support/content/indexing.ts';
import { buildShareLink, buildSite, buildSpace } from '../support/factories.ts';
import { violationsOf } from '../support/operatorBrowser.ts';
import { it as base } from '../support/site/siteIt.ts';

const tabs = `{% tabs %}
{% tab title="Linux" %}
Use apt.
{% endtab %}
{% tab title="macOS" %}
Use brew.
{% endtab %}
{% endtabs %}`;
const other = tabs.replace('Linux', 'Windows');
const code = `{% code title="a.txt" lineNumbers="true" %}
\`\`\`js
first
second
\`\`\`
{% endcode %}

\`\`\`js
third
\`\`\`

\`\`\`
fourth
\`\`\``;
const long = 'A sentence.\n\n'.repeat(60);
const pages = [
  { title: 'Home', path: 'home', source: `# Home\n\n${tabs}\n\n${other}\n\n${tabs}\n\n[Next](next.md)` },
  {
    title: 'Next',
    path: 'next',
    source: `# Next\n\n${tabs}\n\n## First\n\n${long}\n\n## Zweite Überschrift\n\n${long}`,
  },
  { title: 'Code', path: 'code', source: `# Code\n\n${code}` },
];

const it = base
  .extend('guide', { scope: 'file' }, async ({ organization }) =>
    publishPages(await buildSpace(organization, { title: 'Guide' }), pages),
  )
  .extend('url', { scope: 'file' }, async ({ organization, guide, server, hostname }) => {
    const site = await buildSite(organization, { title: 'Docs', spaces: [guide], isPublished: true });
    return `${server.origin}/${hostname}/${site.basename}`;
  });

const openTabs = (page: Page) =>
  page.$$eval('.tab[open] > summary', (open) => open.map((summary) => summary.textContent));
const hints = (page: Page) =>
  page.$$eval('link[rel=prefetch]', (links) => links.map((link) => link.getAttribute('href')));

describe('groups of tabs', () => {
  it('with the same titles show the same tab, also on the next page', async ({ page, url }) => {
    await page.goto(url);
    expect(await openTabs(page)).toEqual(['Linux', 'Windows', 'Linux']);
    await page.click('.tabs:last-of-type .tab:nth-child(2) > summary');
    expect(await openTabs(page)).toEqual(['macOS', 'Windows', 'macOS']);
    await page.goto(`${url}/next`);
    expect(await openTabs(page)).toEqual(['macOS']);
    expect(page.complaints).toEqual([]);
  });

  it('always show one of their tabs', async ({ page, url }) => {
    await page.goto(`${url}/next`);
    await page.click('.tab > summary');
    expect(await openTabs(page)).toEqual(['Linux']);
  });
});

describe('code', () => {
  it('has copy buttons named after its title or its language', async ({ page, url }) => {
    await page.goto(`${url}/code`);
    const names = await page.$$eval('.copy', (all) => all.map((each) => each.ariaLabel ?? each.textContent));
    expect(names).toEqual(['Copy: a.txt', 'Copy: js', 'Copy']);
  });

  it('is selected without line numbers', async ({ page, url }) => {
    await page.goto(`${url}/code`);
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector('.numbered'))`);
    expect(await page.evaluate('String(getSelection())')).toBe('first\nsecond');
  });
});

describe('the table of contents of a page', () => {
  it('marks the heading in view', async ({ page, url }) => {
    await page.setViewport({ width: 1_400, height: 700 });
    const current = () =>
      page.$$eval('.outline [aria-current]', (all) => all.map((link) => link.textContent));
    await page.goto(`${url}/next`);
    expect(await current()).toEqual([]);
    for (const title of ['Zweite Überschrift', 'First']) {
      await page.click(`.outline a ::-p-text(${title})`);
      await page.waitForFunction(
        `document.querySelector('.outline [aria-current]')?.textContent === '${title}'`,
      );
      expect(await current()).toEqual([title]);
    }
    expect(await violationsOf(page)).toEqual([]);
  });
});

describe('a page that a reader points at', () => {
  it('is prefetched once, and shown from the cache', async ({ page, url }) => {
    await page.setViewport({ width: 1_280, height: 700 });
    await page.goto(url);
    await page.hover('.page a[href$="/next"]');
    await page.waitForSelector('link[rel=prefetch]');
    await page.hover('.tree a[href$="/next"]');
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/next')),
    );
    expect(await hints(page)).toEqual([`${url}/next`]);
    const [answer] = await Promise.all([page.waitForNavigation(), page.click('.page a[href$="/next"]')]);
    expect(answer?.fromCache()).toBe(true);
    expect(await page.title()).toBe('Next - Docs');
    expect(page.complaints).toEqual([]);
  });

  it('is not prefetched when it must not be cached, or when the browser saves data', async ({
    page,
    url,
    organization,
    guide,
    server,
    hostname,
  }) => {
    const shared = await buildSite(organization, {
      spaces: [guide],
      visibility: 'share-link',
      isPublished: true,
    });
    const { key } = await buildShareLink(shared);
    const touched = async (address: string) => {
      await page.goto(address);
      await page.$eval('.page a[href$="/next"]', (link) =>
        link.dispatchEvent(new Event('touchstart', { bubbles: true })),
      );
      return hints(page);
    };
    expect(await touched(url)).toEqual([`${url}/next`]);
    expect(await touched(`${server.origin}/${hostname}/${shared.basename}/${key}`)).toEqual([]);
    await page.evaluateOnNewDocument(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
    );
    expect(await touched(url)).toEqual([]);
  });
});
