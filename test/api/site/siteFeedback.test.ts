import { UpdateSiteCustomization } from '@bindery/contract';
import { countFeedback, PageFeedback, type NewFeedback, type SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { publishPages } from '../../support/content/indexing.ts';
import { buildOrganization, buildSite, buildSiteSpace, buildSpace } from '../../support/factories.ts';
import { contentTokenFor } from '../../support/http/contentTokenFor.ts';
import { it as base } from '../../support/it.ts';

const pages = [
  { id: 'start', title: 'Start', path: 'start', source: '# Start' },
  { id: 'guide', title: 'Guide', path: 'guide', source: '# Guide' },
  { id: 'quiet', title: 'Quiet', path: 'quiet', source: '# Quiet', layout: { actions: false } },
  { id: 'beta', title: 'Beta', path: 'beta', source: '# Beta', condition: 'visitor.claims.beta' },
];
const asking = (enabled = true) => ({
  settings: UpdateSiteCustomization.parse({ feedback: { enabled } }),
  updatedAt: new Date(),
});

const it = base
  .extend('space', async ({ organization }) => publishPages(await buildSpace(organization), pages))
  .extend('siteOf', ({ api, organization, creator, reader }) => {
    return async (space: SpaceRecord, enabled = true) => {
      const site = await buildSite(organization, {
        spaces: [space],
        isPublished: true,
        customization: asking(enabled),
      });
      const siteSpace = site.defaultSiteSpace!;
      const at = `/v1/orgs/${organization._id}/sites/${site._id}`;
      return {
        site,
        siteSpace,
        at,
        list: async (query = '', { token } = creator) => api.call('GET', `${at}/feedback${query}`, { token }),
        post: async (events: object[], token = reader.token) =>
          api.call('POST', `${at}/insights/events`, { token, json: { events } }),
      };
    };
  })
  .extend('site', ({ siteOf, space }) => siteOf(space));

const times = (count: number, given: NewFeedback) => Array.from({ length: count }, () => given);

const eventFor = (siteSpace: string | null, page: string | null, rating?: string) => ({
  type: 'page_post_feedback',
  session: { visitorId: 'v', sessionId: 's', cookies: {}, userAgent: 'x', language: null, referrer: null },
  location: { url: 'https://example.org/a', siteSpace, page },
  ...(rating !== undefined && { feedback: { rating } }),
});

describe('GET .../feedback', () => {
  it('sums the ratings of each page, the pages with the most bad ratings first', async ({
    site,
    organization,
  }) => {
    const { site: record, siteSpace, list } = site;
    const other = await buildSiteSpace(record, {
      space: await publishPages(await buildSpace(organization), pages.slice(0, 1)),
    });
    const given = (page: string, rating: NewFeedback['rating'], where = siteSpace) => ({
      ...{ site: record._id, siteSpace: where, page, rating },
    });
    const now = new Date();
    await countFeedback([...times(2, given('start', 'bad')), given('start', 'good')], now);
    await countFeedback([...times(3, given('guide', 'bad')), given('guide', 'ok')], now);
    await countFeedback([given('gone', 'good'), ...times(2, given('start', 'bad', other._id))], now);
    const items = [
      { siteSpace, page: 'guide', title: 'Guide', path: 'guide', bad: 3, ok: 1, good: 0 },
      ...[
        { siteSpace, page: 'start', title: 'Start', path: 'start', bad: 2, ok: 0, good: 1 },
        { siteSpace: other._id, page: 'start', title: 'Start', path: 'start', bad: 2, ok: 0, good: 0 },
      ].toSorted((one, two) => (one.siteSpace < two.siteSpace ? -1 : 1)),
      { siteSpace, page: 'gone', bad: 0, ok: 0, good: 1 },
    ].map((item) => ({ object: 'site-page-feedback', ...item }));
    expect((await list()).body).toEqual({ count: 4, items });
    const read = [];
    for (let page: string | undefined = ''; page !== undefined;) {
      const { status, body } = await list(`?limit=1${page && `&page=${page}`}`);
      expect([status, body.count]).toEqual([200, 4]);
      read.push(...body.items);
      page = body.next?.page;
    }
    expect(read).toEqual(items);
    expect((await list('?limit=0')).body).toMatchObject({ count: 4, items: [] });
  });

  it('counts the last months only', async ({ site }) => {
    const { site: record, siteSpace, list } = site;
    const now = new Date();
    for (let months = 0; months < 30; months += 1) {
      const then = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 15));
      await countFeedback([{ site: record._id, siteSpace, page: 'start', rating: 'ok' }], then);
    }
    const sumOf = async (query?: string) => (await list(query)).body.items[0].ok;
    expect(await sumOf('?months=1')).toBe(1);
    expect(await sumOf()).toBe(3);
    // What MongoDB has not removed yet does not count.
    expect(await sumOf('?months=24')).toBe(24);
    for (const months of ['0', '25', '1.5', 'x', ''])
      expect([months, (await list(`?months=${months}`)).status]).toEqual([months, 400]);
  });

  it('is for members who may edit the site, and names only pages that they can view', async ({
    site,
    organization,
    reader,
    commenter,
    api,
    admin,
  }) => {
    const { site: record, siteSpace, list, at } = site;
    await countFeedback([{ site: record._id, siteSpace, page: 'start', rating: 'ok' }], new Date());
    for (const member of [reader, commenter]) expect((await list('', member)).status).toBe(403);
    expect((await api.call('GET', `${at}/feedback`)).status).toBe(401);
    const { admin: stranger } = await buildOrganization();
    expect((await list('', stranger)).status).toBe(404);
    const visitor = await contentTokenFor(api, record);
    expect((await api.call('GET', `${at}/feedback`, { token: visitor })).status).toBe(403);
    const closed = await buildSpace(organization, { defaultLevel: null });
    const { _id } = await buildSiteSpace(record, { space: await publishPages(closed, pages) });
    await countFeedback([{ site: record._id, siteSpace: _id, page: 'start', rating: 'bad' }], new Date());
    const shown = (await list()).body.items[0];
    expect([shown.siteSpace, shown.page, shown.bad]).toEqual([_id, 'start', 1]);
    expect(shown).not.toHaveProperty('title');
    expect((await list('', admin)).body.items[0].title).toBe('Start');
  });
});

describe('an event with the rating of a page', () => {
  const counted = async ({ _id }: { _id: string }) =>
    (await PageFeedback.find({ site: _id }).sort({ page: 1 }).lean()).map(({ page, bad, ok, good }) => ({
      page,
      bad,
      ok,
      good,
    }));

  it('is counted once for each page of a request', async ({ site }) => {
    const { site: record, siteSpace, post } = site;
    const sent = [
      ...Array.from({ length: 500 }, () => eventFor(siteSpace, 'start', 'bad')),
      eventFor(siteSpace, 'start', 'good'),
      eventFor(siteSpace, 'guide', 'ok'),
    ];
    expect((await post(sent)).status).toBe(204);
    expect((await post(sent.slice(-1))).status).toBe(204);
    expect(await counted(record)).toEqual([
      { page: 'guide', bad: 0, ok: 2, good: 0 },
      { page: 'start', bad: 0, ok: 0, good: 1 },
    ]);
  });

  it('is not counted for a page that is unknown, hidden or does not ask for ratings', async ({
    site,
    siteOf,
    space,
    organization,
    api,
  }) => {
    const { site: record, siteSpace, post } = site;
    const elsewhere = await siteOf(await publishPages(await buildSpace(organization), pages));
    const visitor = await contentTokenFor(api, record);
    const events = [
      eventFor(siteSpace, 'quiet', 'bad'),
      eventFor(siteSpace, 'beta', 'bad'),
      eventFor(siteSpace, 'gone', 'bad'),
      eventFor(elsewhere.siteSpace, 'start', 'bad'),
      eventFor(null, 'start', 'bad'),
      eventFor(siteSpace, null, 'bad'),
      eventFor(siteSpace, 'start'),
      { ...eventFor(siteSpace, 'start', 'bad'), type: 'page_post_feedback_comment' },
    ];
    expect((await post(events, visitor)).status).toBe(204);
    expect(await counted(record)).toEqual([]);
    expect(await counted(elsewhere.site)).toEqual([]);
    const preview = await contentTokenFor(api, record, { preview: true });
    await post([eventFor(siteSpace, 'start', 'bad')], preview);
    expect(await counted(record)).toEqual([]);
    const silent = await siteOf(space, false);
    expect((await silent.post([eventFor(silent.siteSpace, 'start', 'bad')])).status).toBe(204);
    expect(await counted(silent.site)).toEqual([]);
  });

  it('is counted for a visitor who can view the page', async ({ site, api }) => {
    const { site: record, siteSpace, post } = site;
    const visitor = await contentTokenFor(api, record);
    expect((await post([eventFor(siteSpace, 'start', 'bad')], visitor)).status).toBe(204);
    expect(await counted(record)).toEqual([{ page: 'start', bad: 1, ok: 0, good: 0 }]);
  });

  it('is refused with an unknown rating', async ({ site }) => {
    const { siteSpace, post } = site;
    for (const rating of ['worst', '', '-1'])
      expect((await post([eventFor(siteSpace, 'start', rating)])).status).toBe(400);
  });
});
