import type { Page } from 'puppeteer-core';
import { describe, expect } from 'vitest';
import { publishPages } from '../support/content/indexing.ts';
import { buildSite, buildSpace } from '../support/factories.ts';
import { everyBlock } from '../support/site/everyBlock.ts';
import { it as base } from '../support/site/siteIt.ts';

const it = base.extend('url', { scope: 'file' }, async ({ organization, server, hostname }) => {
  const guide = await publishPages(await buildSpace(organization, { title: 'Guide' }), [
    { title: 'Every block', path: 'every-block', source: everyBlock },
    { title: 'Next', path: 'next', source: '# Next\n\nText' },
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
  it('shows all tabs and expandable blocks, where links lead, and no navigation', async ({ page, url }) => {
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
