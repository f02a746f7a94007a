import { ChangeRequest, Comment } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildChangeRequest,
  buildMember,
  buildOrganization,
  buildRevision,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend('changeRequest', ({ space }) =>
    buildChangeRequest(space, { updatedAt: new Date('2026-01-01T00:00:00Z') }),
  )
  .extend(
    'path',
    ({ space, changeRequest }) => `/v1/spaces/${space._id}/change-requests/${changeRequest._id}`,
  )
  .extend(
    'call',
    ({ api, reviewer, path }) =>
      (method: string, at: string, json?: unknown, { token } = reviewer) =>
        api.call(method, path + at, { token, ...(json !== undefined && { json }) }),
  )
  .extend(
    'theChangeRequest',
    ({ call }) =>
      async () =>
        (await call('GET', '')).body,
  );

describe('POST .../reviews', () => {
  it('stores the status and the reviewed revision', async ({
    reviewer,
    reader,
    changeRequest,
    path,
    call,
    theChangeRequest,
  }) => {
    const { status, body } = await call('POST', '/reviews', { status: 'approved' });
    expect(status).toBe(201);
    expect(body).toEqual({
      object: 'change-request-review',
      id: expect.any(String),
      revision: changeRequest.revision,
      reviewer: expect.objectContaining({ id: reviewer.user._id }),
      status: 'approved',
      outdated: false,
      createdAt: expect.any(String),
      updatedAt: body.createdAt,
      urls: { location: `http://api.test${path}/reviews/${body.id}` },
    });
    expect((await call('GET', `/reviews/${body.id}`, undefined, reader)).body).toEqual(body);
    const after = await theChangeRequest();
    expect([after.comments, after.status, after.updatedAt > '2026-01-01T00:00:00.000Z']).toEqual([
      0,
      'draft',
      true,
    ]);
  });

  it('posts its comment to the change request, and shows the comment with the review', async ({
    changeRequest,
    call,
    theChangeRequest,
  }) => {
    const { body } = await call('POST', '/reviews', {
      status: 'changes-requested',
      comment: { markdown: 'Not *yet*' },
    });
    expect(body).toMatchObject({
      status: 'changes-requested',
      comment: {
        object: 'comment',
        body: { markdown: 'Not *yet*' },
        target: { review: body.id, changeRequest: changeRequest._id },
      },
    });
    expect((await call('GET', '/comments')).body).toEqual({ count: 1, items: [body.comment] });
    expect((await theChangeRequest()).comments).toBe(1);
    const asTree = await call('GET', `/reviews/${body.id}?format=document`);
    expect(asTree.body.comment.body.document).toMatchObject({ object: 'document' });
    await call('DELETE', `/comments/${body.comment.id}`);
    expect((await call('GET', `/reviews/${body.id}`)).body).not.toHaveProperty('comment');
    expect((await theChangeRequest()).comments).toBe(0);
  });

  it('marks the earlier review of the same user as outdated', async ({ admin, call }) => {
    const first = (await call('POST', '/reviews', { status: 'changes-requested' })).body;
    const others = (await call('POST', '/reviews', { status: 'approved' }, admin)).body;
    const second = (await call('POST', '/reviews', { status: 'approved' })).body;
    const outdated = async (query: string) =>
      (await call('GET', `/reviews${query}`)).body.items.map(
        ({ id, outdated: is }: { id: string; outdated: boolean }) => [id, is],
      );
    expect(await outdated('')).toEqual([
      [second.id, false],
      [others.id, false],
      [first.id, true],
    ]);
    expect(await outdated('?outdated=true')).toEqual([[first.id, true]]);
    expect(await outdated('?outdated=false&limit=1')).toEqual([[second.id, false]]);
    expect((await call('GET', '/reviews?outdated=yes')).status).toBe(400);
  });

  it.for([
    {},
    { status: 'rejected' },
    { status: null },
    { status: 'approved', comment: {} },
    { status: 'approved', comment: { markdown: ' ' } },
    [],
  ])('refuses %j', async (json, { changeRequest, call }) => {
    expect((await call('POST', '/reviews', json)).status).toBe(400);
    expect((await call('GET', '/reviews')).body.count).toBe(0);
    expect(await Comment.countDocuments({ thread: changeRequest._id })).toBe(0);
  });

  it('needs the permission to review, or a review request and the permission to comment', async ({
    organization,
    reviewer,
    commenter,
    reader,
    call,
  }) => {
    const editor = await buildMember(organization, 'edit');
    for (const user of [editor, commenter, reader]) {
      const { status, body } = await call('POST', '/reviews', { status: 'approved' }, user);
      expect([status, body.error.message]).toEqual([403, expect.stringContaining('changeRequest.review')]);
    }
    await call('POST', '/requested-reviewers', { users: [commenter.user._id, reader.user._id] });
    const { status, body } = await call('POST', '/reviews', { status: 'approved' }, commenter);
    expect([status, body.requestedBy.id]).toEqual([201, reviewer.user._id]);
    expect((await call('POST', '/reviews', { status: 'approved' }, reader)).status).toBe(403);
  });

  it('is not found under another change request', async ({ api, admin, space, call }) => {
    const { body } = await call('POST', '/reviews', { status: 'approved' });
    const other = await buildChangeRequest(space);
    expect(
      (
        await api.call('GET', `/v1/spaces/${space._id}/change-requests/${other._id}/reviews/${body.id}`, {
          token: admin.token,
        })
      ).status,
    ).toBe(404);
    expect((await call('GET', '/reviews/nothing')).status).toBe(404);
  });

  it('leaves one review that is not outdated when a user posts many at once', async ({
    call,
    theChangeRequest,
  }) => {
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        call('POST', '/reviews', {
          status: i % 2 ? 'approved' : 'changes-requested',
          comment: { markdown: 'a' },
        }),
      ),
    );
    expect((await call('GET', '/reviews?outdated=false')).body.count).toBe(1);
    expect((await call('GET', '/reviews')).body.count).toBe(20);
    expect((await theChangeRequest()).comments).toBe(20);
  });
});

describe('requested reviewers', () => {
  it('are added, listed and removed', async ({
    admin,
    reviewer,
    commenter,
    reader,
    changeRequest,
    call,
    theChangeRequest,
  }) => {
    const { status, body } = await call('POST', '/requested-reviewers', {
      users: [commenter.user._id, admin.user._id],
      subject: 'Please look',
    });
    expect(status).toBe(200);
    expect(body.users).toEqual([
      {
        object: 'change-request-requested-reviewer',
        kind: 'user',
        user: expect.objectContaining({ id: commenter.user._id }),
        requestedBy: expect.objectContaining({ id: reviewer.user._id }),
        revision: changeRequest.revision,
        createdAt: expect.any(String),
      },
      expect.objectContaining({ user: expect.objectContaining({ id: admin.user._id }) }),
    ]);
    expect(await theChangeRequest()).toMatchObject({ subject: 'Please look', status: 'draft' });
    const list = await call('GET', '/requested-reviewers', undefined, reader);
    expect(list.body.count).toBe(2);
    const first = await call('GET', '/requested-reviewers?limit=1', undefined, reader);
    const second = await call(
      'GET',
      `/requested-reviewers?limit=1&page=${first.body.next.page}`,
      undefined,
      reader,
    );
    expect([...first.body.items, ...second.body.items]).toEqual(list.body.items);
    expect(second.body).not.toHaveProperty('next');
    for (const _ of [1, 2])
      expect((await call('DELETE', `/requested-reviewers/${admin.user._id}`)).status).toBe(204);
    expect((await call('DELETE', '/requested-reviewers/nobody')).status).toBe(204);
    expect((await call('GET', '/requested-reviewers')).body).toMatchObject({
      count: 1,
      items: [{ user: { id: commenter.user._id } }],
    });
  });

  it('are listed once each; a new request outdates their reviews and names the current revision', async ({
    admin,
    space,
    changeRequest,
    call,
  }) => {
    await call('POST', '/requested-reviewers', { users: [admin.user._id, admin.user._id] });
    await call('POST', '/reviews', { status: 'approved' }, admin);
    const { _id: revision } = await buildRevision(space, { publish: false });
    await ChangeRequest.updateOne({ _id: changeRequest._id }, { $set: { revision } });
    expect(
      (await call('POST', '/requested-reviewers', { users: [admin.user._id] })).body.users,
    ).toMatchObject([{ revision }]);
    expect((await call('GET', '/requested-reviewers')).body.count).toBe(1);
    expect((await call('GET', '/reviews')).body.items).toMatchObject([
      { status: 'approved', outdated: true, revision: changeRequest.revision },
    ]);
  });

  it('must be members who can view the space', async ({ organization, admin, call, theChangeRequest }) => {
    const { admin: stranger } = await buildOrganization();
    const guest = await buildMember(organization, null);
    for (const user of ['nobody', stranger.user._id, guest.user._id]) {
      const { status, body } = await call('POST', '/requested-reviewers', {
        users: [admin.user._id, user],
        subject: 'No',
      });
      expect([status, body.error.details[0].path]).toEqual([400, 'body.users[1]']);
    }
    expect((await call('GET', '/requested-reviewers')).body.count).toBe(0);
    expect((await theChangeRequest()).subject).toBe('Change');
  });

  it.for([
    {},
    { users: [] },
    { users: 'u' },
    { users: [5] },
    { users: null },
    { users: ['u'], subject: 'a'.repeat(101) },
    { users: Array.from({ length: 101 }, () => 'u') },
  ])('are refused when they are given as %j', async (json, { call }) => {
    expect((await call('POST', '/requested-reviewers', json)).status).toBe(400);
  });

  it('are added and removed only with the permission space.review', async ({ commenter, reader, call }) => {
    for (const user of [commenter, reader]) {
      expect((await call('POST', '/requested-reviewers', { users: [user.user._id] }, user)).status).toBe(403);
      expect((await call('DELETE', `/requested-reviewers/${user.user._id}`, undefined, user)).status).toBe(
        403,
      );
    }
  });
});
