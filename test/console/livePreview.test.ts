import { ConsoleSession } from '@bindery/models';
import type { Page } from 'puppeteer-core';
import { describe, expect } from 'vitest';
import { it as base } from '../support/console/consoleIt.ts';
import { buildConsoleWorld } from '../support/console/consoleWorld.ts';
import { violationsOf } from '../support/operatorBrowser.ts';

const timeout = 60_000;

const it = base
  .extend('editPath', async ({ api, organization, admin }) => {
    const world = await buildConsoleWorld(api, { organization: organization._id, user: admin });
    return `/spaces/${world.space}/change-requests/${world.changeRequest}/edit/${world.page}`;
  })
  .extend('complaints', async () => [] as string[])
  .extend('page', async ({ browser, server, admin, editPath, complaints }, { onCleanup }) => {
    const context = await browser.createBrowserContext();
    onCleanup(async () => context.close());
    const page = await context.newPage();
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(server.origin + editPath);
    await page.type('#token', admin.token);
    await Promise.all([page.waitForNavigation(), page.click('main button')]);
    return page;
  });

/** The text of the preview; empty without one. */
const previewOf = async (page: Page) =>
  (await page.evaluate('document.querySelector("#preview")?.textContent ?? ""')) as string;

const replaceText = async (page: Page, text: string) => {
  await page.evaluate('document.querySelector("#markdown").select()');
  await page.keyboard.sendCharacter(text);
};

describe('the preview of the editor with scripts', { timeout: 2 * timeout }, () => {
  it('is shown without leaving the text, and follows the edits', async ({ page, complaints }) => {
    await page.evaluate('window.isHere = true');
    await replaceText(page, 'First *text*.');
    await page.click('button[name="preview"]');
    await expect.poll(async () => previewOf(page), { timeout }).toContain('First text.');
    await replaceText(page, 'Then **another** </section><script>alert(1)</script> with $$x^2$$.');
    await expect.poll(async () => previewOf(page), { timeout }).toContain('Then another');
    expect(await page.evaluate('document.querySelectorAll("#preview").length')).toBe(1);
    expect(await page.evaluate('document.querySelector("#preview .katex") !== null')).toBe(true);
    expect(await page.evaluate('[window.isHere, document.activeElement.id]')).toEqual([true, 'markdown']);
    expect(await violationsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('shows the error of the API in the text, and then the corrected text', async ({ page }) => {
    await replaceText(page, '---\ntitle: [\n---\n\nText.\n');
    await page.click('button[name="preview"]');
    await expect.poll(async () => previewOf(page), { timeout }).toContain('body.markdown');
    await replaceText(page, 'Mended.');
    await expect.poll(async () => previewOf(page), { timeout }).toContain('Mended.');
    expect(await previewOf(page)).not.toContain('body.markdown');
  });

  it('reports that the session has ended, and keeps the text', async ({ page, admin }) => {
    await replaceText(page, 'Not lost.');
    await page.click('button[name="preview"]');
    await expect.poll(async () => previewOf(page), { timeout }).toContain('Not lost.');
    await ConsoleSession.deleteMany({ user: admin.user._id });
    await replaceText(page, 'Not lost either.');
    await expect.poll(async () => previewOf(page), { timeout }).toContain('cannot be loaded');
    expect(await page.evaluate('document.querySelector("#markdown").value')).toBe('Not lost either.');
  });
});
