import type { Browser, Page } from 'puppeteer-core';
import { pressAndFollow, tabTo, violationsOf } from '../operatorBrowser.ts';

/** A person who uses the console in a narrow window, by keyboard alone. Controls have their visible names. */
export type KeyboardUser = {
  page: Page;
  /** Opens an address. */
  open(path: string): Promise<void>;
  /** Goes to a link or button, and on to the page where it leads. */
  follow(name: string): Promise<void>;
  /** Replaces the text of a field. */
  write(label: string, text: string): Promise<void>;
  /** Chooses an option by the beginning of its name. */
  choose(label: string, option: string): Promise<void>;
  /** Ticks or clears a box, or selects the first of several options. */
  tick(label: string): Promise<void>;
  /** Returns the text of the page. */
  read(): Promise<string>;
  /** Returns the violations of axe, for which scripts run for a moment, but not those of the page. */
  violations(): Promise<string[]>;
  /** Messages of the browser's console, such as refused scripts and styles. */
  complaints: readonly string[];
  close(): Promise<void>;
};

/** The settings of the browser of a person. */
export type Mode = { hasScripts: boolean; theme: 'light' | 'dark' };

/** Opens a window of 320 pixels for a person. @throws Error when a page is wider than that */
export async function openKeyboardUser(
  browser: Browser,
  { origin, hasScripts, theme }: { origin: string } & Mode,
): Promise<KeyboardUser> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width: 320, height: 800 });
  await page.setJavaScriptEnabled(hasScripts);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  const seen = async () => {
    const wider = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
    if (wider > 0) throw new Error(`${page.url()} is ${wider} pixels wider than the window.`);
  };
  /** Goes to a field: a link may have the same name. */
  const reach = async (label: string) => {
    do await tabTo(page, label);
    while (!(await page.evaluate('document.activeElement.matches("input, textarea, select")')));
  };
  return {
    page,
    complaints,
    open: async (path) => {
      await page.goto(origin + path);
      await seen();
    },
    follow: async (name) => {
      await tabTo(page, name);
      await pressAndFollow(page, 'Enter');
      await seen();
    },
    write: async (label, text) => {
      await reach(label);
      await page.keyboard.down('Control');
      await page.keyboard.press('a');
      await page.keyboard.up('Control');
      await page.keyboard.type(text);
    },
    choose: async (label, option) => {
      await reach(label);
      await page.keyboard.type(option);
    },
    tick: async (label) => {
      await reach(label);
      await page.keyboard.press('Space');
    },
    read: async () => page.$eval('main', (main) => main.textContent ?? ''),
    violations: async () => {
      await page.setJavaScriptEnabled(true);
      const violations = await violationsOf(page);
      await page.setJavaScriptEnabled(hasScripts);
      return violations;
    },
    close: async () => context.close(),
  };
}
