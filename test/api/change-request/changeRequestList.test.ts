import {
  ChangeRequest,
  type ChangeRequestRecord,
  type OrganizationRecord,
  type SpaceRecord,
} from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildChangeRequest,
  buildComment,
  buildGrant,
  buildMember,
  buildOrganization,
  buildReply,
  buildSpace,
  changeSpace,
  type TestUser,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const idsOf = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id);

const it = base
  .extend(
    'list',
    ({ api, admin }) =>
      (space: SpaceRecord, query = '', { token } = admin) =>
        api.call('GET', `/v1/spaces/${space._id}/change-requests${query}`, { token }),
  )
  .extend(
    'listAll',
    ({ api }) =>
      (of: OrganizationRecord, query: string, { token }: TestUser) =>
        api.call('GET', `/v1/orgs/${of._id}/change-requests${query}`, { token }),
  );

describe('GET /v1/spaces/{spaceId}/change-requests', () => {
  it('lists open change requests, last changed first, unless another status is given', async ({
    space,
    list,
  }) => {
    const [old, young] = [
      await buildChangeRequest(space, { status: 'open', createdAt: at(2), updatedAt: at(3) }),
      await buildChangeRequest(space, { status: 'open', createdAt: at(1), updatedAt: at(4) }),
    ];
    const others: Record<string, ChangeRequestRecord> = {};
    for (const status of ['draft', 'archived', 'merged'] as const)
      others[status] = await buildChangeRequest(space, { status });
    const open = await list(space);
    expect([open.body.count, idsOf(open)]).toEqual([2, [young._id, old._id]]);
    expect(idsOf(await list(space, '?orderBy=createdAt'))).toEqual([old._id, young._id]);
    for (const [status, { _id }] of Object.entries(others))
      expect(idsOf(await list(space, `?status=${status}`))).toEqual([_id]);
  });

  it('filters by creator, contributor and requested reviewer', async ({ admin, editor, space, list }) => {
    const mine = await buildChangeRequest(space, {
      status: 'open',
      createdBy: editor.user._id,
      updatedAt: at(1),
    });
    const commented = await buildChangeRequest(space, { status: 'open', updatedAt: at(1) });
    const replied = await buildChangeRequest(space, { status: 'open', updatedAt: at(1) });
    const asked = await buildChangeRequest(space, {
      status: 'open',
      updatedAt: at(1),
      requestedReviewers: [
        { user: editor.user._id, requestedBy: admin.user._id, revision: 'r', createdAt: at(1) },
      ],
    });
    await buildChangeRequest(space, { status: 'draft', createdBy: editor.user._id });
    await buildComment({ space, changeRequest: commented }, { postedBy: editor.user._id });
    const thread = { space, changeRequest: replied };
    await buildReply(thread, await buildComment(thread), { postedBy: editor.user._id });
    const user = editor.user._id;
    expect(idsOf(await list(space, `?creator=${user}`))).toEqual([mine._id]);
    expect(new Set(idsOf(await list(space, `?contributor=${user}`)))).toEqual(
      new Set([mine._id, commented._id, replied._id]),
    );
    expect(idsOf(await list(space, `?requestedReviewer=${user}`))).toEqual([asked._id]);
    expect(idsOf(await list(space, `?contributor=${user}&requestedReviewer=${user}`))).toEqual([]);
    expect((await list(space, `?contributor=nobody-there&limit=1`)).body).toEqual({ items: [], count: 0 });
  });

  it('returns pages without gaps, also where times are equal', async ({ space, list }) => {
    const all = [];
    for (let i = 0; i < 7; i += 1)
      all.push(await buildChangeRequest(space, { status: 'open', updatedAt: at(i % 2) }));
    const seen: string[] = [];
    let page: string | undefined;
    do {
      const { body } = await list(space, `?limit=2${page ? `&page=${page}` : ''}`);
      expect(body.count).toBe(7);
      seen.push(...idsOf({ body }));
      page = body.next?.page;
    } while (page);
    const expected = all.toSorted(
      (a, b) => b.updatedAt.getTime() - a.updatedAt.getTime() || (a._id < b._id ? 1 : -1),
    );
    expect(seen).toEqual(expected.map(({ _id }) => _id));
    expect((await list(space, '?limit=0')).body).toEqual({ items: [], count: 7 });
    const token = (await list(space, '?limit=2')).body.next.page;
    for (const query of [
      `?status=draft&page=${token}`,
      `?orderBy=createdAt&page=${token}`,
      `?page=${token}x`,
    ]) {
      expect([query, (await list(space, query)).status]).toEqual([query, 400]);
    }
  });

  it.for([
    'status=banana',
    'status=all',
    'status=open&status=draft',
    'status=',
    'orderBy=number',
    'limit=1001',
    'limit=-1',
    'contributor=',
  ])('refuses %s', async (query, { organization, list }) => {
    expect((await list(await buildSpace(organization), `?${query}`)).status).toBe(400);
  });
});

describe('GET /v1/orgs/{organizationId}/change-requests', () => {
  it('lists the change requests of the spaces that the caller can view only', async ({ listAll }) => {
    const { organization: own, admin: owner } = await buildOrganization();
    const [open, closed, gone] = [
      await buildSpace(own),
      await buildSpace(own, { defaultLevel: null }),
      await buildSpace(own),
    ];
    const all = [];
    for (const [index, space] of [open, closed, gone].entries()) {
      all.push((await buildChangeRequest(space, { status: 'open', updatedAt: at(index) }))._id);
    }
    await changeSpace(gone, { deletedAt: new Date() });
    const elsewhere = await buildOrganization();
    await buildChangeRequest(await buildSpace(elsewhere.organization), { status: 'open' });

    const member = await buildMember(own, 'read');
    const guest = await buildMember(own, null);
    expect(idsOf(await listAll(own, '', owner))).toEqual([all[1], all[0]]);
    expect((await listAll(own, '', member)).body).toMatchObject({
      count: 1,
      items: [{ id: all[0], space: open._id, outdated: false }],
    });
    expect((await listAll(own, '', guest)).body).toEqual({ items: [], count: 0 });
    await buildGrant({ space: closed }, guest, 'read');
    expect(idsOf(await listAll(own, '', guest))).toEqual([all[1]]);
    expect((await listAll(own, '', elsewhere.admin)).status).toBe(404);
  });

  it('accepts several statuses, and the filters of the list of a space', async ({ listAll }) => {
    const { organization: own, admin: owner } = await buildOrganization();
    const [one, two] = [await buildSpace(own), await buildSpace(own)];
    const open = await buildChangeRequest(one, {
      status: 'open',
      updatedAt: at(3),
      createdAt: at(1),
      createdBy: owner.user._id,
    });
    const draft = await buildChangeRequest(two, { updatedAt: at(2), createdAt: at(2) });
    await buildChangeRequest(two, { status: 'merged' });
    expect(idsOf(await listAll(own, '', owner))).toEqual([open._id]);
    for (const query of ['?status=open&status=draft', '?status[]=open&status[]=draft'])
      expect(idsOf(await listAll(own, query, owner))).toEqual([open._id, draft._id]);
    expect(idsOf(await listAll(own, '?status=open&status=draft&orderBy=createdAt', owner))).toEqual([
      draft._id,
      open._id,
    ]);
    expect(idsOf(await listAll(own, `?status=open&status=draft&space=${two._id}`, owner))).toEqual([
      draft._id,
    ]);
    expect(idsOf(await listAll(own, `?creator=${owner.user._id}`, owner))).toEqual([open._id]);
    expect(idsOf(await listAll(own, `?contributor=nobody&status=draft`, owner))).toEqual([draft._id]);
    expect((await listAll(own, `?space=${one._id}&space=${two._id}`, owner)).status).toBe(400);
    expect((await listAll(own, '?status=banana', owner)).status).toBe(400);
  });

  it('lists nothing for a closed space that is given as a filter', async ({ listAll }) => {
    const { organization: own } = await buildOrganization();
    const closed = await buildSpace(own, { defaultLevel: null });
    await buildChangeRequest(closed, { status: 'open' });
    expect((await listAll(own, `?space=${closed._id}`, await buildMember(own, 'create'))).body).toEqual({
      items: [],
      count: 0,
    });
  });
});

describe('every list of change requests', () => {
  const people = { createdBy: 'u', 'contributors.user': 'u', 'requestedReviewers.user': 'u' };
  const filters = [{}, ...Object.entries(people).map(([name, value]) => ({ [name]: value }))];
  const places: object[] = [
    { space: 's', status: 'open' },
    { organization: 'o', status: { $in: ['open', 'draft'] }, $and: [{ space: { $nin: ['x'] } }] },
  ];
  const cases = places.flatMap((place) =>
    filters.flatMap((filter) => ['updatedAt', 'createdAt'].map((order) => ({ place, filter, order }))),
  );

  it.for(cases)('walks an index: %j', async ({ place, filter, order }, { api: _started }) => {
    const plan = JSON.stringify(
      await ChangeRequest.find({ ...place, ...filter })
        .sort({ [order]: -1, _id: -1 })
        .limit(51)
        .explain('queryPlanner'),
    );
    const winning = plan.slice(plan.indexOf('"winningPlan"'), plan.indexOf('"rejectedPlans"'));
    expect(winning).toContain('IXSCAN');
    expect(winning).not.toMatch(/"stage":"(SORT|COLLSCAN)"/);
  });
});

describe('GET .../contributors', () => {
  it('lists its creator, editors and commenters with their counts, the latest first', async ({
    api,
    organization,
    admin,
    editor,
    space,
  }) => {
    const commenter = await buildMember(organization, 'comment');
    const created = await api.call('POST', `/v1/spaces/${space._id}/change-requests`, {
      token: editor.token,
      json: {},
    });
    const path = `/v1/spaces/${space._id}/change-requests/${created.body.id}`;
    const list = (query = '') => api.call('GET', `${path}/contributors${query}`, { token: commenter.token });
    expect((await list()).body).toMatchObject({
      count: 1,
      items: [
        { user: { id: editor.user._id }, count: 1, actionType: 'edit', updatedAt: created.body.createdAt },
      ],
    });
    const comment = await api.call('POST', `${path}/comments`, {
      token: commenter.token,
      json: { body: { markdown: 'a' } },
    });
    await api.call('POST', `${path}/comments/${comment.body.id}/replies`, {
      token: commenter.token,
      json: { body: { markdown: 'b' } },
    });
    await api.call('POST', `${path}/comments/${comment.body.id}/replies`, {
      token: editor.token,
      json: { body: { markdown: 'c' } },
    });
    // A reaction contributes nothing; and what was contributed stays when the comment goes.
    await api.call('PUT', `${path}/comments/${comment.body.id}`, {
      token: admin.token,
      json: { addedReactions: ['👍'] },
    });
    await api.call('DELETE', `${path}/comments/${comment.body.id}`, { token: admin.token });
    const { body } = await list();
    expect(
      body.items.map((one: { user: { id: string }; count: number; actionType: string }) => [
        one.user.id,
        one.actionType,
        one.count,
      ]),
    ).toEqual([
      [editor.user._id, 'comment', 1],
      [commenter.user._id, 'comment', 2],
      [editor.user._id, 'edit', 1],
    ]);
    const first = await list('?limit=2');
    const second = await list(`?limit=2&page=${first.body.next.page}`);
    expect([...first.body.items, ...second.body.items]).toEqual(body.items);
    expect(second.body).not.toHaveProperty('next');
  });
});
