import { describe, expect } from 'vitest';
import {
  buildChangeRequest,
  buildComment,
  buildMember,
  buildReply,
  buildSpace,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const shown = ({
  body,
}: {
  body: { reactions: { emoji: string; count: number; users: { user: { id: string } }[] }[] };
}) => body.reactions.map(({ emoji, count, users }) => [emoji, count, ...users.map(({ user }) => user.id)]);

const it = base
  .extend('ann', { scope: 'file' }, ({ organization }) => buildMember(organization, 'comment'))
  .extend('bob', { scope: 'file' }, ({ organization }) => buildMember(organization, 'comment'))
  .extend('changeRequest', ({ space }) => buildChangeRequest(space))
  .extend('comment', ({ space }) => buildComment({ space }))
  .extend(
    'put',
    ({ api, space, ann, comment }) =>
      (json: unknown, { token } = ann) =>
        api.call('PUT', `/v1/spaces/${space._id}/comments/${comment._id}`, { token, json }),
  );

describe('reactions', () => {
  it('are stored once for each emoji and user, in the order of their first use', async ({
    ann,
    bob,
    put,
  }) => {
    await put({ addedReactions: ['👍', '🎉'] });
    await put({ addedReactions: ['🎉', '👍'] }, bob);
    const again = await put({ addedReactions: ['👍', '👍'] });
    const expected = [
      ['👍', 2, ann.user._id, bob.user._id],
      ['🎉', 2, ann.user._id, bob.user._id],
    ];
    expect(shown(again)).toEqual(expected);
    expect(again.body.reactions[0].users[0].reactedAt).toEqual(expect.any(String));
    // The first user goes, the kind keeps its place.
    expect(shown(await put({ removedReactions: ['👍', '🚀'] }))).toEqual([
      ['👍', 1, bob.user._id],
      expected[1],
    ]);
    expect(shown(await put({ removedReactions: ['👍'] }, bob))).toEqual([expected[1]]);
    expect(shown(await put({ addedReactions: ['👍'] }))).toEqual([expected[1], ['👍', 1, ann.user._id]]);
  });

  it('are removed when they are added and removed in one request', async ({ ann, put }) => {
    await put({ addedReactions: ['👍'] });
    expect(shown(await put({ addedReactions: ['👍', '🎉'], removedReactions: ['👍'] }))).toEqual([
      ['🎉', 1, ann.user._id],
    ]);
  });

  it('are equal for each way to write an emoji, and keep its first form', async ({ ann, bob, put }) => {
    await put({ addedReactions: ['❤️'] });
    for (const same of ['❤', '2764', '2764-fe0f', '2764-FE0F']) {
      expect(shown(await put({ addedReactions: [same] }, bob))).toEqual([
        ['❤️', 2, ann.user._id, bob.user._id],
      ]);
    }
    expect(shown(await put({ removedReactions: ['2764'] }))).toEqual([['❤️', 1, bob.user._id]]);
  });

  it('do not edit or resolve the comment', async ({ put }) => {
    const { body } = await put({ addedReactions: ['1f44d'] });
    expect(body).toMatchObject({ status: 'open', reactions: [{ emoji: '1f44d' }] });
    expect(body).not.toHaveProperty('editedAt');
  });

  it.for([
    ['<b>'],
    [''],
    ['x'],
    ['👍👍'],
    [':+1:'],
    [5],
    [null],
    ['1f44d-1f44d'],
    ['d83d-de00'],
    ['a'.repeat(60)],
  ])('refuse %j', async ([emoji], { put }) => {
    expect((await put({ addedReactions: ['🎉', emoji] })).status).toBe(400);
    expect((await put({ removedReactions: [emoji] })).status).toBe(400);
    expect(shown(await put({}))).toEqual([]);
  });

  it('come in at most 50 kinds', async ({ bob, put }) => {
    // Flags of the first letters.
    const flags =
      'AC AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO'
        .split(' ')
        .map((letters) =>
          [...letters].map((letter) => String.fromCodePoint(0x1f1e6 + letter.charCodeAt(0) - 65)).join(''),
        );
    expect(flags).toHaveLength(50);
    expect((await put({ addedReactions: [...flags, '👍'] })).status).toBe(400);
    expect((await put({ addedReactions: flags })).body.reactions).toHaveLength(50);
    const { status, body } = await put({ addedReactions: ['👍'] }, bob);
    expect([status, body.error.details[0].path]).toEqual([400, 'body.addedReactions']);
    expect((await put({ addedReactions: [flags[0]] }, bob)).body.reactions[0].count).toBe(2);
    expect((await put({ addedReactions: ['👍'], removedReactions: [flags[1]] })).status).toBe(200);
    expect((await put({ addedReactions: Array.from({ length: 10_000 }, () => '👍') })).status).toBe(400);
  });
});

describe('many concurrent requests', () => {
  it('with one Idempotency-Key post one comment, one reply and one review', async ({ api, admin, space }) => {
    const own = await buildChangeRequest(space);
    const path = `/v1/spaces/${space._id}/change-requests/${own._id}`;
    const post = async (at: string, json: unknown) => {
      const answers = await Promise.all(
        Array.from({ length: 5 }, () =>
          api.call('POST', path + at, { token: admin.token, json, headers: { 'idempotency-key': at } }),
        ),
      );
      // Requests during the first one answer 409.
      expect(answers.filter(({ status }) => status < 300).length).toBeGreaterThan(0);
      expect(answers.every(({ status }) => status < 300 || status === 409)).toBe(true);
      const again = await api.call('POST', path + at, {
        token: admin.token,
        json,
        headers: { 'idempotency-key': at },
      });
      return again.body.id;
    };
    const id = await post('/comments', { body: { markdown: 'a' } });
    await post(`/comments/${id}/replies`, { body: { markdown: 'a' } });
    await post('/reviews', { status: 'approved' });
    const count = async (at: string) => (await api.call('GET', path + at, { token: admin.token })).body.count;
    expect([
      await count('/comments'),
      await count(`/comments/${id}/replies`),
      await count('/reviews'),
    ]).toEqual([1, 1, 1]);
  });

  it('lose no reaction', async ({ organization, put }) => {
    const users = await Promise.all(Array.from({ length: 20 }, () => buildMember(organization, 'comment')));
    const kinds = ['👍', '🎉', '🚀'];
    await Promise.all(users.flatMap((user) => kinds.map((emoji) => put({ addedReactions: [emoji] }, user))));
    const { body } = await put({});
    expect(body.reactions.map(({ count }: { count: number }) => count)).toEqual([20, 20, 20]);
    await Promise.all(
      users.slice(0, 10).flatMap((user) => kinds.map((emoji) => put({ removedReactions: [emoji] }, user))),
    );
    expect((await put({})).body.reactions.map(({ count }: { count: number }) => count)).toEqual([10, 10, 10]);
  });

  it.for(['a space', 'a change request'])(
    'keep the counters of %s right',
    async (name, { api, organization, admin }) => {
      const own = await buildSpace(organization);
      const thread =
        name === 'a space' ? { space: own } : { space: own, changeRequest: await buildChangeRequest(own) };
      const path = `/v1/spaces/${own._id}${thread.changeRequest ? `/change-requests/${thread.changeRequest._id}` : ''}`;
      const call = (method: string, at: string, json?: unknown) =>
        api.call(method, path + at, { token: admin.token, ...(json !== undefined && { json }) });
      const posted = await Promise.all(
        Array.from({ length: 30 }, () => call('POST', '/comments', { body: { markdown: 'a' } })),
      );
      const ids = posted.map(({ body }) => body.id as string);
      // The first ten are resolved by several at once, some of them deleted too, some opened again.
      await Promise.all([
        ...ids
          .slice(0, 10)
          .flatMap((id) => [1, 2, 3].map(() => call('PUT', `/comments/${id}`, { resolved: true }))),
        ...ids.slice(5, 15).flatMap((id) => [1, 2].map(() => call('DELETE', `/comments/${id}`))),
        ...ids.slice(0, 3).map((id) => call('PUT', `/comments/${id}`, { resolved: false })),
        ...Array.from({ length: 10 }, () => call('POST', '/comments', { body: { markdown: 'b' } })),
      ]);
      const { count } = (await call('GET', '/comments?status=open')).body;
      expect((await call('GET', '')).body.comments).toBe(count);
      expect((await call('GET', '/comments')).body.count).toBe(30);
    },
  );

  it('keep the replies of a comment right', async ({ api, space, ann, bob, changeRequest }) => {
    const thread = { space, changeRequest };
    const target = await buildComment(thread);
    const path = `/v1/spaces/${space._id}/change-requests/${changeRequest._id}/comments/${target._id}`;
    const extra = await Promise.all(
      Array.from({ length: 10 }, () => buildReply(thread, target, { postedBy: bob.user._id })),
    );
    await Promise.all([
      ...Array.from({ length: 20 }, () =>
        api.call('POST', `${path}/replies`, { token: ann.token, json: { body: { markdown: 'a' } } }),
      ),
      ...extra.flatMap(({ _id }) =>
        [1, 2].map(() => api.call('DELETE', `${path}/replies/${_id}`, { token: bob.token })),
      ),
    ]);
    const { body } = await api.call('GET', path, { token: ann.token });
    expect(body).toMatchObject({ replies: 20, repliers: [{ user: { id: ann.user._id }, count: 20 }] });
  });
});
