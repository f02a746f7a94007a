import type { Page } from 'puppeteer-core';
import { describe, expect } from 'vitest';
import { pressAndFollow, tabTo } from '../support/operatorBrowser.ts';
import { around, it } from '../support/site/keyboardSite.ts';
import { inBoth } from '../support/site/lookSite.ts';
import { focusOf, pressTab, tabThrough } from '../support/site/tabStops.ts';

const wide = { width: 1_400, height: 800 };
const narrow = { width: 360, height: 640 };
/** A window of 1280 by 1024 pixels at a zoom of 400 %. */
const enlarged = { width: 320, height: 256 };

/** All elements that a reader can use, as places among all elements of the page. */
const reachable = `[...document.querySelectorAll('*')].flatMap((element, at) => {
  const isChosen = element.type !== 'radio' || element.checked;
  return element.tabIndex >= 0 && !element.disabled && isChosen && element.checkVisibility() ? [at] : [];
})`;

/** Elements that stand wholly above the one before them, and not in a column after its column. */
const jumps = `(() => {
  const boxes = ${reachable}.map((at) => document.querySelectorAll('*')[at].getBoundingClientRect());
  return boxes.filter((box, at) => at > 0 && box.bottom <= boxes[at - 1].top && box.left < boxes[at - 1].left);
})()`;

const open = async (page: Page, address: string, window = wide): Promise<void> => {
  await page.setViewport(window);
  await page.goto(address);
};
const untilFocus = async (page: Page, name: string) =>
  page.waitForFunction(
    `[document.activeElement].some((at) => (at.ariaLabel ?? at.textContent) === '${name}')`,
  );
const nameOfFocus = async (page: Page) => (await focusOf(page))?.name;

describe('the Tab key', () => {
  it.for([wide, narrow])(
    'reaches all controls in visual order, and leaves the page: $width',
    async (window, { page, url }) => {
      await open(page, url, window);
      expect(await page.evaluate(jumps)).toEqual([]);
      const all = await page.evaluate(reachable);
      const stops = await tabThrough(page);
      expect(stops.map(({ at }) => at)).toEqual(all);
      expect(stops[0]?.name).toBe('Skip to the content');
      const back = await tabThrough(page, { isBack: true });
      expect(back.map(({ at }) => at)).toEqual(stops.map(({ at }) => at).toReversed());
    },
  );

  const looks = {
    plain: {},
    pale: {
      styling: { primaryColor: inBoth('#ffee88', '#222244'), infoColor: inBoth('#ffffff', '#000000') },
    },
    bold: {
      styling: { theme: 'bold', codeTheme: { default: inBoth('dracula', 'github-light') } },
      header: { ...around.header, preset: 'contrast' },
    },
    grey: {
      styling: { theme: 'gradient', background: 'match', tint: { color: inBoth('#ff00ff') } },
      header: { ...around.header, preset: 'custom', backgroundColor: inBoth('#777777') },
    },
  };
  it.for(Object.entries(looks))('shows the focus, in %s colours', async ([, look], { page, siteWith }) => {
    const address = await siteWith({ ...look, themes: { default: 'system' } });
    const found: string[] = [];
    for (const value of ['light', 'dark']) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
      for (const window of [wide, narrow, enlarged]) {
        await open(page, address, window);
        for (const isBack of [false, true])
          for (const { name, problems } of await tabThrough(page, { isBack }))
            found.push(...problems.map((problem) => `${name}, ${value}, ${window.width}: ${problem}`));
      }
    }
    expect(found).toEqual([]);
  });
});

describe('a reader with a keyboard', () => {
  it('skips to the content', async ({ page, url }) => {
    await open(page, `${url}/opening`);
    await tabTo(page, 'Skip to the content');
    await page.keyboard.press('Enter');
    expect((await pressTab(page))?.name).toBe('View as Markdown');
  });

  it.for([wide, narrow])(
    'opens a menu of the header, and closes it with Escape or by moving on: $width',
    async (window, { page, url }) => {
      await open(page, url, window);
      await tabTo(page, 'Company');
      await page.keyboard.press('Enter');
      expect(await pressTab(page)).toMatchObject({ name: 'Company 0', problems: [] });
      await page.keyboard.press('Escape');
      expect(await focusOf(page)).toMatchObject({ name: 'Company', problems: [] });
      expect(await page.$('.menu[open]')).toBeNull();
      await page.keyboard.press('Space');
      await tabTo(page, 'Company 11');
      expect(await pressTab(page)).toMatchObject({ name: 'Search', problems: [] });
      expect(await page.$('.menu[open]')).toBeNull();
    },
  );

  it('finds a page by typing, choosing and following', async ({ page, url }) => {
    await open(page, url, narrow);
    await tabTo(page, 'Search');
    await page.keyboard.type('opening');
    await page.waitForSelector('dialog.find [role=option]');
    expect(await focusOf(page)).toMatchObject({ name: 'Search', problems: [] });
    await page.keyboard.press('ArrowDown');
    const chosen = await page.$eval('[role=option][aria-selected=true]', (option) => option.textContent);
    expect(chosen).toContain('Opening');
    await pressAndFollow(page, 'Enter');
    expect(await page.title()).toBe('Opening - Docs');
  });

  it('leaves the search, with the focus back at the search field', async ({ page, url }) => {
    await open(page, url);
    await tabTo(page, 'Search');
    await page.keyboard.type('x');
    await page.waitForSelector('dialog.find[open]');
    expect(await pressTab(page)).toMatchObject({ name: 'Close', problems: [] });
    await page.keyboard.press('Escape');
    expect(await page.$('dialog.find[open]')).toBeNull();
    expect(await page.evaluate('document.activeElement.closest(".top .search") !== null')).toBe(true);
  });

  it('opens the child pages of a page, and follows one', async ({ page, url }) => {
    await open(page, url);
    await tabTo(page, 'Pages below Parent');
    await page.keyboard.press('Enter');
    expect(await pressTab(page)).toMatchObject({ name: 'Child', problems: [] });
    await pressAndFollow(page, 'Enter');
    expect(await page.title()).toBe('Child - Docs');
  });

  it('opens the pages as a menu in a small window', async ({ page, url }) => {
    await open(page, `${url}/group/parent`, narrow);
    await tabTo(page, 'Pages');
    await page.keyboard.press('Enter');
    await untilFocus(page, 'Parent');
    expect(await focusOf(page)).toMatchObject({ name: 'Parent', problems: [] });
    await page.keyboard.press('Escape');
    expect(await focusOf(page)).toMatchObject({ name: 'Pages', problems: [] });
    await page.keyboard.press('Enter');
    await untilFocus(page, 'Parent');
    await tabTo(page, 'Opening');
    expect(await pressTab(page)).toMatchObject({ name: 'Docs', problems: [] });
    expect(await page.$('.tree:popover-open')).toBeNull();
    await pressTab(page, { isBack: true });
    await page.keyboard.press('Enter');
    await untilFocus(page, 'Parent');
    await tabTo(page, 'Opening');
    await pressAndFollow(page, 'Enter');
    expect(await page.title()).toBe('Opening - Docs');
  });

  it('opens tabs and expandable blocks', async ({ page, url }) => {
    await open(page, `${url}/opening`);
    await tabTo(page, 'Short');
    expect(await pressTab(page)).toMatchObject({ name: 'First link', problems: [] });
    await tabTo(page, 'Long');
    await page.keyboard.press('Enter');
    expect(await nameOfFocus(page)).toBe('Long');
    expect(await pressTab(page)).toMatchObject({ name: 'Second link', problems: [] });
    await tabTo(page, 'Details');
    await page.keyboard.press('Space');
    expect(await pressTab(page)).toMatchObject({ name: 'Third link', problems: [] });
  });

  it('scrolls code and tables with the arrow keys', async ({ page, url }) => {
    await open(page, url, narrow);
    for (const selector of ['.page pre', '.page .table']) {
      await page.focus(selector);
      await page.keyboard.press('ArrowRight');
      await page.waitForFunction(`document.querySelector('${selector}').scrollLeft > 0`);
      expect((await focusOf(page))?.problems).toEqual([]);
    }
  });

  it('copies code and Markdown, keeps the focus at the button, and hears the status', async ({
    page,
    browser,
    url,
  }) => {
    const permissions = ['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write'] as const;
    await browser.defaultBrowserContext().overridePermissions(new URL(url).origin, [...permissions]);
    await open(page, url);
    for (const [button, start] of [
      ['Copy as Markdown', '# Every block'],
      ['Copy: server.ts', 'export const answer'],
    ] as const) {
      await tabTo(page, button);
      // The second copy finds the button with its other label.
      for (const _ of [1, 2]) {
        await page.keyboard.press('Enter');
        await page.waitForFunction(
          `document.querySelector('p[role=status].unseen').textContent === 'Copied'`,
        );
        expect(await nameOfFocus(page)).toBe('Copied');
      }
      expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(new RegExp(`^${start}`));
      await untilFocus(page, button);
    }
  });

  it('follows the table of contents, a note and the next page', async ({ page, url }) => {
    await open(page, url);
    await tabTo(page, 'Tables');
    await page.keyboard.press('Enter');
    expect(await pressTab(page)).toMatchObject({ name: 'Table 1', problems: [] });
    await page.focus('.page .note a');
    await page.keyboard.press('Enter');
    await page.waitForFunction('location.hash !== "" && document.querySelector(":target")');
    await page.focus('.pager .next');
    await pressAndFollow(page, 'Enter');
    expect(await page.title()).toBe('Parent - Docs');
  });

  it('chooses a theme with the arrow keys', async ({ page, url }) => {
    await open(page, url);
    await tabTo(page, 'Light');
    await page.keyboard.press('ArrowDown');
    expect(await focusOf(page)).toMatchObject({ name: 'Dark', problems: [] });
    expect(await page.$eval('html', (root) => root.dataset['theme'])).toBe('dark');
  });
});
