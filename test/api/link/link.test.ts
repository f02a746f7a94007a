import { DocumentLinks } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildChangeRequest,
  buildOrganization,
  buildRevision,
  buildSpace,
  changeSpace,
  type TestUser,
} from '../../support/factories.ts';
import {
  type ShownLocation,
  app,
  itInLinkedSpaces as base,
  nameOfLocation,
} from '../../support/content/linkedSpaces.ts';

type Item = {
  status: string;
  relation: string;
  targetReference: ShownLocation;
  locationReferences: ShownLocation[];
};
const table = ({ items }: { items: Item[] }) =>
  items.map(({ status, relation, targetReference, locationReferences }) => [
    nameOfLocation(targetReference),
    status,
    relation,
    locationReferences.map(nameOfLocation).join(', '),
  ]);

const it = base.extend(
  'links',
  ({ api, admin, space }) =>
    async (path: string, { token }: TestUser = admin) => {
      const { status, body } = await api.call('GET', `/v1/spaces/${space._id}${path}`, { token });
      expect(status).toBe(200);
      return body as { items: Item[]; count: number; stats: object; next?: { page: string } };
    },
);

describe('GET /v1/spaces/{spaceId}/links', () => {
  it('names every target once, with its status and every place that leads there', async ({
    other,
    collection,
    links,
  }) => {
    const answer = await links('/links');
    expect(table(answer)).toEqual([
      ['page setup', 'ok', 'reference', 'page home, page link, reusable-content note'],
      ['page setup#install', 'ok', 'reference', 'page home'],
      ['page setup#gone', 'broken', 'reference', 'page home'],
      ['file picture', 'ok', 'dependsOn', 'page home, page setup'],
      ['reusable-content note', 'ok', 'dependsOn', 'page home'],
      ['gone.md', 'broken', 'reference', 'page home, page dead'],
      ['/broken/pages/wentAway', 'broken', 'reference', 'page home'],
      ['/broken/files/wentToo', 'broken', 'reference', 'page home'],
      ['https://example.org/a?b=1#c', 'ok', 'reference', 'page home'],
      ['mailto:a@example.org', 'ok', 'reference', 'page home'],
      [`${app}/s/unknown/x`, 'in-app', 'reference', 'page home'],
      ['page home#here', 'ok', 'reference', 'page home'],
      ['page there', 'ok', 'reference', 'page home'],
      ['page there#part', 'ok', 'reference', 'page home'],
      [`space ${other._id}`, 'ok', 'reference', 'page home'],
      ['page hidden', 'ok', 'reference', 'page home'],
      [`collection ${collection}`, 'ok', 'reference', 'page home'],
      ['openapi petstore', 'ok', 'dependsOn', 'page home'],
      ['page home#noted', 'ok', 'reference', 'page setup'],
    ]);
    expect(answer).toMatchObject({ count: 19, stats: { total: 19, broken: { total: 4 } } });
  });

  it('shows only the URL of a target that the caller cannot view', async ({ reader, secret, links }) => {
    const seen = await links('/links', reader);
    expect(table(seen)).toContainEqual([`${app}/s/${secret._id}/hidden`, 'in-app', 'reference', 'page home']);
    expect(JSON.stringify(seen)).not.toContain('Secret');
    expect(seen.count).toBe(19);
  });

  it('filters by status, and keeps the counts of the whole list', async ({ api, admin, space, links }) => {
    const broken = await links('/links?status=broken');
    expect(table(broken).map(([target]) => target)).toEqual([
      'page setup#gone',
      'gone.md',
      '/broken/pages/wentAway',
      '/broken/files/wentToo',
    ]);
    expect(broken).toMatchObject({ count: 4, stats: { total: 19, broken: { total: 4 } } });
    expect(await links('/links?status=in-app')).toMatchObject({ count: 1 });
    expect(
      (await api.call('GET', `/v1/spaces/${space._id}/links?status=dead`, { token: admin.token })).status,
    ).toBe(400);
  });

  it('goes page by page, each item once', async ({ api, admin, space, links }) => {
    const all = table(await links('/links'));
    const found: unknown[] = [];
    for (let page = ''; ;) {
      const answer = await links(`/links?limit=4${page && `&page=${page}`}`);
      expect(answer.items.length).toBeLessThanOrEqual(4);
      expect(answer).toMatchObject({ count: 19, stats: { total: 19 } });
      found.push(...table(answer));
      if (!answer.next) break;
      page = answer.next.page;
    }
    expect(found).toEqual(all);
    const first = await links('/links?limit=1');
    const other = await api.call(
      'GET',
      `/v1/spaces/${space._id}/content/page/home/links?page=${first.next?.page}`,
      { token: admin.token },
    );
    expect(other.status).toBe(400);
    expect((await links('/links?limit=0')).items).toEqual([]);
  });

  it.for(['page=garbage', 'page=e30', 'limit=-1', 'limit=1001', 'limit=x', 'status=', 'page='])(
    '400 for ?%s',
    async (query, { api, admin, space }) => {
      for (const path of [
        '/links',
        '/content/page/home/links',
        '/content/page/home/backlinks',
        '/content/files/picture/backlinks',
      ]) {
        const isForLinksOnly = query.startsWith('status') && !path.endsWith('/links');
        const { status } = await api.call('GET', `/v1/spaces/${space._id}${path}?${query}`, {
          token: admin.token,
        });
        expect([path, status]).toEqual([path, isForLinksOnly ? 200 : 400]);
      }
    },
  );

  it('refuses the page token of another user', async ({ api, reader, space, links }) => {
    const { next } = await links('/links?limit=1');
    const { status } = await api.call('GET', `/v1/spaces/${space._id}/links?limit=1&page=${next?.page}`, {
      token: reader.token,
    });
    expect(status).toBe(400);
  });

  it('parses a document once, in however many spaces it appears', async ({
    api,
    organization,
    admin,
    content,
    links,
  }) => {
    const twin = await buildSpace(organization);
    await links('/links');
    const before = await DocumentLinks.countDocuments();
    await buildRevision(twin, { ...(await content()) });
    expect(
      (await api.call('GET', `/v1/spaces/${twin._id}/links`, { token: admin.token })).body.count,
    ).toBeGreaterThan(10);
    expect(await DocumentLinks.countDocuments()).toBe(before);
    const { pages, ...more } = await content();
    const edited = pages.map((page) =>
      page.id === 'setup' ? { ...page, source: '# Setup\n\nEdited.\n' } : page,
    );
    await buildRevision(twin, { ...more, pages: edited });
    expect((await api.call('GET', `/v1/spaces/${twin._id}/links`, { token: admin.token })).status).toBe(200);
    expect(await DocumentLinks.countDocuments()).toBe(before + 1);
    await changeSpace(twin, { deletedAt: new Date() });
  });

  it('shows the block of the page that holds the link', async ({ api, admin, space, links }) => {
    const { items } = await links('/links');
    const blocks = items[0]?.locationReferences.map(({ internalLocation }) => internalLocation) as object[];
    expect(blocks[0]).toMatchObject({ type: 'node', node: expect.any(String) });
    expect(blocks[1]).toBeUndefined();
    const document = await api.call('GET', `/v1/spaces/${space._id}/content/page/home?format=document`, {
      token: admin.token,
    });
    const keys = [...JSON.stringify(document.body.document).matchAll(/"key":"([^"]+)"/g)].map(
      ([, key]) => key,
    );
    expect(keys).toContain((blocks[0] as { node: string }).node);
  });
});

describe('GET .../content/page/{pageId}/links', () => {
  it('lists the targets that one page links to', async ({ links }) => {
    expect(table(await links('/content/page/setup/links'))).toEqual([
      ['file picture', 'ok', 'dependsOn', 'page setup'],
      ['page home#noted', 'ok', 'reference', 'page setup'],
    ]);
    expect(table(await links('/content/page/link/links'))).toEqual([
      ['page setup', 'ok', 'reference', 'page link'],
    ]);
    expect(await links('/content/page/setup/links?status=broken')).toMatchObject({
      count: 0,
      stats: { total: 2, broken: { total: 0 } },
    });
  });

  it.for(['page/nothing/links', 'page/nothing/backlinks', 'files/nothing/backlinks'])(
    '404 for %s',
    async (path, { api, admin, space }) => {
      for (const prefix of ['', `/change-requests/${(await buildChangeRequest(space))._id}`])
        expect(
          (await api.call('GET', `/v1/spaces/${space._id}${prefix}/content/${path}`, { token: admin.token }))
            .status,
        ).toBe(404);
    },
  );
});

it.for([
  '/links',
  '/content/page/home/links',
  '/content/page/home/backlinks',
  '/content/files/picture/backlinks',
])('%s answers 404 to another organization', async (path, { api, space }) => {
  const stranger = (await buildOrganization()).admin;
  const call = async (token?: string) =>
    (await api.call('GET', `/v1/spaces/${space._id}${path}`, { token })).status;
  expect([await call(stranger.token), await call()]).toEqual([404, 401]);
});
