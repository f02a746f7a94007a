import { Comment } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildChangeRequest,
  buildComment,
  buildMember,
  buildReply,
  buildRevision,
  buildSpace,
  type TestUser,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const idsOf = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id);

const it = base
  .extend('ann', { scope: 'file' }, ({ organization }) => buildMember(organization, 'comment'))
  .extend('bob', { scope: 'file' }, ({ organization }) => buildMember(organization, 'comment'))
  /** Whether the thread is that of the space, or of the change request: each describe says it. */
  .extend('isSpace', true as boolean)
  .extend('space', async ({ organization }) => {
    const space = await buildSpace(organization);
    const pages = [
      { id: 'page1', path: 'one' },
      { id: 'page2', path: 'two' },
    ];
    return { ...space, revision: (await buildRevision(space, { pages }))._id };
  })
  .extend('changeRequest', ({ space }) => buildChangeRequest(space))
  .extend(
    'root',
    ({ space, changeRequest, isSpace }) =>
      `/v1/spaces/${space._id}${isSpace ? '' : `/change-requests/${changeRequest.number}`}`,
  )
  .extend('comments', async ({ api, admin, ann, bob, space, changeRequest, isSpace, root }) => {
    const post = async (by: TestUser, page?: string) =>
      api.call('POST', `${root}/comments`, {
        token: by.token,
        json: { body: { markdown: '**text**' }, ...(page && { page }) },
      });
    for (const [by, page] of [[ann, 'page1'], [ann, 'page2'], [bob, 'page1'], [bob], [admin]] as [
      TestUser,
      string?,
    ][])
      await post(by, page);
    // A comment elsewhere shall not show.
    await buildComment(isSpace ? { space, changeRequest } : { space });
    return `${root}/comments`;
  })
  .extend('thread', ({ space, isSpace, changeRequest }) => (isSpace ? { space } : { space, changeRequest }))
  .extend(
    'list',
    ({ api, admin, comments }) =>
      (query = '') =>
        api.call('GET', comments + query, { token: admin.token }),
  );

describe.each(['a space', 'a change request'])('the list of comments of %s', (name) => {
  it.override('isSpace', name === 'a space');

  it('is newest first, or oldest first with order=asc, in pages', async ({ admin, ann, bob, list }) => {
    const { body } = await list();
    expect(body.count).toBe(5);
    expect(body.items.map(({ postedBy }: { postedBy: { id: string } }) => postedBy.id)).toEqual(
      [admin, bob, bob, ann, ann].map(({ user }) => user._id),
    );
    expect(idsOf(await list('?order=asc'))).toEqual(idsOf({ body }).toReversed());
    const first = await list('?limit=2&order=asc');
    const second = await list(`?limit=3&order=asc&page=${first.body.next.page}`);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(idsOf({ body }).toReversed());
    expect(second.body).not.toHaveProperty('next');
    for (const query of [
      `?order=desc&page=${first.body.next.page}`,
      `?status=open&page=${first.body.next.page}`,
    ])
      expect((await list(query)).status).toBe(400);
    expect((await list('?limit=0')).body).toEqual({ items: [], count: 5 });
  });

  it('filters by page and authors, one or several', async ({ admin, ann, bob, list }) => {
    const all = (await list('?order=asc')).body.items as { id: string }[];
    const nth = (...places: number[]) => places.map((place) => all[place]?.id);
    const only = async (query: string) => idsOf(await list(`?order=asc${query}`));
    expect(await only('&targetPage=page1')).toEqual(nth(0, 2));
    expect(await only(`&authors=${bob.user._id}`)).toEqual(nth(2, 3));
    expect(await only(`&authors=${bob.user._id}&authors=${admin.user._id}`)).toEqual(nth(2, 3, 4));
    expect(await only(`&authors[]=${bob.user._id}&authors[]=${ann.user._id}&targetPage=page1`)).toEqual(
      nth(0, 2),
    );
    expect(await only('&authors=nobody')).toEqual([]);
    expect(await only('&targetPage=nothing')).toEqual([]);
  });

  it('filters by status', async ({ api, admin, root, list }) => {
    const [first, ...rest] = idsOf(await list('?order=asc'));
    await api.call('PUT', `${root}/comments/${first}`, { token: admin.token, json: { resolved: true } });
    expect(idsOf(await list('?status=resolved'))).toEqual([first]);
    expect(idsOf(await list('?status=open&order=asc'))).toEqual(rest);
    expect((await list('?status=all')).body.count).toBe(5);
    expect((await list('?status=open')).body.count).toBe(4);
  });

  it('has the content in the requested format', async ({ list }) => {
    const { body } = await list('?format=document&limit=1');
    expect(body.items[0].body.document.nodes).toHaveLength(1);
    expect((await list('?limit=1')).body.items[0].body).toEqual({ markdown: '**text**' });
  });

  it.for([
    'status=banana',
    'order=newest',
    'format=html',
    'targetPage=',
    'authors=',
    'limit=1001',
    'page=garbage',
    'status=open&status=resolved',
  ])('refuses %s', async (query, { list }) => {
    expect((await list(`?${query}`)).status).toBe(400);
  });

  it('refuses more authors than 50', async ({ list }) => {
    expect((await list(`?${Array.from({ length: 51 }, (_, i) => `authors=u${i}`).join('&')}`)).status).toBe(
      400,
    );
  });

  it('needs as many queries for many comments as for few', async ({ ann, thread, list }) => {
    for (let i = 0; i < 5; i += 1)
      await buildReply(thread, await buildComment(thread), { postedBy: ann.user._id });
    const commands = async (limit: number) => {
      let count = 0;
      Comment.base.set('debug', () => void (count += 1));
      // The oldest are about pages, so with any of them the pages are looked at.
      const { body } = await list(`?limit=${limit}&order=asc`);
      Comment.base.set('debug', false);
      expect([body.items.length, count > 0]).toEqual([limit, true]);
      return count;
    };
    expect(await commands(10)).toBe(await commands(2));
  });

  it.for(
    [{}, { 'target.page.id': 'p' }, { postedBy: { $in: ['u', 'v', 'w'] } }].flatMap((filter) =>
      [1, -1].map((direction) => ({ filter, direction: direction as 1 | -1 })),
    ),
  )('walks an index: %j', async ({ filter, direction }, { api: _started }) => {
    const found = Comment.find({ thread: 't', status: { $in: ['open', 'resolved'] }, ...filter });
    const plan = JSON.stringify(
      await found.sort({ postedAt: direction, _id: direction }).limit(51).explain('queryPlanner'),
    );
    const winning = plan.slice(plan.indexOf('"winningPlan"'), plan.indexOf('"rejectedPlans"'));
    expect(winning).toContain('IXSCAN');
    expect(winning).not.toMatch(/"stage":"(SORT|COLLSCAN)"/);
  });
});
