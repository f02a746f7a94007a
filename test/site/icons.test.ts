import { brotliCompressSync } from 'node:zlib';
import { UpdateSiteCustomization } from '@bindery/contract';
import { describe, expect } from 'vitest';
import { publishPages } from '../support/content/indexing.ts';
import { buildSection, buildSite, buildSpace } from '../support/factories.ts';
import { violationsOf } from '../support/operatorBrowser.ts';
import { it as base } from '../support/site/siteIt.ts';
import { iconPath } from '../../apps/site/src/icons/iconPaths.ts';
import { createPageIcons } from '../../apps/site/src/icons/pageIcons.ts';

const it = base
  .extend('spaces', { scope: 'file' }, async ({ organization }) => ({
    guide: await publishPages(await buildSpace(organization, { title: 'Guide' }), [
      { title: 'Start', path: 'start', icon: 'bookmark', source: '# Start\n\nText' },
      { title: 'Also', path: 'also', icon: 'fa-bookmark', source: '# Also\n\nText' },
      { title: 'Code', path: 'code', icon: 'github', source: '# Code\n\nText' },
      { title: 'Odd', path: 'odd', icon: '"><script>', source: '# Odd\n\nText' },
      { title: 'Both', path: 'both', icon: 'rocket', emoji: '1f680', source: '# Both\n\nText' },
    ]),
    other: await publishPages(await buildSpace(organization, { title: 'Other' }), [
      { title: 'Other', path: 'other', source: '# Other\n\nText' },
    ]),
  }))
  .extend('siteWith', { scope: 'file' }, ({ organization, server, spaces, hostname }) => {
    return async (icons: string): Promise<string> => {
      const customization = {
        settings: UpdateSiteCustomization.parse({ styling: { icons } }),
        updatedAt: new Date(),
      };
      const site = await buildSite(organization, {
        title: 'Docs',
        isPublished: true,
        customization: customization as never,
      });
      await buildSection(site, { space: spaces.guide, title: 'Guides', path: 'guides', icon: 'book' });
      await buildSection(site, { space: spaces.other, title: 'Others', path: 'others' });
      return `${server.origin}/${hostname}/${site.basename}`;
    };
  });

describe('the icons of pages and sections', () => {
  it('are shown in the chosen style, each path once, and omitted for unknown names', async ({
    server,
    siteWith,
  }) => {
    const { text } = await server.get(await siteWith('regular'));
    expect(text.match(/<use href="#~icon-[^"]*"/g)?.toSorted()).toEqual([
      '<use href="#~icon-book"',
      '<use href="#~icon-bookmark"',
      '<use href="#~icon-bookmark"',
      '<use href="#~icon-bookmark"',
      '<use href="#~icon-github"',
    ]);
    expect(text.match(/<symbol /g)).toHaveLength(3);
    expect(text).toContain('CC BY 4.0');
    expect(text).toContain(iconPath('bookmark', 'regular'));
    expect(text).toContain('🚀 Both');
    const { text: solid } = await server.get(await siteWith('duotone'));
    expect(solid).toContain(iconPath('bookmark', 'solid'));
    expect(solid).not.toContain(iconPath('bookmark', 'regular'));
  });

  it('are drawn, pass axe, and comply with the content security policy', async ({ page, siteWith }) => {
    await page.setViewport({ width: 1_280, height: 900 });
    await page.goto(await siteWith('solid'));
    const box = await page.$eval('.tree .glyph use', (use) => {
      const { width, height } = use.getBoundingClientRect();
      return { width, height };
    });
    expect(box.width).toBeGreaterThan(5);
    expect(box.height).toBeGreaterThan(5);
    expect(await violationsOf(page)).toEqual([]);
    expect(page.complaints).toEqual([]);
  });

  it('take a small part of a page, however many a site has', () => {
    const icons = createPageIcons('solid');
    const names = ['house', 'gear', 'rocket', 'code', 'book', 'bolt', 'bug', 'car', 'cat', 'dog', 'fish'];
    const signs = 'a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9'.split(' ');
    const many = [...names, ...signs, ...names.map((name) => `${name}-x`)];
    const shown = many.filter((name) => icons.write(name) !== null);
    expect(shown.length).toBeLessThanOrEqual(40);
    expect(brotliCompressSync(String(icons.writePaths())).length).toBeLessThan(10_000);
  });
});
