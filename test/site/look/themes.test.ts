import { describe, expect } from 'vitest';
import { assetPaths, findAsset } from '../../../apps/site/src/assets/assets.ts';
import { violationsOf } from '../../support/operatorBrowser.ts';
import { around, inBoth, it, widths } from '../../support/site/lookSite.ts';

describe('the style sheet of all sites', () => {
  it('has at most 6 kB compressed', async () => {
    expect((await findAsset(assetPaths('/').style)?.bytesIn('br'))?.length).toBeLessThanOrEqual(6_000);
  });
});

describe('a theme', () => {
  it.for(['clean', 'muted', 'bold', 'gradient'] as const)(
    '%s passes axe, with any style of the navigation',
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

  it('sets corners, links, navigation and header of the page', async ({ page, siteWith }) => {
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
