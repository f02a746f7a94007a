import type { SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildGrant,
  buildMember,
  buildOrganization,
  buildSpace,
  changeSpace,
  type TestPage,
  type TestUser,
} from '../../support/factories.ts';
import { itInNewOrganization as base } from '../../support/it.ts';
import { indexWhatWaits, publishPages } from '../../support/content/indexing.ts';
import { bound } from '../../support/machine.ts';

const page = (id: string, title: string, source: string, fields: Partial<TestPage> = {}): TestPage =>
  ({ id, title, slug: id, path: id, source: `# ${title}\n\n${source}`, ...fields }) as TestPage;

const it = base
  .extend('space', ({ organization }) => buildSpace(organization, { title: 'Manual' }))
  .extend('fill', ({ api }) => async (target: SpaceRecord, ...pages: TestPage[]) => {
    const changed = await publishPages(target, pages);
    await indexWhatWaits(api.config);
    return changed;
  })
  .extend(
    'at',
    ({ api, admin }) =>
      (path: string, query: Record<string, string>, { token } = admin) =>
        api.call('GET', `/v1${path}?${new URLSearchParams(query).toString()}`, { token }),
  )
  .extend(
    'search',
    ({ space, at }) =>
      async (query: string, more: Record<string, string> = {}) =>
        (await at(`/spaces/${space._id}/search`, { query, ...more })).body,
  )
  .extend(
    'found',
    ({ search }) =>
      async (query: string) =>
        (await search(query)).items.map(({ id }: { id: string }) => id),
  )
  .extend(
    'inOrganization',
    ({ organization, admin, at }) =>
      async (query: string, user = admin, more: Record<string, string> = {}) =>
        (await at(`/orgs/${organization._id}/search`, { query, ...more }, user)).body,
  );

describe('a search in a space', () => {
  it('returns each page with its matching sections', async ({ api, space, fill, search }) => {
    await fill(space, {
      type: 'group',
      id: 'g',
      title: 'Guides',
      path: 'guides',
      pages: [
        page('install', 'Install', 'Before.\n\n## On Linux\n\nUse `apt` twice.\n\n## On Windows\n\nUse it.', {
          description: 'How to begin',
        }),
      ],
    });
    const { items, count } = await search('apt');
    const app = `${api.config.api.appUrl}/s/${space._id}/install`;
    expect([items, count]).toEqual([
      [
        {
          id: 'install',
          title: 'Install',
          description: 'How to begin',
          path: 'install',
          rank: 1,
          score: expect.any(Number),
          ancestors: [{ title: 'Guides' }],
          sections: [
            {
              id: 'on-linux',
              title: 'On Linux',
              path: 'install#on-linux',
              body: 'Use apt twice.',
              score: expect.any(Number),
              urls: { app: `${app}#on-linux` },
            },
          ],
          urls: { app },
        },
      ],
      1,
    ]);
    const [before] = (await search('before')).items[0].sections;
    expect(before).toMatchObject({ id: 'install', title: 'Install', path: 'install', urls: { app } });
  });

  it('ranks titles before headings before text, and rarer words higher', async ({
    space,
    fill,
    search,
    found,
  }) => {
    await fill(
      space,
      page('text', 'One', 'proxy '.repeat(50)),
      page('heading', 'Two', '## A proxy\n\nText.'),
      page('title', 'All about the proxy', 'Text.'),
      page('exact', 'Proxy', 'Text.'),
    );
    expect(await found('proxy')).toEqual(['exact', 'title', 'heading', 'text']);
    expect(await found('prox')).toEqual(['exact', 'title', 'heading', 'text']);
    const { items } = await search('proxy');
    expect(items.map(({ rank }: { rank: number }) => rank)).toEqual([1, 2, 3, 4]);
  });

  it('treats the last word as a prefix, needs all words, and falls back to partial matches', async ({
    space,
    fill,
    found,
  }) => {
    await fill(
      space,
      page('a', 'Größe der Konfiguration', 'Beide Wörter.'),
      page('b', 'Konfigurationen', 'Nur eines. Call getUserById here.'),
      page('c', 'Resume', 'Nothing else.'),
    );
    expect(await found('größe konfig')).toEqual(['a']);
    expect(await found('konfig größe')).toEqual(['a']);
    expect(await found('grosse')).toEqual(['a']);
    expect(await found('konfigurationsdatei')).toEqual(['a', 'b']);
    expect(await found('résumé')).toEqual(['c']);
    expect(await found('userById')).toEqual(['b']);
    expect(await found('getuserbyid')).toEqual(['b']);
    expect(await found('resume nonexistent')).toEqual(['c']);
    expect(await found('nonexistent')).toEqual([]);
  });

  it('finds pages in many languages', async ({ space, fill, search, found }) => {
    await fill(
      space,
      page('zh', '数据库', '请先安装数据库，然后配置连接。'),
      page('ja', 'データベースの設定', '東京都のサーバーを使います。'),
      page('ko', '데이터베이스 설정', '서버에 데이터베이스를 설치합니다.'),
      page('de', 'Übersicht', 'Die Größe der Straße.'),
      page('ar', 'الوَثِيقَة', 'كيف تبدأ مع الخادم'),
      page('tr', 'İstanbul', 'Isparta ılık.'),
      page('th', 'การติดตั้ง', 'ติดตั้งโปรแกรมบนเครื่อง'),
    );
    for (const [query, id] of [
      ['安装', 'zh'],
      ['数据库 连接', 'zh'],
      ['データベース', 'ja'],
      ['東京', 'ja'],
      ['설치', 'ko'],
      ['데이터베이스', 'ko'],
      ['strasse', 'de'],
      ['ubersicht', 'de'],
      ['الوثيقة', 'ar'],
      ['خادم', 'ar'],
      ['istanbul', 'tr'],
      ['ISPARTA', 'tr'],
      ['โปรแกรม', 'th'],
    ])
      expect([query, await found(query as string)]).toEqual([query, [id]]);
    const [section] = (await search('数据库连接')).items[0].sections;
    expect(section.body).toContain('配置连接');
  });

  it('finds hidden pages, but no page that is excluded from the index', async ({ space, fill, search }) => {
    await fill(
      space,
      page('h', 'Hidden needle', '', { hidden: true } as never),
      page('n', 'Unindexed needle', '', { noIndex: true } as never),
    );
    expect(await search('needle')).toMatchObject({ count: 1, items: [{ id: 'h' }] });
  });

  it('shows at most five sections, each with at most 300 characters', async ({ space, fill, search }) => {
    const sections = Array.from(
      { length: 9 },
      (_, i) =>
        `## Part ${i}\n\n${'filler '.repeat(100)}needle${' needle'.repeat(i % 2)} ${'more '.repeat(100)}`,
    );
    await fill(space, page('long', 'Long', sections.join('\n\n')));
    const shown = (await search('needle')).items[0].sections;
    expect(shown).toHaveLength(5);
    for (const { body } of shown) expect([body.length <= 300, body.includes('needle')]).toEqual([true, true]);
  });

  it('goes page by page in the same order, whatever is added meanwhile', async ({ space, fill, search }) => {
    const pages = Array.from({ length: 23 }, (_, i) =>
      page(`p${String(i).padStart(2, '0')}`, `Needle ${i}`, ''),
    );
    const now = await fill(space, ...pages);
    const seen: string[] = [];
    let more: Record<string, string> = {};
    for (let next = 0; next < 5; next += 1) {
      const { items, count, next: following } = await search('needle', { limit: '5', ...more });
      seen.push(...items.map(({ id }: { id: string }) => id));
      if (next === 1) await fill(now, ...pages, page('zz', 'Elsewhere', 'Needle in the text.'));
      expect(count).toBe(next < 2 ? 23 : 24);
      more = { page: following?.page };
      if (!following) break;
    }
    expect(seen).toEqual([...pages.map(({ id }) => id), 'zz']);
    expect(await search('needle', { limit: '0' })).toEqual({ items: [], count: 24 });
  });

  it('takes a page token only for the same search of the same user', async ({
    organization,
    space,
    fill,
    at,
    search,
  }) => {
    await fill(space, page('a', 'Needle', ''), page('b', 'Needle', ''));
    const { next } = await search('needle', { limit: '1' });
    expect((await at(`/spaces/${space._id}/search`, { query: 'needles', page: next.page })).status).toBe(400);
    const other = await buildMember(organization, 'read');
    expect(
      (await at(`/spaces/${space._id}/search`, { query: 'needle', page: next.page }, other)).status,
    ).toBe(400);
  });

  it('takes a query literally, at once', async ({ space, fill, at }) => {
    await fill(space, page('a', 'Plain text', 'with words'));
    for (const query of [
      '(a+)+$',
      '.*',
      '$where',
      '{"$gt": ""}',
      '[',
      '%',
      '\\',
      '__proto__',
      `${'a'.repeat(511)}!`,
      '\u0301'.repeat(512),
      '???',
    ]) {
      const startedMs = performance.now();
      const { status, body } = await at(`/spaces/${space._id}/search`, { query });
      expect([query, status, body.items]).toEqual([query, 200, []]);
      expect(performance.now() - startedMs).toBeLessThan(bound(1_000));
    }
    for (const query of ['', 'a'.repeat(513), 'nul\0'])
      expect([query.length, (await at(`/spaces/${space._id}/search`, { query })).status]).toEqual([
        query.length,
        400,
      ]);
    expect((await at(`/spaces/${space._id}/search`, {})).status).toBe(400);
  });

  it('finds nothing in a space that is not indexed yet, and answers 404 for a hidden space', async ({
    organization,
    space,
    at,
    search,
  }) => {
    expect(await search('manual')).toEqual({ items: [], count: 0 });
    const guest = await buildMember(organization, null);
    expect((await at(`/spaces/${space._id}/search`, { query: 'x' }, guest)).status).toBe(404);
  });
});

describe('a search in an organization', () => {
  it('groups pages by space, the space with the best page first, with ranks over all pages', async ({
    organization,
    space,
    fill,
    inOrganization,
  }) => {
    const other = await buildSpace(organization, { title: 'Other' });
    await fill(space, page('a', 'Text', 'needle'), page('b', 'Needle', ''));
    await fill(other, page('c', 'Needle and more', ''));
    expect(await inOrganization('needle')).toMatchObject({
      count: 2,
      items: [
        {
          type: 'space',
          id: space._id,
          title: 'Manual',
          pages: [
            { id: 'b', rank: 1 },
            { id: 'a', rank: 3 },
          ],
        },
        { type: 'space', id: other._id, title: 'Other', pages: [{ id: 'c', rank: 2 }] },
      ],
    });
  });

  it('pages over spaces, and shows ten pages of each', async ({
    organization,
    admin,
    space,
    fill,
    inOrganization,
  }) => {
    const many = Array.from({ length: 14 }, (_, i) => page(`m${i}`, `Needle ${i}`, ''));
    await fill(space, ...many);
    const others = [];
    for (let i = 0; i < 3; i += 1)
      others.push(await fill(await buildSpace(organization), page(`o${i}`, 'Text', 'needle')));
    const first = await inOrganization('needle', admin, { limit: '3' });
    expect([first.count, first.items.length, first.items[0].pages.length]).toEqual([4, 3, 10]);
    const second = await inOrganization('needle', admin, { limit: '3', page: first.next.page });
    expect([second.items.length, second.next]).toEqual([1, undefined]);
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(4);
  });

  it('finds and counts only the spaces that the caller can view', async ({
    organization,
    admin,
    space,
    fill,
    at,
    inOrganization,
  }) => {
    const closed = await buildSpace(organization, { title: 'Closed', defaultLevel: null });
    const deleted = await buildSpace(organization, { title: 'Deleted' });
    for (const target of [space, closed, deleted]) await fill(target, page('a', 'Needle', ''));
    await changeSpace(deleted, { deletedAt: new Date() });
    const { organization: foreign } = await buildOrganization();
    await fill(await buildSpace(foreign), page('a', 'Needle', ''));
    const seenBy = async (user: TestUser) => {
      const { items, count } = await inOrganization('needle', user);
      expect(count).toBe(items.length);
      return items.map(({ title }: { title: string }) => title).toSorted();
    };
    expect(await seenBy(admin)).toEqual(['Closed', 'Manual']);
    expect(await seenBy(await buildMember(organization, 'read'))).toEqual(['Manual']);
    const guest = await buildMember(organization, null);
    expect(await seenBy(guest)).toEqual([]);
    await buildGrant({ space: closed }, guest, 'read');
    expect(await seenBy(guest)).toEqual(['Closed']);
    const { admin: outsider } = await buildOrganization();
    expect((await at(`/orgs/${organization._id}/search`, { query: 'needle' }, outsider)).status).toBe(404);
  });

  it('follows a space into another organization', async ({ api, admin, space, fill, at, inOrganization }) => {
    const filled = await fill(space, page('a', 'Needle', ''));
    const own = (await api.call('POST', '/v1/orgs', { token: admin.token, json: { title: 'Second' } })).body;
    const moved = await api.call('POST', `/v1/spaces/${space._id}/transfer`, {
      token: admin.token,
      json: { organization: own.id },
    });
    expect(moved.status).toBe(200);
    expect((await inOrganization('needle')).count).toBe(0);
    expect((await at(`/orgs/${own.id}/search`, { query: 'needle' })).body.count).toBe(1);
    await fill({ ...filled, organization: own.id }, page('b', 'Haystack', ''));
    expect((await at(`/orgs/${own.id}/search`, { query: 'haystack' })).body.count).toBe(1);
    expect((await at(`/orgs/${own.id}/search`, { query: 'needle' })).body.count).toBe(0);
  });
});
