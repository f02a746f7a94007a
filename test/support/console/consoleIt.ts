import type { Browser } from 'puppeteer-core';
import { it as base } from '../it.ts';
import { startTestBrowser } from '../testBrowser.ts';
import { startConsole } from './consoleServer.ts';

/**
 * The `it` of tests of the console. Fixtures beside those of the API:
 *
 * - `server`: a console process, over the API of this file
 * - `visitor`: a browser without scripts, not signed in; `atHome`: one that the admin signed in
 * - `browser`: Chromium
 */
export const it = base
  .extend('server', { scope: 'file' }, async ({ api }, { onCleanup }) => {
    const server = await startConsole(api);
    onCleanup(server.close);
    return server;
  })
  .extend('visitor', ({ server }) => server.visitor())
  .extend('atHome', async ({ server, admin }) => {
    const visitor = server.visitor();
    await visitor.signIn(admin.token);
    return visitor;
  })
  .extend('browser', { scope: 'file' }, async ({ api: _started }, { onCleanup }): Promise<Browser> => {
    const { browser, close } = await startTestBrowser();
    onCleanup(close);
    return browser;
  });
