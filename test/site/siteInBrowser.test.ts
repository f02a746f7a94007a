import type { Page } from 'puppeteer-core';
import { describe, expect } from 'vitest';
import { buildSection, buildSite, buildSpace } from '../support/factories.ts';
import { indexWhatWaits, publishPages } from '../support/content/indexing.ts';
import { violationsOf } from '../support/operatorBrowser.ts';
import { everyBlock } from '../support/site/everyBlock.ts';
import { it as base } from '../support/site/siteIt.ts';

const widths = [320, 412, 768, 1_280];

const parent = `# Parent

Text

{% tabs %}
{% tab title="One" %}
[The child](parent/child.md)
{% endtab %}
{% tab title="Two" %}
Nothing
{% endtab %}
{% endtabs %}`;

const it = base.extend('url', { scope: 'file' }, async ({ api, organization, server, hostname }) => {
  const guide = await publishPages(await buildSpace(organization, { title: 'Guide' }), [
    { title: 'Every block', path: 'every-block', source: everyBlock },
    {
      type: 'group',
      title: 'A group with a title that is longer than the navigation is wide',
      path: 'group',
      pages: [
        {
          title: 'Parent',
          path: 'group/parent',
          source: parent,
          pages: [{ title: 'Child', path: 'group/parent/child', source: '# Child\n\nText' }],
        },
      ],
    },
  ]);
  const reference = await publishPages(await buildSpace(organization, { title: 'Reference' }), [
    { title: 'Calls', path: 'calls', source: '# Calls\n\nText' },
  ]);
  await indexWhatWaits(api.config);
  const site = await buildSite(organization, { title: 'Docs', isPublished: true });
  await buildSection(site, { space: guide, title: 'Guides', path: 'guides' });
  await buildSection(site, { space: reference, title: 'Reference', path: 'ref' });
  return `${server.origin}/${hostname}/${site.basename}`;
});

const code = `\`\`\`js\n${'step();\n'.repeat(20)}\`\`\`\n\n`;
const manyBlocks = `# Many blocks\n\n${code.repeat(80)}## Near the end\n\nText.\n\n${code.repeat(3)}`;

/** How far the page is wider than the window, in pixels. */
const overflowOf = async (page: Page) =>
  (await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')) as number;

describe('a site in a browser', () => {
  it.for(['light', 'dark'] as const)(
    'passes axe and fits into narrow and wide windows, %s',
    async (theme, { page, url }) => {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
      for (const width of widths) {
        await page.setViewport({ width, height: 900 });
        for (const path of ['', '/group/parent/child', '/~/search?q=text', '/nowhere']) {
          await page.goto(url + path);
          await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
          expect(await violationsOf(page), `${path} at ${width}`).toEqual([]);
          expect(await overflowOf(page), `${path} at ${width}`).toBeLessThanOrEqual(0);
        }
      }
      expect(page.complaints.filter((text) => !text.includes('404'))).toEqual([]);
    },
  );

  it('lays out code far below only when it comes near, and all of it for print', async ({
    page,
    organization,
    server,
    hostname,
  }) => {
    const space = await publishPages(await buildSpace(organization), [
      { title: 'Many blocks', path: 'many', source: manyBlocks },
    ]);
    const site = await buildSite(organization, { spaces: [space], isPublished: true });
    await page.setViewport({ width: 412, height: 900 });
    await page.goto(`${server.origin}/${hostname}/${site.basename}#near-the-end`);
    const isLaidOut = (selector: string) =>
      page.$eval(selector, (line) => line.checkVisibility({ contentVisibilityAuto: true }));
    // No block changes its size in sight: the heading stays where the link led.
    const below = `document.querySelector('#near-the-end').getBoundingClientRect().top -
      document.querySelector('.top').getBoundingClientRect().bottom`;
    await page.waitForFunction('scrollY > 1000');
    await page.waitForNetworkIdle();
    expect(await page.evaluate(below)).toBeCloseTo(24, -1);
    expect(await isLaidOut('figure:nth-child(50) .line')).toBe(false);
    await page.emulateMediaType('print');
    expect(await isLaidOut('figure:nth-child(50) .line')).toBe(true);
  });

  it('works without scripts: tabs, navigation, search', async ({ page, url }) => {
    await page.setJavaScriptEnabled(false);
    await page.setViewport({ width: 412, height: 900 });
    await page.goto(url);
    expect(await page.$eval('.tab[open] > summary', (tab) => tab.textContent)).toBe('Linux');
    await page.click('.tab:nth-of-type(2) > summary');
    expect(await page.$$eval('.tab[open] > summary', (tabs) => tabs.map((tab) => tab.textContent))).toEqual([
      'macOS',
    ]);
    await page.click('.menu-button');
    await Promise.all([page.waitForNavigation(), page.click('.tree a[href$="/group/parent"]')]);
    expect(await page.title()).toBe('Parent - Docs');
    await page.type('.search input', 'brew');
    await Promise.all([page.waitForNavigation(), page.click('.search button')]);
    await Promise.all([page.waitForNavigation(), page.click('.results a')]);
    expect(await page.title()).toBe('Every block - Docs');
  });

  it('follows a link in a tab', async ({ page, url }) => {
    await page.goto(`${url}/group/parent`);
    await Promise.all([page.waitForNavigation(), page.click('.tab[open] a')]);
    expect(await page.title()).toBe('Child - Docs');
  });

  it('keeps the theme that a reader chose', async ({ page, url }) => {
    await page.goto(url);
    await page.click('.theme input[value=dark]');
    await page.goto(`${url}/group/parent`);
    expect(await page.$eval('html', (root) => root.dataset['theme'])).toBe('dark');
  });
});
