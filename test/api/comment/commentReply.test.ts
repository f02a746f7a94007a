import { describe, expect } from 'vitest';
import {
  buildChangeRequest,
  buildComment,
  buildMember,
  buildReply,
  type TestUser,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend('ann', { scope: 'file' }, ({ organization }) => buildMember(organization, 'comment'))
  .extend('bob', { scope: 'file' }, ({ organization }) => buildMember(organization, 'comment'))
  .extend('changeRequest', ({ space }) => buildChangeRequest(space))
  /** Whether the thread is that of the space, or of the change request: each describe says it. */
  .extend('isSpace', true as boolean)
  .extend('thread', ({ space, changeRequest, isSpace }) => (isSpace ? { space } : { space, changeRequest }))
  .extend('comment', ({ thread }) => buildComment(thread))
  .extend('path', ({ space, changeRequest, isSpace, comment }) => (reply?: { _id: string } | string) => {
    const id = reply === undefined ? '' : `/${typeof reply === 'string' ? reply : reply._id}`;
    return `/v1/spaces/${space._id}${isSpace ? '' : `/change-requests/${changeRequest._id}`}/comments/${comment._id}/replies${id}`;
  })
  .extend(
    'post',
    ({ api, ann, path }) =>
      (json: unknown, { token } = ann) =>
        api.call('POST', path(), { token, json }),
  )
  .extend(
    'list',
    ({ api, reader, path }) =>
      (query = '') =>
        api.call('GET', path() + query, { token: reader.token }),
  )
  .extend(
    'theComment',
    ({ api, reader, path }) =>
      async () =>
        (await api.call('GET', path().replace('/replies', ''), { token: reader.token })).body,
  );

describe.each(['a space', 'a change request'])('replies to a comment of %s', (name) => {
  it.override('isSpace', name === 'a space');

  it('are posted, and counted with who posted them', async ({
    api,
    reader,
    ann,
    bob,
    path,
    post,
    theComment,
  }) => {
    const { status, body } = await post({ body: { markdown: 'Agreed' }, status: 'resolved', page: 'x' });
    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'comment-reply',
      id: expect.any(String),
      postedBy: expect.objectContaining({ id: ann.user._id }),
      postedAt: expect.any(String),
      reactions: [],
      body: { markdown: 'Agreed' },
      urls: { location: `http://api.test${path(body.id)}` },
      permissions: { view: true, edit: true, reply: true, delete: true },
    });
    const second = await post({ body: { markdown: 'Me too' } }, bob);
    const third = await post({ body: { markdown: 'More' } });
    expect(await theComment()).toMatchObject({
      replies: 3,
      repliers: [
        { user: { id: ann.user._id }, count: 2, updatedAt: third.body.postedAt },
        { user: { id: bob.user._id }, count: 1, updatedAt: second.body.postedAt },
      ],
      status: 'open',
    });
    expect((await api.call('GET', path(body.id), { token: reader.token })).body).toMatchObject({
      id: body.id,
      permissions: { view: true, edit: false, reply: false, delete: false },
    });
    const asTree = await api.call('GET', `${path(body.id)}?format=document`, { token: reader.token });
    expect(asTree.body.body.document).toMatchObject({ object: 'document' });
  });

  it('are returned in the requested format when they are posted', async ({ api, ann, path }) => {
    const { body } = await api.call('POST', `${path()}?format=document`, {
      token: ann.token,
      json: { body: { markdown: 'a' } },
    });
    expect(body.body.document.nodes).toMatchObject([{ type: 'paragraph' }]);
  });

  it('are listed oldest first, in pages', async ({ post, list }) => {
    const ids: string[] = [];
    for (const text of ['1', '2', '3']) ids.push((await post({ body: { markdown: text } })).body.id);
    expect((await list()).body).toMatchObject({
      count: 3,
      items: ids.map((id) => ({ id, object: 'comment-reply' })),
    });
    const first = await list('?limit=2');
    const second = await list(`?limit=2&page=${first.body.next.page}&format=markdown`);
    // Another format is another list.
    expect(second.status).toBe(200);
    expect([...first.body.items, ...second.body.items].map(({ id }: { id: string }) => id)).toEqual(ids);
    expect((await list('?format=html')).status).toBe(400);
  });

  it.for([
    {},
    { body: {} },
    { body: { markdown: '' } },
    { body: { markdown: 5 } },
    { body: { markdown: 'a'.repeat(20 * 1024 + 1) } },
    [],
  ])('are refused with %j', async (json, { post, theComment }) => {
    expect((await post(json)).status).toBe(400);
    expect((await theComment()).replies).toBe(0);
  });

  it('need the permission comment.reply', async ({ reader, post }) => {
    const { status, body } = await post({ body: { markdown: 'a' } }, reader);
    expect([status, body.error.message]).toEqual([403, expect.stringContaining('comment.reply')]);
  });

  it('are changed by their author only, who has reply.edit', async ({
    api,
    admin,
    reader,
    ann,
    bob,
    thread,
    comment,
    path,
  }) => {
    const reply = await buildReply(thread, comment, { postedBy: ann.user._id });
    const put = (json: unknown, { token } = ann) => api.call('PUT', path(reply), { token, json });
    expect((await put({ body: { markdown: 'Reply' } })).body).not.toHaveProperty('editedAt');
    // There is nothing to resolve in a reply: what the published description allows there is ignored.
    const edited = await put({ body: { markdown: 'Edited' }, resolved: true });
    expect(edited.body).toMatchObject({ body: { markdown: 'Edited' }, editedAt: expect.any(String) });
    expect(edited.body).not.toHaveProperty('status');
    for (const other of [bob, admin]) {
      const { status, body } = await put({ body: { markdown: 'x' } }, other);
      expect([status, body.error.message]).toEqual([403, expect.stringContaining('reply.edit')]);
    }
    expect((await put({ addedReactions: ['👍'] }, bob)).body.reactions).toMatchObject([
      { emoji: '👍', count: 1, users: [{ user: { id: bob.user._id } }] },
    ]);
    expect((await put({ addedReactions: ['👍'] }, reader)).status).toBe(403);
    expect((await put({ body: { markdown: ' ' } })).status).toBe(400);
    expect((await put({ body: {} })).body.body).toEqual({ markdown: '' });
  });

  it('are deleted by their author and the admins only, who have reply.delete', async ({
    api,
    admin,
    reader,
    ann,
    bob,
    thread,
    comment,
    path,
    theComment,
  }) => {
    const [one, two, three] = [
      await buildReply(thread, comment, { postedBy: ann.user._id }),
      await buildReply(thread, comment, { postedBy: bob.user._id }),
      await buildReply(thread, comment, { postedBy: ann.user._id }),
    ];
    const remove = async (reply: { _id: string }, { token }: TestUser) =>
      (await api.call('DELETE', path(reply), { token })).status;
    for (const other of [bob, reader]) expect(await remove(one, other)).toBe(403);
    expect(await remove(three, ann)).toBe(204);
    expect(await remove(three, ann)).toBe(204);
    expect(await theComment()).toMatchObject({
      replies: 2,
      repliers: [
        { user: { id: ann.user._id }, count: 1, updatedAt: one.postedAt.toISOString() },
        { user: { id: bob.user._id }, count: 1 },
      ],
    });
    expect(await remove(one, admin)).toBe(204);
    expect(await theComment()).toMatchObject({ replies: 1, repliers: [{ user: { id: bob.user._id } }] });
    expect(await remove(two, admin)).toBe(204);
    expect(await theComment()).toMatchObject({ replies: 0, repliers: [] });
  });

  it('are found only below their own comment', async ({ api, admin, ann, thread, comment, path }) => {
    const reply = await buildReply(thread, comment);
    const other = await buildComment(thread);
    const elsewhere = path(reply).replace(comment._id, other._id);
    expect((await api.call('GET', elsewhere, { token: ann.token })).status).toBe(404);
    expect((await api.call('PUT', elsewhere, { token: ann.token, json: {} })).status).toBe(404);
    expect((await api.call('DELETE', elsewhere, { token: admin.token })).status).toBe(204);
    expect(
      (await api.call('DELETE', path(reply).replace(comment._id, 'nothing'), { token: admin.token })).status,
    ).toBe(404);
    expect((await api.call('GET', path(reply), { token: ann.token })).status).toBe(200);
  });
});
