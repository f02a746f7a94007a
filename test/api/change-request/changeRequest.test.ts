import { ChangeRequest, Space, type ChangeRequestRecord, type SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { changeRequestRoutes } from '../../../apps/api/src/resources/change-request/changeRequest.routes.ts';
import {
  buildChangeRequest,
  buildComment,
  buildMember,
  buildOrganization,
  buildRevision,
  buildSite,
  buildSpace,
} from '../../support/factories.ts';
import { startHttpApp } from '../../support/http/httpApp.ts';
import { it as base } from '../../support/it.ts';

const pathOf = (of: SpaceRecord, changeRequest?: { _id: string } | string | number) =>
  `/v1/spaces/${of._id}/change-requests${changeRequest === undefined ? '' : `/${typeof changeRequest === 'object' ? changeRequest._id : changeRequest}`}`;

const it = base
  .extend(
    'create',
    ({ api, editor, space }) =>
      (json?: unknown, { token = editor.token, of = space } = {}) =>
        api.call('POST', pathOf(of), { token, ...(json !== undefined && { json }) }),
  )
  .extend(
    'get',
    ({ api, reader, space }) =>
      (changeRequest: { _id: string } | string | number, { token = reader.token, of = space } = {}) =>
        api.call('GET', pathOf(of, changeRequest), { token }),
  )
  .extend(
    'patch',
    ({ api, editor, space }) =>
      (
        changeRequest: ChangeRequestRecord,
        json?: unknown,
        { token = editor.token, headers = {}, of = space } = {},
      ) =>
        api.call('PATCH', pathOf(of, changeRequest), { token, headers, ...(json !== undefined && { json }) }),
  )
  .extend('countsOf', ({ api, admin }) => async (of: SpaceRecord) => {
    const { body } = await api.call('GET', `/v1/spaces/${of._id}`, { token: admin.token });
    return [body.changeRequests, body.changeRequestsDraft, body.changeRequestsOpen];
  });

describe('POST /v1/spaces/{spaceId}/change-requests', () => {
  it('creates a draft from the main content with the next number, and counts it in the space', async ({
    organization,
    editor,
    create,
    countsOf,
  }) => {
    const own = await buildSpace(organization);
    const first = await create({ subject: 'Better words' }, { of: own });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      object: 'change-request',
      number: 1,
      status: 'draft',
      subject: 'Better words',
      createdBy: { object: 'user', id: editor.user._id, displayName: 'edit', email: editor.user.email },
      space: own._id,
      revision: own.revision,
      revisionInitial: own.revision,
      comments: 0,
      outdated: false,
      urls: {
        location: `http://api.test${pathOf(own)}/${first.body.id}`,
        app: expect.stringContaining(`/s/${own._id}/~/changes/1`),
      },
    });
    expect(first.body.createdAt).toBe(first.body.updatedAt);
    for (const absent of ['revisionMerged', 'revisionMergedAncestor', 'agentTaskId'])
      expect(first.body).not.toHaveProperty(absent);
    expect((await create({}, { of: own })).body).toMatchObject({ number: 2, subject: '' });
    expect(await countsOf(own)).toEqual([2, 2, 0]);
  });

  it('accepts an empty body, stores agentTaskId, and ignores other fields', async ({ create }) => {
    expect((await create()).body).toMatchObject({ subject: '', status: 'draft' });
    const { body } = await create({
      agentTaskId: 'task1',
      unknown: { a: 1 },
      status: 'merged',
      number: 7,
      id: 'x',
    });
    expect(body).toMatchObject({ status: 'draft' });
    expect(body.id).not.toBe('x');
    expect(await ChangeRequest.findById(body.id).lean()).toMatchObject({ agentTaskId: 'task1' });
  });

  it('takes a subject of 100 characters', async ({ create }) => {
    expect((await create({ subject: '😀'.repeat(100) })).status).toBe(201);
  });

  it.for([
    { subject: 'a'.repeat(101) },
    { subject: null },
    { subject: 5 },
    { subject: 'a\0' },
    { agentTaskId: '' },
    { agentTaskId: 5 },
    [],
  ])('refuses %j and creates nothing', async (json, { space, create }) => {
    const before = await ChangeRequest.countDocuments({ space: space._id });
    expect((await create(json)).status).toBe(400);
    expect(await ChangeRequest.countDocuments({ space: space._id })).toBe(before);
  });

  it('needs the permission space.edit', async ({ organization, create }) => {
    const commenter = await buildMember(organization, 'comment');
    const answer = await create({}, { token: commenter.token });
    expect([answer.status, answer.body.error.message]).toEqual([403, expect.stringContaining('space.edit')]);
  });

  it('works in a locked space', async ({ organization, create }) => {
    const locked = await buildSpace(organization, { editMode: 'locked' });
    expect((await create({}, { of: locked })).status).toBe(201);
  });

  it('numbers 200 concurrent change requests from 1 to 200', async ({ organization, create, countsOf }) => {
    const own = await buildSpace(organization);
    const answers = await Promise.all(Array.from({ length: 200 }, () => create({}, { of: own })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(answers.map(({ body }) => body.number).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 200 }, (_, i) => i + 1),
    );
    expect(await countsOf(own)).toEqual([200, 200, 0]);
    expect((await create({}, { of: own })).body.number).toBe(201);
  });
});

describe('GET /v1/spaces/{spaceId}/change-requests/{changeRequestId}', () => {
  it('finds it by id and by number', async ({ editor, space, get }) => {
    const changeRequest = await buildChangeRequest(space, { createdBy: editor.user._id });
    const byId = await get(changeRequest);
    expect(byId.body).toMatchObject({ id: changeRequest._id, number: changeRequest.number });
    expect((await get(changeRequest.number)).body).toEqual(byId.body);
  });

  it.for(['nothing', '0', '999999', '01', '1.0', '1e0', '-1', '9'.repeat(40), '%00', '[$ne]'])(
    'answers 404 for %s',
    async (id, { get }) => {
      expect((await get(id)).status).toBe(404);
    },
  );

  it('answers 404 for the id or number of a change request of another space', async ({
    organization,
    space,
    get,
  }) => {
    const other = await buildSpace(organization);
    const changeRequest = await buildChangeRequest(space);
    expect((await get(changeRequest, { of: other })).status).toBe(404);
    expect((await get(1, { of: other })).status).toBe(404);
    await buildChangeRequest(other);
    expect((await get(1, { of: other })).body).toMatchObject({ space: other._id });
  });

  it('answers 404 to callers who cannot view the space, and when the space is deleted', async ({
    organization,
    admin,
    get,
  }) => {
    const closed = await buildSpace(organization, { defaultLevel: null });
    const changeRequest = await buildChangeRequest(closed);
    expect((await get(changeRequest, { of: closed })).status).toBe(404);
    expect((await get(changeRequest, { of: closed, token: admin.token })).status).toBe(200);
    const { admin: stranger } = await buildOrganization();
    expect((await get(changeRequest, { of: closed, token: stranger.token })).status).toBe(404);
    await Space.updateOne({ _id: closed._id }, { $set: { isDeleted: true, deletedAt: new Date() } });
    expect((await get(changeRequest, { of: closed, token: admin.token })).status).toBe(404);
  });

  it('reports a change request as outdated when the main content has moved on', async ({
    organization,
    get,
  }) => {
    const own = await buildSpace(organization);
    const changeRequest = await buildChangeRequest(own);
    expect((await get(changeRequest, { of: own })).body.outdated).toBe(false);
    const { _id: revision } = await buildRevision(own);
    expect((await get(changeRequest, { of: own })).body.outdated).toBe(true);
    await ChangeRequest.updateOne(
      { _id: changeRequest._id },
      { $set: { revisionMergedAncestor: revision, revisionMerged: 'r' } },
    );
    expect((await get(changeRequest, { of: own })).body).toMatchObject({
      outdated: false,
      revisionMergedAncestor: revision,
      revisionMerged: 'r',
    });
  });

  it('names a deleted creator by id only', async ({ space, get }) => {
    const changeRequest = await buildChangeRequest(space, { createdBy: 'gone' });
    expect((await get(changeRequest)).body.createdBy).toMatchObject({
      id: 'gone',
      displayName: 'Unknown user',
    });
  });
});

describe('the visitor of a site', () => {
  it('cannot read or change any change request, even of a space of the site', async ({
    organization,
    editor,
    space,
  }) => {
    const [proposed, elsewhere] = [
      await buildChangeRequest(space, { createdBy: editor.user._id }),
      await buildChangeRequest(await buildSpace(organization)),
    ];
    const site = await buildSite(organization, { spaces: [space] });
    const visitor = {
      organization: organization._id,
      site: site._id,
      claims: {},
      isAnybody: true,
      isPreview: false,
      isAdmitted: true,
    };
    const app = await startHttpApp(changeRequestRoutes, {
      services: { authenticate: async (token) => (token === 'visitor' ? { visitor } : undefined) },
    });
    const read = (path: string) => app.call('GET', path, { token: 'visitor' });
    for (const path of [
      pathOf(space, proposed),
      pathOf(space, proposed.number),
      `/v1/spaces/${elsewhere.space}/change-requests/${elsewhere._id}`,
    ])
      expect((await read(path)).status).toBe(404);
    for (const path of [
      pathOf(space),
      `${pathOf(space, proposed)}/contributors`,
      `/v1/orgs/${organization._id}/change-requests`,
    ])
      expect((await read(path)).status).toBe(403);
    expect(
      (await app.call('PATCH', pathOf(space, proposed), { token: 'visitor', json: { subject: 'x' } })).status,
    ).toBe(403);
  });
});

describe('PATCH /v1/spaces/{spaceId}/change-requests/{changeRequestId}', () => {
  it('changes the subject and the status, each alone, and updates updatedAt', async ({
    space,
    get,
    patch,
  }) => {
    const changeRequest = await buildChangeRequest(space, { updatedAt: new Date('2026-01-01T00:00:00Z') });
    const renamed = await patch(changeRequest, { subject: 'New' });
    expect([renamed.status, renamed.body.subject, renamed.body.status]).toEqual([200, 'New', 'draft']);
    expect(renamed.body.updatedAt > '2026-01-01T00:00:00.000Z').toBe(true);
    expect((await patch(changeRequest, { status: 'open' })).body).toMatchObject({
      subject: 'New',
      status: 'open',
    });
    expect((await patch(changeRequest, { subject: '' })).body).toMatchObject({ subject: '', status: 'open' });
    expect((await get(changeRequest)).body).toMatchObject({ subject: '', status: 'open' });
  });

  it('keeps the counters of the space correct for each change of status', async ({
    organization,
    patch,
    countsOf,
  }) => {
    const own = await buildSpace(organization);
    const changeRequest = await buildChangeRequest(own);
    const seen = [await countsOf(own)];
    for (const status of ['open', 'archived', 'draft', 'draft', 'archived', 'open', 'draft']) {
      await patch(changeRequest, { status }, { of: own });
      seen.push(await countsOf(own));
    }
    expect(seen).toEqual([
      [1, 1, 0],
      [1, 0, 1],
      [1, 0, 0],
      [1, 1, 0],
      [1, 1, 0],
      [1, 0, 0],
      [1, 0, 1],
      [1, 1, 0],
    ]);
  });

  it('keeps the counters of the space correct when many change the status at once', async ({
    organization,
    patch,
    countsOf,
  }) => {
    const own = await buildSpace(organization);
    const all = await Promise.all([
      buildChangeRequest(own),
      buildChangeRequest(own),
      buildChangeRequest(own),
    ]);
    const statuses = ['open', 'archived', 'draft'] as const;
    await Promise.all(
      all.flatMap((one) =>
        Array.from({ length: 20 }, (_, i) => patch(one, { status: statuses[i % 3] }, { of: own })),
      ),
    );
    const now = await ChangeRequest.find({ space: own._id }).lean();
    const inStatus = (status: string) => now.filter((one) => one.status === status).length;
    expect(await countsOf(own)).toEqual([3, inStatus('draft'), inStatus('open')]);
  });

  it('changes nothing when no field gets another value', async ({ space, get, patch }) => {
    const changeRequest = await buildChangeRequest(space, { subject: 'Same' });
    const before = (await get(changeRequest)).body;
    for (const json of [
      undefined,
      {},
      { subject: 'Same' },
      { status: 'draft' },
      { number: 9, space: 'x', createdBy: 'y', revision: 'z' },
    ])
      expect((await patch(changeRequest, json)).body).toEqual(before);
    expect(await ChangeRequest.findById(changeRequest._id).lean()).toMatchObject({ version: 1 });
  });

  it.for([
    { status: 'merged' },
    { status: 'banana' },
    { status: null },
    { subject: 'a'.repeat(101) },
    { subject: null },
    { subject: 'fine', status: 'merged' },
    [],
  ])('refuses %j and changes nothing', async (json, { space, get, patch, countsOf }) => {
    const changeRequest = await buildChangeRequest(space, { subject: 'Before' });
    const counts = await countsOf(space);
    expect((await patch(changeRequest, json)).status).toBe(400);
    expect((await get(changeRequest)).body).toMatchObject({ subject: 'Before', status: 'draft' });
    expect(await countsOf(space)).toEqual(counts);
  });

  it('changes the subject of a merged change request, but not its status', async ({
    space,
    patch,
    countsOf,
  }) => {
    const changeRequest = await buildChangeRequest(space, { status: 'merged' });
    const counts = await countsOf(space);
    for (const status of ['draft', 'open', 'archived'])
      expect((await patch(changeRequest, { status, subject: 'No' })).status).toBe(409);
    expect((await patch(changeRequest, { subject: 'Later' })).body).toMatchObject({
      status: 'merged',
      subject: 'Later',
    });
    expect(await countsOf(space)).toEqual(counts);
  });

  it('needs the permission space.edit', async ({ organization, space, get, patch }) => {
    const changeRequest = await buildChangeRequest(space);
    const commenter = await buildMember(organization, 'comment');
    expect((await patch(changeRequest, { subject: 'x' }, { token: commenter.token })).status).toBe(403);
    expect((await get(changeRequest)).body.subject).toBe('Change');
  });

  it('honours If-Match', async ({ space, get, patch }) => {
    const changeRequest = await buildChangeRequest(space);
    const tag = (await get(changeRequest)).headers.get('etag') ?? '';
    // A comment is no change of its own fields.
    await buildComment({ space, changeRequest });
    const changed = await patch(changeRequest, { subject: 'Mine' }, { headers: { 'if-match': tag } });
    expect(changed.status).toBe(200);
    expect((await patch(changeRequest, { subject: 'Late' }, { headers: { 'if-match': tag } })).status).toBe(
      412,
    );
    expect(
      (
        await patch(
          changeRequest,
          { subject: 'Next' },
          { headers: { 'if-match': changed.headers.get('etag') ?? '' } },
        )
      ).status,
    ).toBe(200);
  });
});
