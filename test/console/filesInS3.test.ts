import { describe, expect } from 'vitest';
import { startConsole } from '../support/console/consoleServer.ts';
import { buildConsoleWorld } from '../support/console/consoleWorld.ts';
import { png } from '../support/content/contentImporting.ts';
import { itWithS3, missingS3 } from '../support/stores/blobStores.ts';
import { startTestBrowser } from '../support/testBrowser.ts';

/** The largest that a form takes; the API redirects readers of such files to S3. */
const fileBytes = 1024 * 1024;

const it = itWithS3
  .extend('environment', { scope: 'file' }, ({ server }) => ({
    ...server.environment,
    BINDERY_S3_PUBLIC_ENDPOINT: server.endpoint,
  }))
  .extend('console', { scope: 'file' }, async ({ api }, { onCleanup }) => {
    const started = await startConsole(api);
    onCleanup(started.close);
    return started;
  })
  .extend('browser', { scope: 'file' }, async ({ api: _started }, { onCleanup }) => {
    const { browser, close } = await startTestBrowser();
    onCleanup(close);
    return browser;
  })
  .extend('upload', async ({ api, organization, admin, console: server }) => {
    const world = await buildConsoleWorld(api, { organization: organization._id, user: admin });
    const visitor = server.visitor();
    await visitor.signIn(admin.token);
    return async (name: string, type: string, bytes: Uint8Array<ArrayBuffer>) => {
      const form = new FormData();
      form.append('file', new File([bytes], name, { type }));
      const path = `/spaces/${world.space}/change-requests/${world.changeRequest}/files`;
      const location = (await visitor.ask(path, { form })).headers.get('location') ?? '';
      return { location, visitor, text: (await visitor.get(location)).text };
    };
  });

describe.skipIf(missingS3)('a large file in the console, with redirects to S3', () => {
  it('is shown as a picture by browsers', async ({ browser, console: server, admin, upload }) => {
    const picture = new Uint8Array(fileBytes);
    picture.set(png);
    const { location } = await upload('plan.png', 'image/png', picture);
    const page = await (await browser.createBrowserContext()).newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(`${server.origin}/sign-in`);
    await page.type('#token', admin.token);
    await Promise.all([page.waitForNavigation(), page.click('button')]);
    await page.goto(server.origin + location);
    const width = 'document.querySelector("img.file").naturalWidth';
    await expect.poll(async () => page.evaluate(width), { timeout: 60_000 }).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('is downloaded unchanged', async ({ api, upload }) => {
    const bytes = new Uint8Array(fileBytes).fill(7);
    const { text, visitor } = await upload('a.bin', 'application/octet-stream', bytes);
    const [, url = ''] = /<a href="(\/spaces\/\w+\/revisions\/[^"]+)" download/.exec(text) ?? [];
    const saved = await visitor.ask(url);
    expect(saved.headers.get('content-disposition')).toContain('a.bin');
    expect(saved.text).toBe('\u0007'.repeat(fileBytes));
    // It came from S3.
    expect(api.logLines.map((line) => JSON.parse(line) as { status?: number })).toContainEqual(
      expect.objectContaining({ status: 307 }),
    );
  });
});
