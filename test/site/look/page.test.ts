import { describe, expect } from 'vitest';
import { violationsOf } from '../../support/operatorBrowser.ts';
import { it, widths } from '../../support/site/lookSite.ts';

describe('a page', () => {
  it('has links to its neighbours, its date and its actions', async ({ server, siteWith }) => {
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

  it('omits the parts that the customization turns off', async ({ server, siteWith }) => {
    const url = await siteWith({
      pagination: { enabled: false },
      pdf: { enabled: false },
      pageActions: { items: ['pdf'] },
    });
    const { text } = await server.get(`${url}/second`);
    expect(text).not.toMatch(/class="pager"|class="actions"|Edit this page/);
  });

  it('opens links to other hosts in the tab that the customization sets', async ({ server, siteWith }) => {
    const { text } = await server.get(`${await siteWith({})}/second`);
    expect(text).toContain('<a href="https://elsewhere.example/">elsewhere</a>');
    const url = await siteWith({ externalLinks: { target: 'blank' } });
    const blank = await server.get(`${url}/second`);
    expect(blank.text).toContain(
      '<a href="https://elsewhere.example/" target="_blank" rel="noopener">elsewhere</a>',
    );
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

  it('passes axe and fits into narrow and wide windows, with a cover or without parts', async ({
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
