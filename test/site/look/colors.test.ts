import fc from 'fast-check';
import { codeThemeOf } from '@bindery/render';
import { UpdateSiteCustomization } from '@bindery/contract';
import { describe, expect } from 'vitest';
import { codeColorsOf } from '../../../apps/site/src/frame/codeColors.ts';
import { paletteOf } from '../../../apps/site/src/frame/palette.ts';
import { codeThemeName } from '../../../packages/contract/src/site/customizationValues.ts';
import { violationsOf } from '../../support/operatorBrowser.ts';
import { inBoth, it, widths } from '../../support/site/lookSite.ts';

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

describe('the colours of a customization', () => {
  it('are readable in both modes for any setting', () => {
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

  it('stay unchanged where they are readable, and keep their hue elsewhere', () => {
    const customization = UpdateSiteCustomization.parse({
      styling: { primaryColor: inBoth('#7a0000', '#ffb3b3'), successColor: inBoth('#00ff00') },
    });
    expect(paletteOf(customization, 'light')).toMatchObject({ link: '#7a0000', 'on-primary': '#ffffff' });
    expect(paletteOf(customization, 'dark')).toMatchObject({ link: '#ffb3b3', 'on-primary': '#000000' });
    expect(paletteOf(customization, 'dark')['success']).toBe('#00ff00');
    const corrected = paletteOf(customization, 'light')['success'] ?? '';
    expect(corrected).toMatch(/^#00[7-8].00$/);
  });

  it('pass axe, also with hardly any contrast', async ({ page, siteWith }) => {
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
