import { Grant, Invite, Member, Space, type InviteRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildCollection,
  buildGrant,
  buildInvite,
  buildMember,
  buildOrganization,
  buildSpace,
  buildUser,
  changeSpace,
  type TestUser,
} from '../../support/factories.ts';
import { itInNewOrganization as base } from '../../support/it.ts';
import { until } from '../../support/until.ts';

const it = base
  .extend('home', ({ api: _started }) => buildOrganization({ defaultRole: 'comment' }))
  .extend(
    'redeem',
    ({ api, organization }) =>
      ({ _id }: Pick<InviteRecord, '_id'>, { token }: TestUser, own = organization._id) =>
        api.call('POST', `/v1/orgs/${own}/invites/${_id}`, { token }),
  )
  .extend(
    'memberOf',
    ({ organization }) =>
      ({ user }: TestUser) =>
        Member.findOne({ organization: organization._id, user: user._id }).lean(),
  )
  .extend(
    'roleOf',
    ({ memberOf }) =>
      async (one: TestUser) =>
        (await memberOf(one))?.role,
  )
  .extend(
    'linkTo',
    ({ organization }) =>
      (space: { _id: string }, role: InviteRecord['role']) =>
        buildInvite(organization, { role, target: { type: 'space', id: space._id } }),
  )
  .extend('permissionsIn', ({ api }) => async (space: { _id: string }, { token }: TestUser) => {
    const { status, body } = await api.call('GET', `/v1/spaces/${space._id}`, { token });
    return status === 200 ? body.permissions : status;
  });

describe('POST /v1/orgs/{organizationId}/invites/{inviteId}', () => {
  it('makes a member with the role of the link, any number of times', async ({
    api,
    organization,
    redeem,
    roleOf,
  }) => {
    for (const role of ['edit', null] as const) {
      const invite = await buildInvite(organization, { role });
      for (const user of [await buildUser(), await buildUser()]) {
        const { status, body } = await redeem(invite, user);
        expect([status, body]).toEqual([200, {}]);
        expect(await roleOf(user)).toBe(role);
        expect((await api.call('GET', `/v1/orgs/${organization._id}`, { token: user.token })).status).toBe(
          200,
        );
      }
    }
  });

  it('raises the role of a member, and never lowers it', async ({ organization, admin, redeem, roleOf }) => {
    const [guest, editor] = [await buildMember(organization, null), await buildMember(organization, 'edit')];
    const toReview = await buildInvite(organization, { role: 'review' });
    for (const one of [guest, editor, admin]) expect((await redeem(toReview, one)).status).toBe(200);
    expect([await roleOf(guest), await roleOf(editor), await roleOf(admin)]).toEqual([
      'review',
      'review',
      'admin',
    ]);
    await redeem(await buildInvite(organization, { role: null }), editor);
    await redeem(await buildInvite(organization, { role: 'read' }), editor);
    expect(await roleOf(editor)).toBe('review');
  });

  it('makes a guest with access to a space', async ({
    organization,
    redeem,
    memberOf,
    linkTo,
    permissionsIn,
  }) => {
    const [open, closed] = [
      await buildSpace(organization),
      await buildSpace(organization, { defaultLevel: null }),
    ];
    const user = await buildUser();
    expect((await redeem(await linkTo(closed, 'edit'), user)).status).toBe(200);
    expect(await memberOf(user)).toMatchObject({ role: null, teams: [] });
    expect(await permissionsIn(closed, user)).toMatchObject({ edit: true, review: false, admin: false });
    expect(await permissionsIn(open, user)).toBe(404);
    expect(await permissionsIn(closed, await buildMember(organization, 'create'))).toBe(404);
  });

  it('makes a guest with access to a collection and to all its spaces, present and future', async ({
    api,
    organization,
    admin,
    redeem,
    permissionsIn,
  }) => {
    const collection = await buildCollection(organization, { defaultLevel: null });
    const inside = await buildSpace(organization, { parent: collection._id });
    const user = await buildUser();
    await redeem(
      await buildInvite(organization, {
        role: 'comment',
        target: { type: 'collection', id: collection._id },
      }),
      user,
    );
    expect(await permissionsIn(inside, user)).toMatchObject({ comment: true, edit: false });
    const later = await api.call('POST', `/v1/orgs/${organization._id}/spaces`, {
      token: admin.token,
      json: { parent: collection._id },
    });
    expect(await permissionsIn({ _id: later.body.id }, user)).toMatchObject({ comment: true, edit: false });
  });

  it('raises the access of a member to a space, and never lowers it', async ({
    organization,
    redeem,
    roleOf,
    linkTo,
    permissionsIn,
  }) => {
    const space = await buildSpace(organization);
    const creator = await buildMember(organization, 'create');
    const guest = await buildMember(organization, null);
    await buildGrant({ space }, guest, 'comment');
    // A grant of less would count before the role.
    await redeem(await linkTo(space, 'read'), creator);
    expect(await permissionsIn(space, creator)).toMatchObject({ triggerGitSync: true });
    expect(await Grant.countDocuments({ target: space._id })).toBe(1);
    for (const role of ['review', 'edit', null] as const) await redeem(await linkTo(space, role), guest);
    expect(await permissionsIn(space, guest)).toMatchObject({ review: true });
    expect(await Grant.find({ target: space._id }).lean()).toMatchObject([
      {
        principal: guest.user._id,
        principalType: 'user',
        targetType: 'space',
        role: 'review',
        organization: organization._id,
      },
    ]);
    // Access to a space makes nobody more than they are in the organization.
    expect([await roleOf(creator), await roleOf(guest)]).toEqual(['create', null]);
  });

  it('answers 404 when the link was revoked or its target is gone', async ({
    api,
    organization,
    admin,
    redeem,
    linkTo,
  }) => {
    const user = await buildUser();
    const space = await buildSpace(organization);
    const [revoked, toDeleted, toTransferred] = [
      await buildInvite(organization),
      await linkTo(space, 'edit'),
      await linkTo({ _id: 'x' }, 'edit'),
    ];
    await api.call('DELETE', `/v1/orgs/${organization._id}/link-invites/${revoked._id}`, {
      token: admin.token,
    });
    await changeSpace(space, { deletedAt: new Date() });
    const theirs = await buildSpace((await buildOrganization()).organization);
    await Invite.updateOne({ _id: toTransferred._id }, { $set: { 'target.id': theirs._id } });
    const other = await buildOrganization();
    const elsewhere = await buildInvite(other.organization);
    for (const invite of [revoked, toDeleted, toTransferred, elsewhere, { _id: 'nothing' }])
      expect((await redeem(invite, user)).status).toBe(404);
    expect((await redeem(elsewhere, user, 'nothing')).status).toBe(404);
    expect(await Member.countDocuments({ user: user.user._id })).toBe(0);
    expect(await Grant.countDocuments({ principal: user.user._id })).toBe(0);
  });

  it('stops working when its creator is no longer an admin', async ({ api, organization, admin, redeem }) => {
    const maker = await buildMember(organization, 'admin');
    const { body: invite } = await api.call('POST', `/v1/orgs/${organization._id}/link-invites`, {
      token: maker.token,
      json: { role: 'admin' },
    });
    const ofMaker = { organization: organization._id, user: maker.user._id };
    const uses = [];
    for (const end of [
      () => Member.updateOne(ofMaker, { $set: { role: 'create' } }),
      () => Member.deleteOne(ofMaker),
    ]) {
      uses.push((await redeem({ _id: invite.id }, await buildUser())).status);
      await end();
      uses.push((await redeem({ _id: invite.id }, await buildUser())).status);
      await Member.updateOne(ofMaker, { $set: { role: 'admin' } });
    }
    expect(uses).toEqual([200, 404, 200, 404]);
    expect(
      (
        await api.call('GET', `/v1/orgs/${organization._id}/link-invites/${invite.id}`, {
          token: admin.token,
        })
      ).status,
    ).toBe(200);
  });

  it('does not work while links are switched off', async ({ api, organization, admin, redeem, memberOf }) => {
    const [invite, user] = [await buildInvite(organization), await buildUser()];
    const setLinks = (inviteLinks: boolean) =>
      api.call('PATCH', `/v1/orgs/${organization._id}`, { token: admin.token, json: { inviteLinks } });
    await setLinks(false);
    const { status, body } = await redeem(invite, user);
    expect([status, body.error.type]).toEqual([412, 'precondition_failed']);
    expect(await memberOf(user)).toBeNull();
    await setLinks(true);
    expect((await redeem(invite, user)).status).toBe(200);
  });

  it('gives the new role after the link is changed, and leaves earlier members unchanged', async ({
    api,
    organization,
    admin,
    redeem,
    roleOf,
  }) => {
    const [invite, before, after] = [
      await buildInvite(organization, { role: 'create' }),
      await buildUser(),
      await buildUser(),
    ];
    await redeem(invite, before);
    await api.call('PATCH', `/v1/orgs/${organization._id}/link-invites/${invite._id}`, {
      token: admin.token,
      json: { role: 'read' },
    });
    await redeem(invite, after);
    expect([await roleOf(before), await roleOf(after)]).toEqual(['create', 'read']);
  });

  it('uses the link once for the same `Idempotency-Key`, also where there is nothing to do', async ({
    api,
    organization,
    admin,
  }) => {
    const invite = await buildInvite(organization);
    for (const one of [await buildUser(), admin])
      for (let i = 0; i < 2; i += 1) {
        const path = `/v1/orgs/${organization._id}/invites/${invite._id}`;
        expect(
          (await api.call('POST', path, { token: one.token, headers: { 'Idempotency-Key': 'k' } })).status,
        ).toBe(200);
      }
    expect(await Invite.findById(invite._id).lean()).toMatchObject({ uses: 2 });
  });

  it('makes one member and one grant when one user redeems links many times at once', async ({
    organization,
    redeem,
    linkTo,
  }) => {
    const user = await buildUser();
    const space = await buildSpace(organization, { defaultLevel: null });
    const [intoOrganization, toSpace] = [
      await buildInvite(organization, { role: 'read' }),
      await linkTo(space, 'edit'),
    ];
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => redeem(i % 2 ? intoOrganization : toSpace, user)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await Member.find({ user: user.user._id }).lean()).toMatchObject([{ role: 'read' }]);
    expect(await Grant.countDocuments({ principal: user.user._id })).toBe(1);
    expect((await Space.findById(space._id).lean())?.access).toMatchObject({ readers: [user.user._id] });
  });

  it('leaves no access behind when its user is removed at the same moment', async ({
    api,
    organization,
    admin,
    redeem,
    memberOf,
    linkTo,
  }) => {
    const space = await buildSpace(organization, { defaultLevel: null });
    const invite = await linkTo(space, 'edit');
    for (let round = 0; round < 8; round += 1) {
      const guest = await buildMember(organization, null);
      await Promise.all([
        redeem(invite, guest),
        api.call('DELETE', `/v1/orgs/${organization._id}/members/${guest.user._id}`, { token: admin.token }),
      ]);
      const isMember = (await memberOf(guest)) !== null;
      expect(await Grant.countDocuments({ principal: guest.user._id })).toBe(isMember ? 1 : 0);
    }
  });

  it('keeps the id of the link, which is its only secret, out of the log', async ({
    api,
    organization,
    admin,
    redeem,
  }) => {
    const invite = await buildInvite(organization);
    const from = api.logLines.length;
    await redeem(invite, await buildUser());
    for (const method of ['GET', 'DELETE'])
      await api.call(method, `/v1/orgs/${organization._id}/link-invites/${invite._id}`, {
        token: admin.token,
      });
    const lines = await until('three lines', () => {
      const found = api.logLines.slice(from).filter((line) => line.includes(':inviteId'));
      return found.length === 3 && found.join('');
    });
    expect(lines).toContain(organization._id);
    expect(lines).not.toContain(invite._id);
  });
});
