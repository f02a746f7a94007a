import { Space, type JobRecord, type SpaceRecord } from '@bindery/models';
import type { Page } from 'puppeteer-core';
import { describe, expect } from 'vitest';
import { it as base } from '../support/console/consoleIt.ts';
import { buildConsoleWorld } from '../support/console/consoleWorld.ts';
import { buildJob } from '../support/factories.ts';
import { readEvents } from '../support/http/eventStream.ts';
import { addLog, changeJob } from '../support/processes/loggedJob.ts';

const line = (seq: number, message: string) => ({ seq, at: new Date(), level: 'info' as const, message });
const error = {
  class: 'auth',
  code: 'auth',
  message: 'The server refused the login.',
  action: 'Check it.',
} as const;

const it = base
  .extend('world', async ({ api, organization, admin }) =>
    buildConsoleWorld(api, { organization: organization._id, user: admin }),
  )
  .extend(
    'start',
    ({ world }) =>
      async (fields: Parameters<typeof buildJob>[1] = {}) =>
        buildJob(await Space.findById(world.space).orFail().lean<SpaceRecord>(), {
          state: 'running',
          startedAt: new Date(),
          ...fields,
        }),
  )
  .extend('events', ({ server, atHome }) => async (job: JobRecord, lastEventId?: string) => {
    const cookie = `bindery_console=${atHome.cookie() ?? ''}`;
    return fetch(`${server.origin}/jobs/${job._id}/events`, {
      redirect: 'manual',
      headers: { cookie, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
    });
  });

describe('the jobs of an organization', () => {
  it('are filtered by state and kind, show the error, and are run again', async ({
    atHome,
    organization,
    start,
  }) => {
    const failed = await start({ state: 'failed', error, finishedAt: new Date() });
    const running = await start();
    const path = `/organizations/${organization._id}/jobs`;
    expect((await atHome.get(`/organizations/${organization._id}`)).text).toContain(`href="${path}"`);
    const all = await atHome.get(`${path}?state=&kind=`);
    expect(all.text).toContain(`href="/jobs/${running._id}"`);
    const { text } = await atHome.get(`${path}?state=failed&kind=${failed.kind}`);
    expect(text).toContain(`href="/jobs/${failed._id}"`);
    expect(text).toContain('The server refused the login.');
    expect(text).not.toContain(`href="/jobs/${running._id}"`);
    expect((await atHome.get(`/jobs/${failed._id}`)).text).toContain('Check it.');
    const again = await atHome.post(`/jobs/${failed._id}/retry`);
    expect(again.text).toContain(`/cancel"`);
    expect((await atHome.get(`${path}?state=nonsense`)).status).toBe(400);
  });
});

describe('the events of a job', () => {
  it('resume after the last event that the browser has, and end with the job', async ({ start, events }) => {
    const job = await start({ seq: 2, log: [line(1, 'one'), line(2, 'two')] });
    const answer = await events(job, '1');
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    const stream = readEvents(answer);
    expect((await stream.next()).value).toMatchObject({ id: '2', data: { log: [{ message: 'two' }] } });
    await changeJob(job, { state: 'succeeded', finishedAt: new Date() });
    expect((await stream.next()).value).toMatchObject({ id: '3', data: { state: 'succeeded' } });
    expect((await stream.next()).done).toBe(true);
    // The browser then does not connect again.
    expect((await events(job, '3')).status).toBe(204);
  });

  it('end when the session ends', async ({ start, events, atHome }) => {
    const stream = readEvents(await events(await start()));
    await stream.next();
    await atHome.post('/sign-out');
    expect((await stream.next()).value).toMatchObject({ event: 'closed', data: { error: { code: 401 } } });
    expect((await stream.next()).done).toBe(true);
  });

  it('are sent only to users who can view the job', async ({ start, events, atHome, visitor }) => {
    const job = await start();
    const stranger = await visitor.ask(`/jobs/${job._id}/events`);
    expect([stranger.status, stranger.headers.get('location')]).toEqual([
      303,
      expect.stringContaining('/sign-in'),
    ]);
    expect((await atHome.get('/jobs/nowhere/events')).status).toBe(404);
    expect((await events({ ...job, _id: 'nowhere' })).status).toBe(404);
  });
});

/** The script of the page runs at most this long behind, also where a cut lets the browser wait. */
const soon = { timeout: 60_000 };
const textOf = async (page: Page, selector: string) =>
  page.$$eval(selector, (all) => all.map((one) => one.textContent));

describe('the page of a running job', { timeout: 180_000 }, () => {
  it('shows its progress, also after a broken connection, and its end', async ({
    browser,
    server,
    admin,
    start,
  }) => {
    const job = await start({ seq: 1, log: [line(1, 'first <b>line</b>')] });
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (failure) => complaints.push(String(failure)));
    await page.goto(`${server.origin}/sign-in?next=/jobs/${job._id}`);
    await page.type('#token', admin.token);
    await Promise.all([page.waitForNavigation(), page.click('main button')]);
    const lines = async () => textOf(page, 'main tbody td:nth-child(3)');
    expect(await lines()).toEqual(['first <b>line</b>']);

    await changeJob(job, { progress: { stage: 'pages', done: 1, total: 4 } });
    await expect.poll(async () => textOf(page, '#live'), soon).toEqual(['pages: 1 of 4']);
    expect(await page.$eval('#bar', (bar) => [bar.hidden, bar.value, bar.max])).toEqual([false, 1, 4]);

    server.cut();
    await addLog(job, [line(3, 'during the cut')]);
    await changeJob(job, { progress: { stage: 'pages', done: 3, total: 4 } });
    await expect.poll(async () => textOf(page, '#live'), soon).toEqual(['pages: 3 of 4']);
    expect(await lines()).toEqual(['during the cut', 'first <b>line</b>']);

    await changeJob(job, { state: 'failed', error, finishedAt: new Date() });
    await expect
      .poll(async () => textOf(page, 'main dd').catch(() => []), soon)
      .toContainEqual(expect.stringContaining('The server refused the login.'));
    expect(await page.$('#live')).toBeNull();
    expect(await lines()).toEqual(['during the cut', 'first <b>line</b>']);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
