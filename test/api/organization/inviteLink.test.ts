import { Invite, type InviteRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildCollection,
  buildInvite,
  buildMember,
  buildOrganization,
  buildSpace,
  changeSpace,
  type TestUser,
} from '../../support/factories.ts';
import { itInNewOrganization as base } from '../../support/it.ts';

const it = base
  .extend(
    'path',
    ({ organization }) =>
      (id = '') =>
        `/v1/orgs/${organization._id}/link-invites${id && `/${id}`}`,
  )
  .extend(
    'create',
    ({ api, admin, path }) =>
      (json: unknown, { token } = admin) =>
        api.call('POST', path(), { token, json }),
  )
  .extend(
    'get',
    ({ api, admin, path }) =>
      ({ _id }: Pick<InviteRecord, '_id'>, { token } = admin) =>
        api.call('GET', path(_id), { token }),
  )
  .extend(
    'patch',
    ({ api, admin, path }) =>
      ({ _id }: InviteRecord, json: unknown, { token } = admin, headers = {}) =>
        api.call('PATCH', path(_id), { token, json, headers }),
  )
  .extend(
    'revoke',
    ({ api, admin, path }) =>
      ({ _id }: Pick<InviteRecord, '_id'>, { token } = admin) =>
        api.call('DELETE', path(_id), { token }),
  )
  .extend(
    'list',
    ({ api, admin, path }) =>
      (query = '', { token } = admin) =>
        api.call('GET', path() + query, { token }),
  );

describe('POST /v1/orgs/{organizationId}/link-invites', () => {
  it('makes a link into the organization, for a role or a guest', async ({ create, get }) => {
    for (const role of ['edit', null]) {
      const { status, body } = await create({ role });
      expect(status).toBe(201);
      // An admin has everything that a link can give.
      expect(body).toEqual({
        object: 'invite',
        id: expect.stringMatching(/^\w{20}$/),
        role,
        redundant: true,
      });
      expect((await get({ _id: body.id })).body).toEqual(body);
    }
  });

  it('makes a link to a space or a collection', async ({ organization, create }) => {
    const [space, collection] = [
      await buildSpace(organization, { title: 'Guide' }),
      await buildCollection(organization, { title: 'Shelf' }),
    ];
    const first = await create({ level: 'comment', space: space._id });
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      object: 'invite',
      id: expect.any(String),
      level: 'comment',
      redundant: true,
      space: expect.objectContaining({ object: 'space', id: space._id, title: 'Guide' }),
    });
    const second = await create({ level: null, collection: collection._id });
    expect(second.body).toMatchObject({
      level: null,
      collection: { object: 'collection', id: collection._id, title: 'Shelf' },
    });
    expect(second.body).not.toHaveProperty('role');
  });

  it('refuses a body without exactly one valid target and role, and creates nothing', async ({
    organization,
    create,
  }) => {
    const space = await buildSpace(organization);
    const collection = await buildCollection(organization);
    const theirs = await buildSpace((await buildOrganization()).organization);
    const deleted = await changeSpace(await buildSpace(organization), { deletedAt: new Date() });
    for (const json of [
      undefined,
      {},
      { role: 'owner' },
      { role: 5 },
      { level: 'read' },
      { space: space._id },
      { level: 'king', space: space._id },
      { level: 'read', space: 'nothing' },
      { level: 'read', space: theirs._id },
      { level: 'read', space: deleted._id },
      { level: 'read', collection: space._id },
      { level: 'read', space: collection._id },
      { level: 'read', space: space._id, collection: collection._id },
      // Whoever means the space must not give out the organization.
      { role: 'admin', level: 'read', space: space._id },
      { role: 'admin', space: space._id },
    ])
      expect((await create(json)).status, JSON.stringify(json)).toBe(400);
    expect(await Invite.countDocuments({ organization: organization._id })).toBe(0);
  });

  it('is for admins', async ({ organization, create }) => {
    for (const role of ['create', null] as const)
      expect((await create({ role: 'read' }, await buildMember(organization, role))).status).toBe(403);
    expect((await create({ role: 'read' }, (await buildOrganization()).admin)).status).toBe(404);
  });
});

describe('GET /v1/orgs/{organizationId}/link-invites', () => {
  it('lists all links of the organization with their targets, newest first', async ({
    organization,
    list,
  }) => {
    const [space, collection] = [await buildSpace(organization), await buildCollection(organization)];
    const invites = [
      await buildInvite(organization, { role: 'create' }),
      await buildInvite(organization, { role: 'edit', target: { type: 'space', id: space._id } }),
      await buildInvite(organization, { role: 'read', target: { type: 'collection', id: collection._id } }),
      await buildInvite(organization, { role: 'read', target: { type: 'space', id: 'gone' } }),
    ];
    await buildInvite((await buildOrganization()).organization);
    for (const [minute, { _id }] of invites.entries())
      await Invite.updateOne({ _id }, { $set: { createdAt: new Date(Date.UTC(2026, 0, 1, 0, minute)) } });
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toEqual({
      count: 4,
      items: [
        { object: 'invite', id: invites[3]?._id, role: null, level: 'read', redundant: true },
        expect.objectContaining({
          id: invites[2]?._id,
          role: null,
          level: 'read',
          collection: expect.objectContaining({ id: collection._id }),
        }),
        expect.objectContaining({
          id: invites[1]?._id,
          role: null,
          level: 'edit',
          space: expect.objectContaining({ id: space._id }),
        }),
        { object: 'invite', id: invites[0]?._id, role: 'create', redundant: true },
      ],
    });
    const first = await list('?limit=3');
    const second = await list(`?limit=3&page=${first.body.next.page}`);
    expect([...first.body.items, ...second.body.items]).toEqual(body.items);
  });

  it('is for admins', async ({ organization, list }) => {
    expect((await list('', await buildMember(organization, 'create'))).status).toBe(403);
    expect((await list('', (await buildOrganization()).admin)).status).toBe(404);
  });
});

describe('GET /v1/orgs/{organizationId}/link-invites/{inviteId}', () => {
  it('reports whether the link gives the member more than they have', async ({
    organization,
    admin,
    get,
  }) => {
    const space = await buildSpace(organization, { defaultLevel: 'comment' });
    const intoOrganization = await buildInvite(organization, { role: 'edit' });
    const asGuest = await buildInvite(organization, { role: null });
    const toSpace = await buildInvite(organization, {
      role: 'edit',
      target: { type: 'space', id: space._id },
    });
    const redundant = async (invite: InviteRecord, one: TestUser) => (await get(invite, one)).body.redundant;
    const [guest, reader, editor] = [
      await buildMember(organization, null),
      await buildMember(organization, 'read'),
      await buildMember(organization, 'edit'),
    ];
    expect([await redundant(intoOrganization, guest), await redundant(intoOrganization, reader)]).toEqual([
      false,
      false,
    ]);
    expect([await redundant(intoOrganization, editor), await redundant(asGuest, guest)]).toEqual([
      true,
      true,
    ]);
    // The level of the space counts there, not the role.
    expect([await redundant(toSpace, editor), await redundant(toSpace, admin)]).toEqual([false, true]);
  });

  it('answers 404 to outsiders, for a deleted target, and to members while links are off', async ({
    api,
    organization,
    admin,
    get,
  }) => {
    const invite = await buildInvite(organization);
    const space = await buildSpace(organization);
    const toSpace = await buildInvite(organization, { target: { type: 'space', id: space._id } });
    expect((await get(invite, (await buildOrganization()).admin)).status).toBe(404);
    expect((await get({ _id: 'nothing' })).status).toBe(404);
    expect((await get(await buildInvite((await buildOrganization()).organization))).status).toBe(404);
    expect((await get(toSpace)).status).toBe(200);
    await changeSpace(space, { deletedAt: new Date() });
    expect((await get(toSpace)).status).toBe(404);
    const reader = await buildMember(organization, 'read');
    expect((await get(invite, reader)).status).toBe(200);
    await api.call('PATCH', `/v1/orgs/${organization._id}`, {
      token: admin.token,
      json: { inviteLinks: false },
    });
    expect([(await get(invite, reader)).status, (await get(invite)).status]).toEqual([404, 200]);
  });
});

describe('PATCH /v1/orgs/{organizationId}/link-invites/{inviteId}', () => {
  it('changes the role or the level that the link gives', async ({ organization, patch }) => {
    const invite = await buildInvite(organization, { role: 'read' });
    expect((await patch(invite, { role: 'create' })).body).toMatchObject({ id: invite._id, role: 'create' });
    expect((await patch(invite, { role: null })).body.role).toBeNull();
    expect((await patch(invite, {})).body.role).toBeNull();
    const space = await buildSpace(organization);
    const toSpace = await buildInvite(organization, { target: { type: 'space', id: space._id } });
    expect((await patch(toSpace, { level: 'review' })).body).toMatchObject({
      level: 'review',
      space: { id: space._id },
    });
  });

  it('refuses the field of the other kind of link, and unknown roles', async ({ organization, patch }) => {
    const invite = await buildInvite(organization, { role: 'read' });
    const toSpace = await buildInvite(organization, {
      role: 'read',
      target: { type: 'space', id: (await buildSpace(organization))._id },
    });
    for (const [which, json] of [
      [invite, { level: 'edit' }],
      [toSpace, { role: 'admin' }],
      [invite, { role: 'owner' }],
      [toSpace, { level: 5 }],
    ] as const)
      expect((await patch(which, json)).status).toBe(400);
    expect(await Invite.distinct('role', { organization: organization._id })).toEqual(['read']);
  });

  it('is for admins, and honours `If-Match`', async ({ organization, admin, get, patch }) => {
    const invite = await buildInvite(organization);
    expect((await patch(invite, { role: 'admin' }, await buildMember(organization, 'read'))).status).toBe(
      403,
    );
    const etag = (await get(invite)).headers.get('etag') ?? '';
    expect((await patch(invite, { role: 'edit' }, admin, { 'If-Match': etag })).status).toBe(200);
    expect((await patch(invite, { role: 'admin' }, admin, { 'If-Match': etag })).status).toBe(412);
  });
});

describe('DELETE /v1/orgs/{organizationId}/link-invites/{inviteId}', () => {
  it('revokes the link at once, and always answers 204', async ({ organization, revoke }) => {
    const invite = await buildInvite(organization, { role: 'edit', target: { type: 'space', id: 'gone' } });
    expect((await revoke(invite)).status).toBe(204);
    expect(await Invite.exists({ _id: invite._id })).toBeNull();
    expect((await revoke(invite)).status).toBe(204);
    expect((await revoke({ _id: 'nothing' })).status).toBe(204);
  });

  it('is for admins of the organization that made it', async ({ organization, revoke }) => {
    const invite = await buildInvite(organization);
    const theirs = await buildInvite((await buildOrganization()).organization);
    expect((await revoke(invite, await buildMember(organization, 'create'))).status).toBe(403);
    expect((await revoke(invite, (await buildOrganization()).admin)).status).toBe(404);
    expect((await revoke(theirs)).status).toBe(204);
    expect(await Invite.countDocuments({ _id: { $in: [invite._id, theirs._id] } })).toBe(2);
  });
});
