import { markdownToDocument } from '@bindery/dialect';
import { Comment, CommentReply } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildChangeRequest,
  buildComment,
  buildMember,
  buildReply,
  buildRevision,
  buildSpace,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { bound } from '../../support/machine.ts';
import { watchThread } from '../../support/content/watchThread.ts';

// The comments of a space and those of a change request are the same operations: each test here runs for
// both.

const it = base
  .extend('ann', { scope: 'file' }, ({ organization }) => buildMember(organization, 'comment'))
  .extend('bob', { scope: 'file' }, ({ organization }) => buildMember(organization, 'create'))
  .extend('space', async ({ organization }) => {
    const space = await buildSpace(organization);
    const { _id: revision } = await buildRevision(space, {
      pages: [
        {
          id: 'page1',
          title: 'One',
          path: 'one',
          emoji: '1f600',
          icon: 'gear',
          source: '# One\n\nA text.\n',
        },
        { id: 'page2', type: 'group', title: 'Two', path: 'two' },
      ],
    });
    return { ...space, revision };
  })
  .extend('changeRequest', ({ space }) => buildChangeRequest(space))
  /** Whether the thread is that of the space, or of the change request: each describe says it. */
  .extend('isSpace', true as boolean)
  .extend('thread', ({ space, changeRequest, isSpace }) => (isSpace ? { space } : { space, changeRequest }))
  .extend(
    'root',
    ({ space, changeRequest, isSpace }) =>
      `/v1/spaces/${space._id}${isSpace ? '' : `/change-requests/${changeRequest._id}`}`,
  )
  .extend(
    'pathOf',
    ({ root }) =>
      ({ _id }: { _id: string }) =>
        `${root}/comments/${_id}`,
  )
  .extend(
    'post',
    ({ api, ann, root }) =>
      (json: unknown, { token } = ann) =>
        api.call('POST', `${root}/comments`, { token, json }),
  )
  .extend(
    'get',
    ({ api, reader, pathOf }) =>
      (comment: { _id: string }, query = '', { token } = reader) =>
        api.call('GET', pathOf(comment) + query, { token }),
  )
  .extend(
    'put',
    ({ api, ann, pathOf }) =>
      (comment: { _id: string }, json?: unknown, { token } = ann, headers = {}) =>
        api.call('PUT', pathOf(comment), { token, headers, ...(json !== undefined && { json }) }),
  )
  .extend(
    'openComments',
    ({ api, admin, root }) =>
      async (): Promise<number> =>
        (await api.call('GET', root, { token: admin.token })).body.comments,
  )
  .extend(
    'buildMine',
    ({ ann, thread }) =>
      () =>
        buildComment(thread, { postedBy: ann.user._id }),
  );

describe.each(['a space', 'a change request'])('comments of %s', (name) => {
  it.override('isSpace', name === 'a space');

  describe('the text of a comment', () => {
    it('does not block the event loop, even with hostile Markdown', async ({ api, ann, post, root }) => {
      const hostile = [`${'!['.repeat(10_000)}`, `> a\n${'a\n'.repeat(5_000)}`, `${'<?a '.repeat(5_000)}`];
      for (const markdown of hostile) expect((await post({ body: { markdown } })).status).toBe(200);
      const watch = watchThread();
      const { status, body } = await api.call('GET', `${root}/comments?format=document`, {
        token: ann.token,
      });
      watch.stop();
      expect([status, body.items.length]).toEqual([200, hostile.length]);
      expect(watch.longestWorkMs()).toBeLessThan(bound(300));
    });
  });

  describe('POST', () => {
    it('posts a comment on the whole space or change request', async ({
      space,
      ann,
      changeRequest,
      isSpace,
      root,
      post,
      get,
      openComments,
    }) => {
      const before = await openComments();
      const { status, body } = await post({
        body: { markdown: 'I *like* it' },
        unknown: 1,
        status: 'resolved',
        postedBy: 'x',
      });
      expect(status).toBe(200);
      expect(body).toEqual({
        object: 'comment',
        id: expect.any(String),
        postedBy: expect.objectContaining({ object: 'user', id: ann.user._id, displayName: 'comment' }),
        postedAt: expect.any(String),
        reactions: [],
        replies: 0,
        repliers: [],
        body: { markdown: 'I *like* it' },
        target: {
          space: space._id,
          revision: space.revision,
          ...(!isSpace && { changeRequest: changeRequest._id }),
        },
        urls: { location: `http://api.test${root}/comments/${body.id}` },
        permissions: { view: true, edit: true, reply: true, delete: true },
        status: 'open',
      });
      expect(await openComments()).toBe(before + 1);
      expect((await get({ _id: body.id })).body).toEqual({
        ...body,
        permissions: { view: true, edit: false, reply: false, delete: false },
      });
    });

    it('posts a comment on a page, a block and a table cell', async ({ post }) => {
      const node = markdownToDocument('A text.').nodes[0]?.key;
      const { body } = await post({
        body: { markdown: 'here' },
        page: 'page1',
        node,
        tableCell: { record: 'r', definition: 'd' },
      });
      expect(body.target).toMatchObject({
        page: { id: 'page1', title: 'One', path: 'one', emoji: '1f600', icon: 'gear', outdated: false },
        node: { id: node },
        tableCell: { record: 'r', definition: 'd' },
      });
      expect((await post({ body: { markdown: 'here' }, page: 'page2' })).body.target.page).toMatchObject({
        id: 'page2',
        path: 'two',
      });
    });

    it.for<[string, object]>([
      ['body', {}],
      ['body', { body: null }],
      ['body', { body: {} }],
      ['body', { body: { markdown: '' } }],
      ['body', { body: { markdown: ' \n\t\u00a0' } }],
      ['body.markdown', { body: { markdown: 5 } }],
      ['body.markdown', { body: { markdown: 'a\0b' } }],
      ['body.markdown', { body: { markdown: 'a'.repeat(20 * 1024 + 1) } }],
      ['body.markdown', { body: { markdown: 'é'.repeat(11 * 1024) } }],
      ['body.document', { body: { document: {} } }],
      ['body', { body: { document: { object: 'document', data: {}, nodes: [] } } }],
      ['body', { body: { markdown: 'a', document: { object: 'document', data: {}, nodes: [] } } }],
      ['body', { body: 'text' }],
      ['page', { body: { markdown: 'a' }, page: 'nothing' }],
      ['page', { body: { markdown: 'a' }, page: '__proto__' }],
      ['page', { body: { markdown: 'a' }, node: 'n' }],
      ['node', { body: { markdown: 'a' }, page: 'page1', node: 'gone' }],
      ['node', { body: { markdown: 'a' }, page: 'page2', node: 'gone' }],
      ['node', { body: { markdown: 'a' }, page: 'page1', tableCell: { record: 'r', definition: 'd' } }],
      [
        'tableCell.definition',
        { body: { markdown: 'a' }, page: 'page1', node: 'n', tableCell: { record: 'r' } },
      ],
    ])('refuses %s of %j and posts nothing', async ([field, json], { post, openComments }) => {
      const before = await openComments();
      const { status, body } = await post(json);
      expect(status).toBe(400);
      expect(body.error.details.map(({ path }: { path: string }) => path)).toContainEqual(
        expect.stringMatching(`^body.${field}`),
      );
      expect(await openComments()).toBe(before);
    });

    it('refuses a body of 1 MB', async ({ post }) => {
      expect([400, 413]).toContain((await post({ body: { markdown: 'a'.repeat(1_000_000) } })).status);
    });

    it('needs the permission space.comment', async ({ reader, post }) => {
      const { status, body } = await post({ body: { markdown: 'a' } }, reader);
      expect([status, body.error.message]).toEqual([403, expect.stringContaining('space.comment')]);
    });
  });

  describe('GET', () => {
    it('returns the content in the requested format', async ({ thread, get }) => {
      const comment = await buildComment(thread, { body: { markdown: 'a **b**\n' } });
      expect((await get(comment)).body.body).toEqual({ markdown: 'a **b**\n' });
      expect((await get(comment, '?format=markdown')).body.body).toEqual({ markdown: 'a **b**\n' });
      expect((await get(comment, '?format=document')).body.body.document).toMatchObject({
        object: 'document',
        nodes: [{ type: 'paragraph' }],
      });
      for (const query of ['?format=html', '?format=', '?format=markdown&format=document'])
        expect((await get(comment, query)).status).toBe(400);
    });

    it('answers 404 under another space or change request, and changes nothing', async ({
      api,
      organization,
      space,
      ann,
      changeRequest,
      isSpace,
      get,
      buildMine,
    }) => {
      const comment = await buildMine();
      const another = await buildChangeRequest(space);
      const otherSpace = await buildSpace(organization);
      const elsewhere = [
        `/v1/spaces/${otherSpace._id}`,
        `/v1/spaces/${space._id}/change-requests/${another._id}`,
        isSpace ? `/v1/spaces/${space._id}/change-requests/${changeRequest._id}` : `/v1/spaces/${space._id}`,
      ];
      for (const place of elsewhere) {
        const path = `${place}/comments/${comment._id}`;
        expect((await api.call('GET', path, { token: ann.token })).status).toBe(404);
        expect((await api.call('PUT', path, { token: ann.token, json: { resolved: true } })).status).toBe(
          404,
        );
        expect((await api.call('GET', `${path}/replies`, { token: ann.token })).status).toBe(404);
        expect(
          (await api.call('POST', `${path}/replies`, { token: ann.token, json: { body: { markdown: 'a' } } }))
            .status,
        ).toBe(404);
        expect((await api.call('DELETE', path, { token: ann.token })).status).toBe(204);
      }
      expect((await get(comment)).body).toMatchObject({ status: 'open', replies: 0 });
    });
  });

  describe('PUT', () => {
    it('resolves and reopens; a repeat changes nothing', async ({ bob, put, openComments, buildMine }) => {
      const comment = await buildMine();
      const before = await openComments();
      const resolved = await put(comment, { resolved: true }, bob);
      expect(resolved.status).toBe(200);
      expect(resolved.body).toMatchObject({
        status: 'resolved',
        resolvedBy: { id: bob.user._id },
        resolvedAt: expect.any(String),
      });
      expect(resolved.body).not.toHaveProperty('editedAt');
      expect((await put(comment, { resolved: true })).body).toMatchObject({
        resolvedBy: { id: bob.user._id },
        resolvedAt: resolved.body.resolvedAt,
      });
      expect(await openComments()).toBe(before - 1);
      const open = await put(comment, { resolved: false });
      expect(open.body.status).toBe('open');
      for (const absent of ['resolvedAt', 'resolvedBy']) expect(open.body).not.toHaveProperty(absent);
      await put(comment, { resolved: false });
      expect(await openComments()).toBe(before);
    });

    it('changes the body only for its author, who has comment.edit', async ({
      admin,
      bob,
      get,
      put,
      buildMine,
    }) => {
      const comment = await buildMine();
      const same = await put(comment, { body: { markdown: 'Comment' } });
      expect([same.status, same.body.editedAt]).toEqual([200, undefined]);
      const edited = await put(comment, { body: { markdown: 'Edited' } });
      expect(edited.body).toMatchObject({ body: { markdown: 'Edited' }, editedAt: expect.any(String) });
      for (const other of [bob, admin]) {
        const { status, body } = await put(
          comment,
          { body: { markdown: 'Mine now' }, resolved: true },
          other,
        );
        expect([status, body.error.message]).toEqual([403, expect.stringContaining('comment.edit')]);
      }
      expect((await get(comment)).body).toEqual({ ...edited.body, permissions: expect.anything() });
    });

    it('empties the body with {}, and refuses blank content', async ({ get, put, buildMine }) => {
      const comment = await buildMine();
      expect((await put(comment, { body: { markdown: ' ' } })).status).toBe(400);
      const { body } = await put(comment, { body: {} });
      expect(body).toMatchObject({ body: { markdown: '' }, editedAt: expect.any(String) });
      expect((await get(comment, '?format=document')).body.body.document.nodes).toEqual([]);
    });

    it('needs the permission space.comment, and refuses invalid fields', async ({
      reader,
      get,
      put,
      buildMine,
    }) => {
      const comment = await buildMine();
      expect((await put(comment, { resolved: true }, reader)).status).toBe(403);
      for (const json of [
        { resolved: 'yes' },
        { resolved: null },
        { body: null },
        { body: 'a' },
        { addedReactions: '👍' },
        [],
      ])
        expect([json, (await put(comment, json)).status]).toEqual([json, 400]);
      const before = (await get(comment)).body;
      for (const json of [undefined, {}, { status: 'resolved', postedBy: 'x', replies: 5 }])
        expect((await put(comment, json)).status).toBe(200);
      expect((await get(comment)).body).toEqual(before);
    });

    it('honours If-Match', async ({ ann, get, put, buildMine }) => {
      const comment = await buildMine();
      const tag = (await get(comment)).headers.get('etag') ?? '';
      expect((await put(comment, { resolved: true }, ann, { 'if-match': tag })).status).toBe(200);
      expect((await put(comment, { resolved: false }, ann, { 'if-match': tag })).status).toBe(412);
      expect((await get(comment)).body.status).toBe('resolved');
    });
  });

  describe('DELETE', () => {
    it('deletes the comment with its replies, and updates the count of open comments', async ({
      api,
      ann,
      thread,
      pathOf,
      get,
      put,
      openComments,
      buildMine,
    }) => {
      const before = await openComments();
      const [open, resolved] = [await buildMine(), await buildMine()];
      await buildReply(thread, open);
      await put(resolved, { resolved: true });
      for (const comment of [open, resolved]) {
        expect((await api.call('DELETE', pathOf(comment), { token: ann.token })).status).toBe(204);
        expect((await get(comment)).status).toBe(404);
        expect((await api.call('DELETE', pathOf(comment), { token: ann.token })).status).toBe(204);
      }
      expect(await CommentReply.countDocuments({ comment: open._id })).toBe(0);
      expect(await openComments()).toBe(before);
    });

    it('needs comment.delete, which only the author and the admins of the space have', async ({
      api,
      admin,
      reader,
      bob,
      pathOf,
      get,
      buildMine,
    }) => {
      const comment = await buildMine();
      for (const other of [bob, reader])
        expect((await api.call('DELETE', pathOf(comment), { token: other.token })).status).toBe(403);
      expect(await Comment.exists({ _id: comment._id })).not.toBeNull();
      expect((await get(comment, '', admin)).body.permissions).toEqual({
        view: true,
        edit: false,
        reply: true,
        delete: true,
      });
      expect((await api.call('DELETE', pathOf(comment), { token: admin.token })).status).toBe(204);
    });
  });
});

describe('a change request', () => {
  it('updates its updatedAt with every write to its comments', async ({ api, space, ann }) => {
    const own = await buildChangeRequest(space, { updatedAt: new Date('2026-01-01T00:00:00Z') });
    const path = `/v1/spaces/${space._id}/change-requests/${own._id}`;
    let last = '2026-01-01T00:00:00.000Z';
    const expectMoved = async (method: string, at: string, json?: unknown) => {
      const { body } = await api.call(method, path + at, {
        token: ann.token,
        ...(json !== undefined && { json }),
      });
      const { updatedAt } = (await api.call('GET', path, { token: ann.token })).body;
      expect([method, at, updatedAt > last]).toEqual([method, at, true]);
      last = updatedAt;
      return body;
    };
    const { id } = await expectMoved('POST', '/comments', { body: { markdown: 'a' } });
    await expectMoved('PUT', `/comments/${id}`, { addedReactions: ['👍'] });
    await expectMoved('PUT', `/comments/${id}`, { resolved: true });
    const reply = await expectMoved('POST', `/comments/${id}/replies`, { body: { markdown: 'b' } });
    await expectMoved('PUT', `/comments/${id}/replies/${reply.id}`, { body: { markdown: 'c' } });
    await expectMoved('DELETE', `/comments/${id}/replies/${reply.id}`);
    await expectMoved('DELETE', `/comments/${id}`);
    // Reads do not change `updatedAt`.
    const { body } = await api.call('GET', path, { token: ann.token });
    expect(body.updatedAt).toBe(last);
  });

  it('does not add its comments to those of its space', async ({ api, organization, admin }) => {
    const own = await buildSpace(organization);
    await buildComment({ space: own, changeRequest: await buildChangeRequest(own) });
    const { body } = await api.call('GET', `/v1/spaces/${own._id}`, { token: admin.token });
    expect(body).toMatchObject({ comments: 0, changeRequests: 1 });
    expect((await api.call('GET', `/v1/spaces/${own._id}/comments`, { token: admin.token })).body).toEqual({
      items: [],
      count: 0,
    });
  });
});
