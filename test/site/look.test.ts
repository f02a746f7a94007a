import { wcagContrast } from 'culori';
import fc from 'fast-check';
import { UpdateSiteCustomization } from '@bindery/contract';
import { buildSite, buildSpace } from '../support/factories.ts';
import { publishPages } from '../support/content/indexing.ts';
import { violationsOf } from '../support/operatorBrowser.ts';
import { everyBlock } from '../support/site/everyBlock.ts';
import { it as base } from '../support/site/siteIt.ts';
import { paletteOf } from '../../apps/site/src/frame/palette.ts';
import { describe, expect } from 'vitest';

const it = base
  .extend('guide', { scope: 'file' }, async ({ organization }) =>
    publishPages(await buildSpace(organization, { title: 'Guide' }), [
      { title: 'Every block', path: 'every-block', source: everyBlock },
      { title: 'Second', path: 'second', source: '# Second\n\nText' },
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

describe('the colours of a customization', () => {
  it('are readable in both modes, whatever they are', () => {
    fc.assert(
      fc.property(settings, fc.constantFrom('light', 'dark'), (given, mode) => {
        const palette = paletteOf(UpdateSiteCustomization.parse(given), mode);
        const unreadable = pairs.filter(
          ([text = '', ground = '']) => !(wcagContrast(palette[text] ?? '', palette[ground] ?? '') >= 4.5),
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
