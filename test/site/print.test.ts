import { UpdateSiteCustomization } from '@bindery/contract';
import type { Page } from 'puppeteer-core';
import { describe, expect } from 'vitest';
import { publishPages } from '../support/content/indexing.ts';
import { buildSite, buildSpace } from '../support/factories.ts';
import { violationsOf } from '../support/operatorBrowser.ts';
import { everyBlock } from '../support/site/everyBlock.ts';
import { it as base } from '../support/site/siteIt.ts';

const it = base.extend('url', { scope: 'file' }, async ({ organization, server, hostname }) => {
  const guide = await publishPages(await buildSpace(organization, { title: 'Guide' }), [
    { title: 'Every block', path: 'every-block', source: everyBlock },
    {
      title: 'Next',
      path: 'next',
      source: everyBlock.replace('# Every block', '# Next\n\n[First](every-block.md)'),
    },
    { title: 'Draft', path: 'draft', hidden: true as const, source: '# Draft\n\ncanary-hidden' },
  ]);
  const site = await buildSite(organization, { title: 'Docs', spaces: [guide], isPublished: true });
  return `${server.origin}/${hostname}/${site.basename}`;
});

/** Whether the only element with this text is drawn. */
const isShown = (page: Page, text: string) =>
  page.$eval(`.page p ::-p-text(${text})`, (element) => {
    const { width, height } = element.getBoundingClientRect();
    return element.checkVisibility({ contentVisibilityAuto: true }) && width > 0 && height > 0;
  });

describe('a page that is printed', () => {
  it('shows all tabs and expandable blocks, the targets of links, and no navigation', async ({
    page,
    url,
  }) => {
    await page.setViewport({ width: 1_280, height: 900 });
    await page.goto(url);
    expect(await isShown(page, 'Use brew.')).toBe(false);
    expect(await isShown(page, 'Hidden text.')).toBe(false);
    await page.evaluate(`document.documentElement.dataset.theme = 'dark'`);
    await page.emulateMediaType('print');
    for (const text of ['Use apt.', 'Use brew.', 'Hidden text.'])
      expect(await isShown(page, text)).toBe(true);
    const drawn = (selector: string) =>
      page.$$eval(selector, (all) => all.some((element) => element.checkVisibility()));
    for (const frame of ['.top', '.tree', '.outline', '.pager', '.bottom', '.copy', '.find'])
      expect(await drawn(frame), frame).toBe(false);
    const { after, scheme } = (await page.evaluate(`({
      after: getComputedStyle(document.querySelector('.page a[href^=http]'), '::after').content,
      scheme: getComputedStyle(document.documentElement).colorScheme,
    })`)) as { after: string; scheme: string };
    expect(after).toContain('https://example.org/');
    expect(scheme).toBe('light');
  });
});

describe('all pages of a space', () => {
  it('are printed as one document with everything open', async ({ page, url }) => {
    await page.goto(`${url}/next`);
    const [answer] = await Promise.all([
      page.waitForNavigation(),
      page.click('.actions ::-p-text(Print all pages)'),
    ]);
    expect(answer?.headers()['cache-control']).toBe('public, max-age=0, must-revalidate');
    expect(await page.$$eval('.page h1', (all) => all.map((title) => title.textContent))).toEqual([
      'Every block',
      'Next',
    ]);
    for (const text of ['Use brew.', 'Hidden text.']) expect(await isShown(page, text)).toBe(true);
    const { text, ids, broken } = (await page.evaluate(`({
      text: document.body.textContent,
      ids: [...document.querySelectorAll('[id]')].map((element) => element.id),
      broken: [...document.querySelectorAll('a[href^="#"]')].map((link) => decodeURIComponent(link.hash.slice(1)))
        .filter((id) => !document.getElementById(id)),
    })`)) as { text: string; ids: string[]; broken: string[] };
    expect(text).not.toContain('canary-hidden');
    expect(new Set(ids).size).toBe(ids.length);
    expect(broken).toEqual([]);
    for (const theme of ['light', 'dark'])
      for (const width of [320, 1_280]) {
        await page.setViewport({ width, height: 900 });
        await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
        expect(await violationsOf(page), `${theme} at ${width}`).toEqual([]);
        const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
        expect(overflow, `${theme} at ${width}`).toBeLessThanOrEqual(0);
      }
    expect(page.complaints).toEqual([]);
  });

  it('end after 100 pages with a notice, and more than six at once are refused', async ({
    server,
    organization,
    hostname,
  }) => {
    const many = await publishPages(
      await buildSpace(organization),
      Array.from({ length: 101 }, (_, index) => ({
        title: `Page ${index}`,
        path: `page-${index}`,
        // Short, so that also a busy machine is done before the limit of the time.
        source: `# Page ${index}\n\nA short text.`,
      })),
    );
    const sites = await Promise.all(
      Array.from({ length: 7 }, async () => buildSite(organization, { spaces: [many], isPublished: true })),
    );
    const print = async ({ basename }: { basename: string }) =>
      server.get(`${server.origin}/${hostname}/${basename}/~/print`);
    const answers = await Promise.all(sites.map(print));
    for (const { text } of answers.filter(({ status }) => status === 200)) {
      expect(text.match(/<article /g)?.length).toBe(100);
      expect(text).toContain('The other pages are not here');
    }
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
    expect(answers.find(({ status }) => status === 503)?.headers['retry-after']).toBe('60');
  });

  it('are not offered when the customization disables PDFs', async ({ server, organization, hostname }) => {
    const space = await publishPages(await buildSpace(organization), [
      { title: 'Start', path: 'start', source: '# Start' },
    ]);
    const site = await buildSite(organization, {
      spaces: [space],
      isPublished: true,
      customization: {
        settings: UpdateSiteCustomization.parse({ pdf: { enabled: false } }) as never,
        updatedAt: new Date(),
      },
    });
    const url = `${server.origin}/${hostname}/${site.basename}`;
    expect((await server.get(url)).text).not.toContain('~/print');
    expect((await server.get(`${url}/~/print`)).status).toBe(404);
  });
});
