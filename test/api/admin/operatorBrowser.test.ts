import { jobCollection, JobLimit, KindPause, startConsoleSession, WorkerEntry } from '@bindery/models';
import type { Page } from 'puppeteer-core';
import { describe, expect } from 'vitest';
import { buildJob, buildSite, buildSpace } from '../../support/factories.ts';
import { buildClaim } from '../../support/hostnameClaims.ts';
import { pressAndFollow, tabTo, violationsOf } from '../../support/operatorBrowser.ts';
import { itAsOperator } from '../../support/operating.ts';
import { findTestChromium } from '../../support/pdf/chromium.ts';
import { startTestBrowser } from '../../support/testBrowser.ts';
import { until } from '../../support/until.ts';

const { executable, missing } = await findTestChromium();
const error = { class: 'auth', code: 'auth', message: 'The server refused the login.' } as const;

const it = itAsOperator
  // An API of its own: other files may have left the shared one no connection for a browser.
  .extend('environment', { scope: 'file' }, { LOG_LEVEL: 'info' })
  // oxlint-disable-next-line no-empty-pattern -- it takes no fixtures
  .extend('browser', { scope: 'file' }, async ({}, { onCleanup }) => {
    const { browser, close } = await startTestBrowser(executable);
    onCleanup(close);
    return browser;
  })
  .extend('openPage', ({ api, browser, cookie }) => async (path: string): Promise<Page> => {
    const page = await browser.newPage();
    const [name = '', value = ''] = cookie.split('=');
    await page.setCookie({
      name,
      value,
      url: api.origin,
      path: '/admin',
      httpOnly: true,
      sameSite: 'Strict',
    });
    await page.goto(api.origin + path);
    return page;
  });

describe.skipIf(missing)('the operator’s area in a browser', () => {
  it(
    'has no violation of axe in light and dark, and fits a phone',
    { timeout: 300_000 },
    async ({ openPage, send, space, operator, organization }) => {
      const failed = await buildJob(space, {
        state: 'failed',
        error,
        attempts: [
          { epoch: 1, worker: 'w', startedAt: new Date(), endedAt: new Date(), outcome: 'failed', error },
        ],
        result: { files: 1 },
        stats: { pages: 1 },
        finishedAt: new Date(),
        log: [{ seq: 1, at: new Date(), level: 'warning', message: 'A line.', path: 'docs/a-file.md' }],
      });
      const running = await buildJob(space, {
        state: 'running',
        progress: { stage: 'fetch', done: 1, total: 3 },
      });
      await addWorker(running._id);
      const deleted = await buildSpace(organization, { isDeleted: true, deletedAt: new Date() });
      await buildClaim({ organization, site: await buildSite(organization), hostname: 'docs.example.org' });
      await startConsoleSession({ user: operator.user._id, signedInWith: 'link', userAgent: 'Browser/1' });
      await send('/admin/kinds/git-import/pause');
      await send('/admin/kinds/git-import/limits', { for: 'process', limit: '2' });
      const replay =
        (await send('/admin/replays', { state: 'failed', subject: space._id })).headers.get('location') ?? '';
      const paths = [
        'jobs',
        'jobs?state=failed',
        'jobs?error=nothing+has+this',
        `jobs/${failed._id}`,
        `jobs/${running._id}`,
        `jobs/${failed._id}/retry`,
        'jobs/nothing',
        'kinds',
        'kinds/git-import/limits',
        'replays',
        replay.replace('/admin/', ''),
        'workers',
        'storage',
        'webhooks',
        'hostnames',
        'spaces',
        `spaces/${deleted._id}/restore`,
        'sessions',
        `sessions/${operator.user._id}/end`,
        'actions',
        'sign-in',
        'sign-out',
      ];
      const page = await openPage('/admin/jobs');
      const { origin } = new URL(page.url());
      for (const scheme of ['light', 'dark']) {
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        for (const path of paths) {
          await page.setViewport({ width: 1_280, height: 900 });
          await page.goto(`${origin}/admin/${path}`);
          expect([scheme, path, await violationsOf(page)]).toEqual([scheme, path, []]);
          await page.setViewport({ width: 320, height: 700 });
          const width = await page.evaluate('document.documentElement.scrollWidth');
          expect([path, Number(width) <= 320]).toEqual([path, true]);
        }
      }
      await KindPause.deleteMany({});
      await JobLimit.deleteMany({});
      await page.close();
    },
  );

  it('leads by keyboard from the filter to a retry', async ({ openPage, space }) => {
    const job = await buildJob(space, { state: 'failed', error });
    const page = await openPage('/admin/jobs');
    // Without scripts, as for an operator whose browser runs none.
    await page.setJavaScriptEnabled(false);
    await page.reload();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await tabTo(page, 'State');
    await page.keyboard.type('failed');
    await tabTo(page, 'Subject (id)');
    await page.keyboard.type(space._id);
    await pressAndFollow(page, 'Enter');
    expect(new URL(page.url()).searchParams.get('state')).toBe('failed');
    await tabTo(page, job._id);
    await pressAndFollow(page, 'Enter');
    await tabTo(page, 'Retry');
    await pressAndFollow(page, 'Enter');
    await tabTo(page, 'Retry the job');
    await pressAndFollow(page, 'Enter');
    expect(new URL(page.url()).pathname).toBe(`/admin/jobs/${job._id}`);
    expect((await jobCollection().findOne({ _id: job._id }))?.state).toBe('queued');
    await page.close();
  });

  it('shows the progress of a job as it changes, and its end', async ({ openPage, space }) => {
    const job = await buildJob(space, { state: 'running', progress: { stage: 'fetch', done: 1, total: 3 } });
    const page = await openPage(`/admin/jobs/${job._id}`);
    const complaints: string[] = [];
    page.on('pageerror', (problem) => complaints.push(String(problem)));
    const text = async (selector: string) =>
      page.evaluate(`document.querySelector('${selector}')?.textContent`).catch(() => undefined);
    expect(await text('#live')).toBe('fetch: 1 of 3');
    await jobCollection().updateOne(
      { _id: job._id },
      { $set: { progress: { stage: 'store', done: 2, total: 3 } }, $inc: { seq: 1 } },
    );
    await until('new progress', async () => (await text('#live')) === 'store: 2 of 3');
    expect(await page.evaluate("document.getElementById('bar').value")).toBe(2);
    await jobCollection().updateOne({ _id: job._id }, { $set: { state: 'succeeded' }, $inc: { seq: 1 } });
    await until('the end', async () => (await text('dd .state')) === 'succeeded');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('links a job to its queue entry, and the entry back to the job', async ({ openPage, space }) => {
    const job = await buildJob(space);
    const page = await openPage(`/admin/jobs/${job._id}`);
    await Promise.all([
      page.waitForNavigation(),
      page.click(`a[href="/admin/queues/queue/git/j-${job._id}-1"]`),
    ]);
    const back = `a[href="/admin/jobs/${job._id}"]`;
    await page.waitForSelector(back);
    expect(await page.evaluate(`document.querySelector('${back}').textContent`)).toContain('Job in Bindery');
    await page.close();
  });
});

async function addWorker(job: string): Promise<void> {
  const now = new Date();
  await jobCollection().updateOne({ _id: job }, { $set: { worker: 'worker-1' } });
  await WorkerEntry.create({
    _id: 'worker-1',
    app: 'worker-git',
    queues: ['git'],
    kinds: [{ kind: 'git-import', version: 3 }],
    host: 'host-1',
    pid: 7,
    concurrency: 4,
    running: 1,
    runs: [],
    startedAt: now,
    seenAt: now,
    toldAt: now,
    expireAt: new Date(now.getTime() + 600_000),
  });
}
