import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { UpdateSiteCustomization } from '@bindery/contract';
import {
  PageFeedback,
  PublishingAuth,
  Space,
  type PageFeedbackRecord,
  type SiteRecord,
} from '@bindery/models';
import { loadPublishingAuth, privateKeyOf, signPreview } from '@bindery/publishing';
import { describe, expect } from 'vitest';
import { publishPages } from '../support/content/indexing.ts';
import { buildOrganization, buildShareLink, buildSite, buildSpace } from '../support/factories.ts';
import { signVisitorToken } from '../support/http/visitorToken.ts';
import { violationsOf } from '../support/operatorBrowser.ts';
import { it as base } from '../support/site/siteIt.ts';

const pages = [
  { id: 'home', title: 'Home', path: 'home', source: '# Home\n\nWelcome' },
  { id: 'below', title: 'Below', path: 'a/é', source: '# Below' },
  { id: 'quiet', title: 'Quiet', path: 'quiet', source: '# Quiet', layout: { actions: false } },
  { id: 'beta', title: 'Beta', path: 'beta', source: '# Beta', condition: 'visitor.claims.beta' },
];

const asking = (enabled = true) => ({
  settings: UpdateSiteCustomization.parse({ feedback: { enabled } }),
  updatedAt: new Date(),
});

/** Each one is a client of its own: a process takes only a few forms of one. */
let clients = 0;

const it = base
  .extend('environment', { scope: 'file' }, { BINDERY_TRUST_PROXY: 'loopback' })
  .extend('guide', { scope: 'file' }, async ({ organization }) =>
    publishPages(await buildSpace(organization, { title: 'Guide' }), pages),
  )
  .extend('publish', { scope: 'file' }, ({ organization, guide, hostname, server }) => {
    /** Publishes a site that asks. `rate` sends the form of a page. */
    return async ({
      spaces = [guide],
      ...fields
    }: Partial<SiteRecord> & { spaces?: (typeof guide)[] } = {}) => {
      const site = await buildSite(organization, {
        spaces,
        isPublished: true,
        customization: asking(),
        ...fields,
      });
      const path = `/${hostname}/${site.basename}`;
      const client = `192.0.2.${(clients += 1)}`;
      const post = async (body: string, headers: Record<string, string> = {}, at = path) =>
        server.ask(`${at}/~/feedback`, {
          method: 'POST',
          body,
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            'x-forwarded-for': client,
            ...headers,
          },
        });
      const rate = async (page: string, rating: string, at = path) =>
        post(new URLSearchParams({ page, rating }).toString(), {}, at);
      const counts = async () =>
        (await PageFeedback.find({ site: site._id }).lean<PageFeedbackRecord[]>()).map(
          ({ page, bad, ok, good }) => ({ page, bad, ok, good }),
        );
      return { site, path, client, post, rate, counts };
    };
  })
  .extend('open', { scope: 'file' }, ({ publish }) => publish());

describe('a page that asks for feedback', () => {
  it('counts the answer of a reader without scripts, and shows thanks', async ({ page, server, publish }) => {
    const { path, counts } = await publish();
    await page.setJavaScriptEnabled(false);
    await page.goto(`${server.origin}${path}/a/%C3%A9`);
    const thanks = await page.$('.thanks');
    expect(await thanks?.isVisible()).toBe(false);
    await Promise.all([page.waitForNavigation(), page.click('.feedback ::-p-text(Somewhat)')]);
    expect(new URL(page.url()).pathname).toBe(`${path}/a/%C3%A9`);
    const shown = await page.$$eval('.thanks, .feedback', (all) =>
      all.filter((each) => each.checkVisibility()).map(({ className }) => className),
    );
    expect(shown).toEqual(['thanks']);
    expect(await counts()).toEqual([{ page: 'below', bad: 0, ok: 1, good: 0 }]);
    expect(page.complaints).toEqual([]);
  });

  it('passes axe before and after the answer, and is printed without the question', async ({
    page,
    server,
    open,
  }) => {
    for (const theme of ['light', 'dark'])
      for (const width of [320, 1_280])
        for (const fragment of ['', '#~thanks']) {
          await page.setViewport({ width, height: 900 });
          await page.goto('about:blank');
          await page.goto(server.origin + open.path + fragment);
          await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
          expect(await violationsOf(page), `${theme} at ${width} ${fragment}`).toEqual([]);
          const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
          expect(overflow, `${theme} at ${width} ${fragment}`).toBeLessThanOrEqual(0);
        }
    await page.emulateMediaType('print');
    expect(await page.$$eval('.thanks, .feedback', (all) => all.some((each) => each.checkVisibility()))).toBe(
      false,
    );
  });

  it('stays the same for all readers, so that caches keep it', async ({ server, publish }) => {
    const { path, rate } = await publish();
    const before = await server.ask(path);
    expect(before.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    const answer = await rate('home', 'good');
    expect([answer.status, answer.headers.location, answer.headers['cache-control']]).toEqual([
      303,
      `${path}#~thanks`,
      'private, no-store',
    ]);
    expect((await server.ask(path)).headers.etag).toBe(before.headers.etag);
  });

  it('asks only where the customization and the author of the page allow it', async ({
    server,
    publish,
    api,
    open,
  }) => {
    const silent = await publish({ customization: asking(false) as never });
    expect((await server.ask(silent.path)).text).not.toContain('~/feedback');
    expect((await server.ask(`${open.path}/quiet`)).text).not.toContain('~/feedback');
    const { site } = open;
    const preview = signPreview(api.config.secrets, {
      site: site._id,
      siteSpace: site.defaultSiteSpace!,
      claims: {},
    });
    expect((await server.ask(`${open.path}/${preview}`)).text).not.toContain('~/feedback');
    expect((await server.ask(`${open.path}/~/print`)).text).not.toContain('~/feedback');
    for (const { rate, path, counts, page } of [
      { ...silent, page: 'home' },
      { ...open, page: 'quiet' },
      { ...open, path: `${open.path}/${preview}`, page: 'home' },
    ]) {
      expect((await rate(page, 'bad', path)).status).toBe(404);
      expect(await counts()).toEqual([]);
    }
  });
});

describe('feedback', () => {
  it('of many concurrent readers is counted in full, for each page', async ({ publish, server, guide }) => {
    const { path, site, counts } = await publish();
    const sent = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const body = new URLSearchParams({
          page: index % 3 === 0 ? 'below' : 'home',
          rating: ['bad', 'ok', 'good'][index % 3]!,
        }).toString();
        const headers = {
          'content-type': 'application/x-www-form-urlencoded',
          'x-forwarded-for': `198.51.100.${index}`,
        };
        return (await server.ask(`${path}/~/feedback`, { method: 'POST', body, headers })).status;
      }),
    );
    expect(new Set(sent)).toEqual(new Set([303]));
    expect((await counts()).toSorted((one, other) => one.page.localeCompare(other.page))).toEqual([
      { page: 'below', bad: 20, ok: 0, good: 0 },
      { page: 'home', bad: 0, ok: 20, good: 20 },
    ]);
    const [record] = await PageFeedback.find({ site: site._id }).lean<PageFeedbackRecord[]>();
    const month = new Date().toISOString().slice(0, 7);
    expect(record).toEqual({
      ...record,
      ...{
        _id: `${site.defaultSiteSpace}:${record!.page}:${month}`,
        siteSpace: site.defaultSiteSpace,
        month,
      },
    });
    // Nothing else is stored, and it ends.
    expect(Object.keys(record!).toSorted()).toEqual(
      ['_id', 'bad', 'expireAt', 'good', 'month', 'ok', 'page', 'site', 'siteSpace'].toSorted(),
    );
    expect(record!.expireAt.getUTCFullYear()).toBe(new Date().getUTCFullYear() + 2);
    expect(guide._id).not.toBe(record!.siteSpace);
  });

  it('of one client is limited to 20 a minute', async ({ publish }) => {
    const { rate, counts } = await publish();
    const statuses: number[] = [];
    for (let sent = 0; sent < 200; sent += 1) statuses.push((await rate('home', 'bad')).status);
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(303));
    expect(new Set(statuses.slice(20))).toEqual(new Set([429]));
    expect(Number((await rate('home', 'bad')).headers['retry-after'])).toBeGreaterThan(0);
    expect(await counts()).toEqual([{ page: 'home', bad: 20, ok: 0, good: 0 }]);
  });

  it('is not counted for unknown pages, nor for pages that the visitor cannot view', async ({ publish }) => {
    const { rate, counts } = await publish();
    const { organization: theirs } = await buildOrganization();
    await publishPages(await buildSpace(theirs), [{ id: 'theirs', path: 'x', source: '# X' }]);
    for (const page of ['theirs', 'beta', 'nothing', '', '__proto__', 'home:2026-01'])
      expect([page, (await rate(page, 'bad')).status]).toEqual([page, 404]);
    expect(await counts()).toEqual([]);
  });

  it('is not counted for a page that was deleted meanwhile', async ({ organization, publish }) => {
    const space = await publishPages(await buildSpace(organization), pages);
    const { rate, counts } = await publish({ spaces: [space] });
    await publishPages(space, pages.slice(0, 1));
    expect((await rate('below', 'bad')).status).toBe(404);
    await Space.updateOne({ _id: space._id }, { $set: { isDeleted: true, deletedAt: new Date() } });
    expect((await rate('home', 'bad')).status).toBe(404);
    expect(await counts()).toEqual([]);
  });

  it.for([
    ['another rating', 'page=home&rating=worst', {}, 400],
    ['no rating', 'page=home', {}, 400],
    ['no page', 'rating=bad', {}, 400],
    ['nothing', '', {}, 400],
    ['what is no form', '{"page":"home","rating":"bad"}', { 'content-type': 'application/json' }, 415],
    ['a form of files', 'page=home&rating=bad', { 'content-type': 'multipart/form-data' }, 415],
    ['too much', `page=home&rating=bad&x=${'x'.repeat(2_000)}`, {}, 413],
    ['the form of another site', 'page=home&rating=bad', { 'sec-fetch-site': 'cross-site' }, 403],
    ['that of a neighbour', 'page=home&rating=bad', { 'sec-fetch-site': 'same-site' }, 403],
    ['another origin', 'page=home&rating=bad', { origin: 'https://evil.example' }, 403],
    ['no origin', 'page=home&rating=bad', { origin: 'null' }, 403],
  ] as const)('with %s is refused', async ([, body, headers, status], { publish }) => {
    const { post, counts } = await publish();
    const answer = await post(body, headers);
    expect([answer.status, answer.headers['content-type']]).toEqual([status, 'text/plain; charset=utf-8']);
    expect(answer.text).toMatch(/^[A-Z].*\.\n$/);
    expect(await counts()).toEqual([]);
  });

  it('from the site itself is accepted', async ({ server, publish }) => {
    const { post, counts } = await publish();
    for (const [name, value] of [
      ['sec-fetch-site', 'same-origin'],
      ['origin', server.origin],
    ] as const)
      expect((await post('page=home&rating=good', { [name]: value })).status).toBe(303);
    expect(await counts()).toEqual([{ page: 'home', bad: 0, ok: 0, good: 2 }]);
  });

  it('with an endless body is cut off, and the process continues', async ({ server, open }) => {
    const target = new URL(`${server.origin}${open.path}/~/feedback`);
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': `192.0.2.${(clients += 1)}`,
    };
    const asked = request(target, { method: 'POST', headers });
    // The connection ends while it is written to.
    asked.on('error', () => undefined);
    asked.write(`page=home&rating=bad&x=${'x'.repeat(2_000)}`);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect([answer.statusCode, answer.headers.connection]).toEqual([413, 'close']);
    answer.resume();
    await once(answer, 'close');
    const left = request(target, { method: 'POST', headers });
    left.on('error', () => undefined);
    left.write('page=home');
    await once(left, 'socket');
    left.destroy();
    expect((await server.ask(open.path)).status).toBe(200);
    expect(server.log.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});

describe('the address of the feedback form', () => {
  it('takes only POST, redirects GET to the site, and no other address takes a form', async ({
    server,
    open,
  }) => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await server.ask(`${open.path}/~/feedback`, { method });
      expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD, POST']);
    }
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await server.ask(`${open.path}/~/feedback`, { method });
      expect([method, status, headers.location]).toEqual([method, 307, open.path]);
    }
    for (const path of ['', '/home', '/~/search', '/~/feedback/', '/~/feedbacks']) {
      const { status } = await server.ask(open.path + path, { method: 'POST' });
      expect([path, status]).toEqual([path, 405]);
    }
    for (const path of ['/a/~/feedback', '/~/~/feedback'])
      expect([path, (await open.rate('home', 'bad', open.path + path.slice(0, -11))).status]).toEqual([
        path,
        404,
      ]);
    expect((await open.rate('home', 'bad', '/nobody/nothing')).status).toBe(404);
    expect(await open.counts()).toEqual([]);
  });

  it('takes forms only from signed-in visitors on a site with visitor authentication', async ({
    api,
    server,
    publish,
  }) => {
    const { site, path, post, counts } = await publish({ visibility: 'visitor-auth' });
    const { secrets } = api.config;
    const key = Buffer.from(privateKeyOf(secrets, await loadPublishingAuth(secrets, site)));
    const form = 'page=home&rating=bad';
    expect((await post(form)).status).toBe(404);
    await PublishingAuth.updateOne({ _id: site._id }, { fallbackUrl: 'https://sign-in.example/start' });
    const sent = await post(form);
    // Browsers follow no form to another origin.
    expect([sent.status, sent.headers.location]).toEqual([403, undefined]);
    expect(sent.text).toMatch(/^Your visit has ended/);
    expect(await counts()).toEqual([]);
    const token = signVisitorToken({ exp: Math.floor(Date.now() / 1_000) + 600 }, { key });
    const taken = await post(form, { cookie: `bindery-visitor=${token}` });
    expect([taken.status, taken.headers.location]).toEqual([303, `${path}#~thanks`]);
    expect(await counts()).toEqual([{ page: 'home', bad: 1, ok: 0, good: 0 }]);
    expect(server.log.join('\n')).not.toContain(token);
  });

  it('is below the secret of a site with a share link', async ({ server, publish }) => {
    const { site, path, rate, counts } = await publish({ visibility: 'share-link' });
    const { key } = await buildShareLink(site);
    expect((await server.ask(`${path}/${key}`)).text).toContain(`action="${path}/${key}/~/feedback"`);
    expect((await rate('home', 'bad')).status).toBe(404);
    expect((await rate('home', 'bad', `${path}/${'x'.repeat(32)}`)).status).toBe(404);
    expect(await counts()).toEqual([]);
    const { status, headers } = await rate('home', 'bad', `${path}/${key}`);
    expect([status, headers.location]).toEqual([303, `${path}/${key}#~thanks`]);
    expect(await counts()).toEqual([{ page: 'home', bad: 1, ok: 0, good: 0 }]);
  });

  it('takes no form for an unpublished site', async ({ publish }) => {
    const { rate, counts } = await publish({ isPublished: false });
    expect((await rate('home', 'bad')).status).toBe(404);
    expect(await counts()).toEqual([]);
  });
});
