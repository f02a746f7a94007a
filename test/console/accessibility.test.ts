import type { Page } from 'puppeteer-core';
import { describe, expect } from 'vitest';
import { it } from '../support/console/consoleIt.ts';
import { buildEverything } from '../support/console/everything.ts';
import { pagesOfUsers } from '../support/console/pagesOfUsers.ts';
import { fillIn } from '../support/console/readForms.ts';
import { bound } from '../support/machine.ts';
import { violationsOf } from '../support/operatorBrowser.ts';

const overflowOf = async (page: Page) =>
  (await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')) as number;

describe('each page for signed-in users', () => {
  it.for(['light', 'dark'] as const)(
    'passes axe and fits into narrow and wide windows, %s',
    { timeout: bound(300_000) },
    async (theme, { api, browser, server, organization, admin }) => {
      const values = await buildEverything(api, { organization, admin });
      const visitor = server.visitor();
      await visitor.signIn(admin.token);
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      await context.setCookie({ name: 'bindery_console', value: visitor.cookie()!, domain: '127.0.0.1' });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
      for (const path of pagesOfUsers) {
        const answer = await page.goto(server.origin + fillIn(path, values));
        expect([path, answer?.status()]).toEqual([path, 200]);
        // Also what is folded.
        await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
        for (const width of [320, 1_280]) {
          await page.setViewport({ width, height: 900 });
          expect.soft(await violationsOf(page), `${path} at ${width}`).toEqual([]);
          expect.soft(await overflowOf(page), `${path} at ${width}`).toBeLessThanOrEqual(0);
        }
      }
      await context.close();
    },
  );
});
