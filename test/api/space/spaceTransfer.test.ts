import {
  ChangeRequest,
  Comment,
  ContentNode,
  GitRepository,
  Grant,
  Invite,
  mongoDatabase,
  PageDocument,
  Revision,
  Space,
  spaceRecordsOfOrganization,
  type OrganizationRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import {
  buildChangeRequest,
  buildCollection,
  buildComment,
  buildFile,
  buildGrant,
  buildInvite,
  buildJob,
  buildMember,
  buildMembership,
  buildOrganization,
  buildRevision,
  buildSite,
  buildSiteSpace,
  buildSpace,
  buildTeam,
  type TestUser,
} from '../../support/factories.ts';
import { itInNewOrganization as base } from '../../support/it.ts';

/** A space is transferred `from` one organization `to` another, whose admin is `admin`. */
const it = base
  .extend('home', ({ api: _started }) => buildOrganization({ defaultRole: 'comment' }))
  .extend('to', ({ organization }) => organization)
  .extend('origin', ({ api: _started }) => buildOrganization())
  .extend('from', ({ origin }) => origin.organization)
  /** Admin of the first, and may create in the second. */
  .extend('mover', async ({ origin, to }) => {
    await buildMembership(to, origin.admin, 'create');
    return origin.admin;
  })
  .extend(
    'transfer',
    ({ api, mover }) =>
      ({ _id }: { _id: string }, organization: unknown, { token } = mover) =>
        api.call('POST', `/v1/spaces/${_id}/transfer`, { token, json: { organization } }),
  )
  .extend(
    'get',
    ({ api, admin }) =>
      async (path: string, { token } = admin) =>
        api.call('GET', `/v1${path}`, { token }),
  );

describe('POST /v1/spaces/{spaceId}/transfer', () => {
  it('moves the space while jobs hold the same seat in both organizations', async ({
    from,
    to,
    transfer,
  }) => {
    const space = await buildSpace(from);
    for (const one of [space, await buildSpace(to)])
      await buildJob(one, { state: 'running', seats: ['queue:git:0'] });
    expect((await transfer(space, to._id)).status).toBe(200);
  });

  it('moves the space to the root of the other organization', async ({ from, to, mover, transfer, get }) => {
    const parent = await buildCollection(from);
    const last = await buildSpace(to);
    const space = await buildSpace(from, { title: 'Moved', parent: parent._id });
    const { status, body } = await transfer(space, to._id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: space._id,
      title: 'Moved',
      organization: to._id,
      visibility: 'private',
      defaultLevel: 'comment',
    });
    expect(body.permissions).toMatchObject({ triggerGitSync: true, admin: false });
    expect(body).not.toHaveProperty('parent');
    const { position, ...record } = (await Space.findById(space._id).lean()) ?? { position: '' };
    expect(record).toMatchObject({ ancestors: [], siblingsOf: to._id });
    expect(position > last.position).toBe(true);
    expect((await get(`/orgs/${to._id}/spaces`)).body.count).toBe(2);
    expect((await get(`/orgs/${from._id}/spaces`, mover)).body.count).toBe(0);
    const stranger = await buildMember(from, 'create');
    expect((await get(`/spaces/${space._id}`, stranger)).status).toBe(404);
  });

  it('takes the content along: all revisions, documents and files are read there', async ({
    api,
    admin,
    from,
    to,
    mover,
    transfer,
    get,
  }) => {
    const space = await buildSpace(from);
    const file = await buildFile(api.blobs, from._id, { name: 'a.txt', bytes: `bytes ${newId()}` });
    const marker = newId();
    const old = await buildRevision(space, {
      pages: [{ id: 'p', path: 'p', source: `# Old ${marker}` }],
      files: [file],
    });
    const pages = [
      {
        id: 'p',
        path: 'p',
        source: `# New ${marker}`,
        pages: [{ id: 'q', path: 'p/q', source: `# Deep ${marker}` }],
      },
    ];
    const now = await buildRevision(space, {
      pages,
      files: [file],
      reusableContents: [{ id: 'r', title: 'R', document: 'd'.repeat(64) }],
    });
    const draft = await buildRevision(space, {
      pages: [{ id: 'x', path: 'x', source: `# Draft ${marker}` }],
      publish: false,
    });
    const markdownOf = async (path: string, reader: TestUser) =>
      (await get(`/spaces/${space._id}${path}`, reader)).body.markdown;
    const texts = async (reader: TestUser) => [
      await markdownOf('/content/page/p', reader),
      await markdownOf('/content/page/q', reader),
      await markdownOf(`/revisions/${old._id}/page/p`, reader),
      await markdownOf(`/revisions/${now._id}/page/q`, reader),
      await markdownOf(`/revisions/${draft._id}/page/x`, reader),
    ];
    const before = await texts(mover);
    expect(before[1]).toBe(`# Deep ${marker}`);
    const [{ downloadURL: earlier }] = (await get(`/spaces/${space._id}/content/files`, mover)).body.items;
    expect((await transfer(space, to._id)).status).toBe(200);
    // Nothing of the other organization may be needed any more.
    await ContentNode.deleteMany({ _id: { $regex: `^${from._id}:` } });
    await PageDocument.deleteMany({ _id: { $regex: `^${from._id}:` } });
    await mongoDatabase()
      .collection('blobs.files')
      .deleteMany({ filename: { $regex: `^${from._id}:` } });
    expect(await texts(admin)).toEqual(before);
    // The URL of a file from before the transfer still works.
    expect((await api.call('GET', earlier)).text).toMatch(/^bytes /);
    const { items } = (await get(`/spaces/${space._id}/content/files`)).body;
    expect((await api.call('GET', items[0].downloadURL)).text).toMatch(/^bytes /);
    expect(items[0].downloadURL).toContain(`/${to._id}/`);
    expect(await Revision.distinct('organization', { space: space._id })).toEqual([to._id]);
  });

  it('moves the records of the space, and drops records that only the former organization needs', async ({
    from,
    to,
    mover,
    transfer,
    get,
  }) => {
    const space = await buildSpace(from);
    await buildRevision(space, { pages: [{ id: 'p', path: 'p', source: '# P' }] });
    const changeRequest = await buildChangeRequest(space, { status: 'open' });
    await buildComment({ space }, { postedBy: mover.user._id });
    await GitRepository.create({ _id: newId(), space: space._id, commit: 'c', updatedAt: new Date() });
    await buildInvite(from, { target: { type: 'space', id: space._id } });
    await transfer(space, to._id);
    expect((await get(`/spaces/${space._id}/change-requests/${changeRequest.number}`)).body.subject).toBe(
      'Change',
    );
    expect((await get(`/spaces/${space._id}/comments`)).body.count).toBe(1);
    for (const model of spaceRecordsOfOrganization) {
      const organizations = await model.distinct('organization', { space: space._id });
      expect([model.modelName, organizations.filter((id) => id !== to._id)]).toEqual([model.modelName, []]);
    }
    expect(await ChangeRequest.countDocuments({ organization: to._id })).toBe(1);
    expect(await Comment.countDocuments({ space: space._id })).toBe(1);
    expect(await GitRepository.countDocuments({ space: space._id })).toBe(0);
    expect(await Invite.countDocuments({ organization: from._id })).toBe(0);
  });

  it('shows its jobs in the other organization only', async ({ admin, from, to, mover, transfer, get }) => {
    const space = await buildSpace(from, { defaultLevel: null });
    const { _id: job } = await buildJob(space, { state: 'succeeded' });
    const ofRequest = await buildJob(space, {
      state: 'failed',
      subject: { type: 'change-request', id: 'cr' },
      space: space._id,
    });
    await transfer(space, to._id);
    const list = async (organization: OrganizationRecord, user: TestUser) =>
      (await get(`/orgs/${organization._id}/jobs`, user)).body.items
        .map(({ id }: { id: string }) => id)
        .toSorted();
    expect(await list(from, mover)).toEqual([]);
    expect(await list(to, admin)).toEqual([job, ofRequest._id].toSorted());
    expect((await get(`/jobs/${job}`)).status).toBe(200);
    expect((await get(`/jobs/${job}`, await buildMember(from, 'admin'))).status).toBe(404);
  });

  it('keeps the grants of members of the other organization, and drops the rest', async ({
    from,
    to,
    transfer,
    get,
  }) => {
    const space = await buildSpace(from, { defaultLevel: null });
    const [inBoth, onlyHere] = [await buildMember(from, 'read'), await buildMember(from, 'read')];
    await buildMembership(to, inBoth, null);
    const team = await buildTeam(from, { members: [[inBoth, 'member']] });
    await buildGrant({ space }, inBoth, 'edit');
    await buildGrant({ space }, onlyHere, 'edit');
    await buildGrant({ space }, team, 'admin');
    await transfer(space, to._id);
    expect((await get(`/spaces/${space._id}`, inBoth)).body.permissions).toMatchObject({
      edit: true,
      admin: false,
    });
    expect((await get(`/spaces/${space._id}`, onlyHere)).status).toBe(404);
    expect(await Grant.find({ target: space._id }).lean()).toMatchObject([
      { organization: to._id, principal: inBoth.user._id, role: 'edit' },
    ]);
  });

  it('answers 409 within the same organization, and 404 where the caller may not create', async ({
    from,
    mover,
    transfer,
  }) => {
    const space = await buildSpace(from);
    expect((await transfer(space, from._id)).status).toBe(409);
    expect((await transfer(space, 'nothing')).status).toBe(404);
    const strangers = (await buildOrganization()).organization;
    expect((await transfer(space, strangers._id)).status).toBe(404);
    for (const role of ['review', 'read', null] as const) {
      const { organization } = await buildOrganization();
      await buildMembership(organization, mover, role);
      expect((await transfer(space, organization._id)).status).toBe(404);
    }
    const { organization } = await buildOrganization();
    await buildMembership(organization, mover, 'admin');
    expect((await transfer(space, organization._id)).body.permissions.admin).toBe(true);
  });

  it.for([undefined, null, 7, '', {}].map((organization) => [organization]))(
    'refuses the organization %j',
    async ([organization], { from, transfer }) => {
      const { status, body } = await transfer(await buildSpace(from), organization);
      expect([status, body.error.details[0].path]).toEqual([400, 'body.organization']);
    },
  );

  it('needs an admin of the space', async ({ admin, from, to, transfer }) => {
    const space = await buildSpace(from);
    const creator = await buildMember(from, 'create');
    await buildMembership(to, creator, 'admin');
    expect((await transfer(space, to._id, creator)).status).toBe(403);
    expect((await transfer(space, to._id, admin)).status).toBe(404);
    await buildGrant({ space }, creator, 'admin');
    expect((await transfer(space, to._id, creator)).status).toBe(200);
  });

  it('answers 412 while the space is on a site', async ({ api, from, to, mover, transfer, get }) => {
    const space = await buildSpace(from);
    const siteSpace = await buildSiteSpace(await buildSite(from), { space });
    const { status, body } = await transfer(space, to._id);
    expect([status, body.error.type]).toEqual([412, 'precondition_failed']);
    expect((await get(`/spaces/${space._id}`, mover)).body.organization).toBe(from._id);
    const removed = await api.call(
      'DELETE',
      `/v1/orgs/${from._id}/sites/${siteSpace.site}/site-spaces/${siteSpace._id}`,
      {
        token: mover.token,
      },
    );
    expect(removed.status).toBe(204);
    expect((await transfer(space, to._id)).status).toBe(200);
  });

  it('loses no revision that is written during the transfer', async ({ from, to, transfer, get }) => {
    const space = await buildSpace(from);
    const writes = Array.from({ length: 20 }, (_, i) =>
      buildRevision(space, { pages: [{ id: `p${i}`, path: `p${i}`, source: `# ${i}` }] }),
    );
    const [{ status }] = await Promise.all([transfer(space, to._id), ...writes]);
    expect([200, 409]).toContain(status);
    if (status === 409) expect((await transfer(space, to._id)).status).toBe(200);
    for (const { _id } of await Revision.find({ space: space._id }).lean()) {
      const { body } = await get(`/spaces/${space._id}/revisions/${_id}/pages`);
      const [page] = body.pages;
      expect((await get(`/spaces/${space._id}/revisions/${_id}/page/${page.id}`)).status).toBe(200);
    }
  });

  it('moves the space to one of two organizations when both are requested at once', async ({
    from,
    to,
    mover,
    transfer,
  }) => {
    const other = (await buildOrganization()).organization;
    await buildMembership(other, mover, 'create');
    const space = await buildSpace(from);
    const answers = await Promise.all([
      transfer(space, to._id),
      transfer(space, other._id),
      transfer(space, to._id),
    ]);
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    expect((await Space.findById(space._id).lean())?.organization).toBe(done[0]?.body.organization);
  });
});
