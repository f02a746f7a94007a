import { Space, type SpaceRecord } from '@bindery/models';
import type { Page } from 'puppeteer-core';
import { describe, expect } from 'vitest';
import { it as base } from '../support/console/consoleIt.ts';
import { buildConsoleWorld, changePage } from '../support/console/consoleWorld.ts';
import { buildJob } from '../support/factories.ts';
import { violationsOf } from '../support/operatorBrowser.ts';

const it = base.extend('world', async ({ api, organization, admin }) =>
  buildConsoleWorld(api, { organization: organization._id, user: admin }),
);

const overflowOf = async (page: Page) =>
  (await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')) as number;

/** Clicks, and waits for the next page. A locator would wait with scripts of the page. */
async function follow(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.click(selector)]);
}

describe('the console in a browser', () => {
  it.for(['light', 'dark'] as const)(
    'passes axe and fits into narrow and wide windows, %s',
    // Each page is loaded once and judged twice: a busy machine takes minutes.
    { timeout: 600_000 },
    async (theme, { api, browser, server, admin, organization, world }) => {
      const importInto = async (id: string) =>
        (await buildJob((await Space.findById(id).lean<SpaceRecord>())!))._id;
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
      const check = async (path: string) => {
        await page.goto(server.origin + path);
        // Also what is folded.
        await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
        for (const width of [320, 1_280]) {
          await page.setViewport({ width, height: 900 });
          expect(await violationsOf(page), `${path} at ${width}`).toEqual([]);
          expect(await overflowOf(page), `${path} at ${width}`).toBeLessThanOrEqual(0);
        }
      };
      await check('/sign-in');
      await check('/sign-in/link/x');
      await page.goto(`${server.origin}/sign-in`);
      await page.type('#token', admin.token);
      await follow(page, 'button');
      const space = `/spaces/${world.space}`;
      const changeRequest = `${space}/change-requests/${world.changeRequest}`;
      const { revision } = (await Space.findById(world.space).lean<SpaceRecord>())!;
      const posted = await api.call('POST', `/v1${changeRequest}/comments`, {
        token: admin.token,
        json: { page: world.page, body: { markdown: 'Is it right?' } },
      });
      const comment = posted.body.id as string;
      for (const path of [
        '/',
        '/sessions',
        '/tokens',
        `/organizations/${organization._id}`,
        space,
        `${space}/jobs`,
        `${space}/git`,
        `${space}/change-requests`,
        `/organizations/${organization._id}/jobs`,
        `/jobs/${await importInto(world.space)}`,
        `${space}/pages/${world.page}`,
        `${space}/new-change-request`,
        changeRequest,
        `${changeRequest}/changes/${world.page}`,
        `${changeRequest}/changes/${world.page}?view=sides`,
        `${changeRequest}/comments`,
        `${changeRequest}/comments/${comment}`,
        `${changeRequest}/pdf`,
        `${changeRequest}/pages`,
        `${changeRequest}/pages/${world.page}`,
        `${changeRequest}/edit/${world.page}`,
        `${changeRequest}/read/${world.page}`,
        `${space}/history`,
        `${space}/pages/${world.page}/history`,
        `${space}/revisions/${revision}`,
        `${space}/revisions/${revision}/pages/${world.page}`,
        `${space}/compare/${revision}/${revision}`,
        '/nowhere',
      ])
        await check(path);
      expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
      await context.close();
    },
  );

  it('works without scripts, from sign-in to a merged change request', async ({
    api,
    browser,
    server,
    admin,
    world,
  }) => {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.setJavaScriptEnabled(false);
    await page.goto(`${server.origin}/spaces/${world.space}`);
    await page.type('#token', admin.token);
    await follow(page, 'main button');
    expect(await page.title()).toBe('Handbook - Bindery');
    await follow(page, 'a[href$="/new-change-request"]');
    await page.type('#subject', 'A tour');
    await follow(page, 'main form button');
    const { pathname } = new URL(page.url());
    await changePage(api, {
      token: admin.token,
      space: world.space,
      page: world.page,
      changeRequest: pathname.split('/').at(-1) ?? '',
      markdown: 'Seen on the tour.',
    });
    await page.reload();
    await follow(page, 'form[action$="/open"] button');
    await follow(page, 'form[action$="/merge"] button');
    expect(await page.$eval('main dl', (list) => list.textContent)).toContain('merged');
    await follow(page, '.crumbs li:last-child a');
    await follow(page, '.tree a');
    expect(await page.$eval('main .page', (text) => text.textContent)).toContain('Seen on the tour.');
    await follow(page, 'header form button');
    expect(await page.title()).toBe('Sign in to Bindery - Bindery');
    await context.close();
  });
});
