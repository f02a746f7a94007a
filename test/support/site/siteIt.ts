import { newId } from '@bindery/runtime';
import type { Browser } from 'puppeteer-core';
import { buildOrganization } from '../factories.ts';
import { it as base } from '../it.ts';
import { startTestBrowser } from '../testBrowser.ts';
import { startSiteServer } from './siteServer.ts';

/**
 * The `it` of tests of sites as pages. Fixtures beside those of the API:
 *
 * - `hostname`: of the organization; the stores of a test worker outlive a file
 * - `server`: a site process
 * - `browser`, `page`: Chromium, and a new page of it with its `complaints`, such as those about the policy
 */
export const it = base
  .extend('hostname', { scope: 'file' }, () => newId().toLowerCase())
  .extend('home', { scope: 'file' }, ({ api: _started, hostname }) => buildOrganization({ hostname }))
  .extend('server', { scope: 'file' }, async ({ api }, { onCleanup }) => {
    const server = await startSiteServer(api);
    onCleanup(server.close);
    return server;
  })
  .extend('browser', { scope: 'file' }, async ({ api: _started }, { onCleanup }): Promise<Browser> => {
    const { browser, close } = await startTestBrowser();
    onCleanup(close);
    return browser;
  })
  .extend('page', async ({ browser }, { onCleanup }) => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warn') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    onCleanup(async () => page.close());
    return Object.assign(page, { complaints });
  });
