import { Member, PendingMember, type OrganizationRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import {
  buildMember,
  buildMembership,
  buildOrganization,
  buildToken,
  buildUser,
  type TestUser,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const it = base
  .extend('user', () => buildUser({ displayName: 'Ann', email: `${newId().toLowerCase()}@ann.example` }))
  .extend(
    'invite',
    ({ api, organization, admin }) =>
      async ({ user }: TestUser, json: object = { role: 'edit' }, { token } = admin) => {
        const answer = await api.call('POST', `/v1/orgs/${organization._id}/invites`, {
          token,
          json: { emails: [user.email], ...json },
        });
        expect(answer.status).toBe(200);
        return answer.body;
      },
  )
  .extend('setSso', ({ api, organization, admin }) => async ({ user }: TestUser, { token } = admin) => {
    const { status, body } = await api.call('POST', `/v1/orgs/${organization._id}/members/${user._id}/sso`, {
      token,
    });
    expect(status).toBe(200);
    return body;
  })
  .extend('asked', ({ api }) => async ({ token }: Pick<TestUser, 'token'>) => {
    const { status, body } = await api.call('GET', '/v1/user/pending-memberships', { token });
    expect(status).toBe(200);
    return body.items;
  })
  .extend(
    'answer',
    ({ api }) =>
      async (
        method: 'accept' | 'decline',
        { token }: Pick<TestUser, 'token'>,
        { _id }: OrganizationRecord,
      ) => {
        const path = `/v1/user/pending-memberships/${_id}`;
        const { status } = await (method === 'accept'
          ? api.call('POST', `${path}/accept`, { token, json: { sso: true } })
          : api.call('DELETE', path, { token }));
        return status;
      },
  )
  .extend(
    'memberOf',
    ({ organization }) =>
      async ({ user }: TestUser) =>
        Member.findOne({ organization: organization._id, user: user._id }).lean(),
  )
  .extend('pendingIn', ({ api, organization, admin }) => async ({ user }: TestUser) => {
    const { body } = await api.call('GET', `/v1/orgs/${organization._id}/pending-members`, {
      token: admin.token,
    });
    return body.items.find(({ id }: { id: string }) => id === user._id);
  });

describe('an existing user who is added to an organization', () => {
  it('is not a member before accepting, and sees which organization asks and for which role', async ({
    api,
    organization,
    invite,
    asked,
    answer,
    memberOf,
    pendingIn,
    user,
  }) => {
    expect(await invite(user)).toEqual({ users: [user.user._id], invited: 1, pending: [user.user._id] });
    const [pending] = await asked(user);
    expect(pending).toEqual({
      object: 'pending-membership',
      organization: { id: organization._id, title: organization.title },
      role: 'edit',
      joins: true,
      sso: false,
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    // Admins learn nothing of the user but what they have named.
    const { organization: _of, object: _is, ...fields } = pending;
    expect(await pendingIn(user)).toEqual({
      object: 'pending-member',
      id: user.user._id,
      email: user.user.email,
      ...fields,
    });
    expect(await memberOf(user)).toBeNull();
    for (const path of ['', '/members', '/spaces']) {
      expect(
        (await api.call('GET', `/v1/orgs/${organization._id}${path}`, { token: user.token })).status,
      ).toBe(404);
    }
    expect(await answer('accept', user, organization)).toBe(204);
    expect(await memberOf(user)).toMatchObject({ role: 'edit', displayName: 'Ann', sso: false });
    expect([await asked(user), await pendingIn(user)]).toEqual([[], undefined]);
    expect(await answer('accept', user, organization)).toBe(404);
  });

  it('may decline and be asked again; the newest request counts', async ({
    organization,
    invite,
    asked,
    answer,
    memberOf,
    user,
  }) => {
    await invite(user);
    expect(await answer('decline', user, organization)).toBe(204);
    expect(await answer('decline', user, organization)).toBe(204);
    expect(await answer('accept', user, organization)).toBe(404);
    await invite(user, { role: 'admin' });
    await invite(user, { role: null });
    expect(await asked(user)).toHaveLength(1);
    await answer('accept', user, organization);
    expect(await memberOf(user)).toMatchObject({ role: null });
  });

  it('cannot accept a request that was withdrawn, has expired, or whose sender is no longer an admin', async ({
    api,
    organization,
    admin,
    invite,
    asked,
    answer,
    memberOf,
    pendingIn,
    user,
  }) => {
    await invite(user);
    const path = `/v1/orgs/${organization._id}/pending-members/${user.user._id}`;
    for (let i = 0; i < 2; i += 1)
      expect((await api.call('DELETE', path, { token: admin.token })).status).toBe(204);
    expect(await answer('accept', user, organization)).toBe(404);

    await invite(user);
    await PendingMember.updateOne({ user: user.user._id }, { $set: { expiresAt: new Date(0) } });
    expect([await asked(user), await pendingIn(user)]).toEqual([[], undefined]);
    expect(await answer('accept', user, organization)).toBe(404);

    for (const end of ['lowered', 'removed']) {
      const second = await buildMember(organization, 'admin');
      const other = await buildUser();
      await invite(user, {}, second);
      await invite(other);
      expect(await asked(user)).toHaveLength(1);
      const member = `/v1/orgs/${organization._id}/members/${second.user._id}`;
      if (end === 'lowered')
        await api.call('PATCH', member, { token: admin.token, json: { role: 'create' } });
      else await api.call('DELETE', member, { token: admin.token });
      expect([await asked(user), await pendingIn(user)]).toEqual([[], undefined]);
      expect(await answer('accept', user, organization)).toBe(404);
      expect(await asked(other)).toHaveLength(1);
    }
    expect(await memberOf(user)).toBeNull();
  });

  it('keeps a role that they received in another way in the meantime', async ({
    api,
    organization,
    invite,
    answer,
    asked,
    memberOf,
    user,
  }) => {
    await invite(user, { role: 'read', sso: true });
    await buildMembership(organization, user, 'create');
    // Whoever has read an earlier request does not accept this one with it.
    const path = `/v1/user/pending-memberships/${organization._id}/accept`;
    expect((await api.call('POST', path, { token: user.token })).status).toBe(409);
    expect((await memberOf(user))?.sso ?? false).toBe(false);
    expect(await answer('accept', user, organization)).toBe(204);
    expect(await memberOf(user)).toMatchObject({ role: 'create', sso: true });
    expect(await asked(user)).toEqual([]);
  });

  it('accepts only their own requests, with a token that is not limited', async ({
    organization,
    admin,
    outsider,
    invite,
    answer,
    asked,
    memberOf,
    user,
  }) => {
    await invite(user);
    for (const other of [admin, outsider]) {
      expect([await asked(other), await answer('accept', other, organization)]).toEqual([[], 404]);
    }
    const other = (await buildOrganization()).organization;
    await buildMembership(other, user, 'read');
    for (const limits of [{ scopes: ['write' as const] }, { organizations: [other._id] }]) {
      const { token } = await buildToken(user.user, limits);
      expect([
        await answer('accept', { token }, organization),
        await answer('decline', { token }, organization),
      ]).toEqual([403, 403]);
    }
    expect(await memberOf(user)).toBeNull();
    expect(await asked(user)).toHaveLength(1);
  });

  it('becomes a member once, however often they accept at the same time', async ({
    organization,
    invite,
    answer,
    user,
  }) => {
    await invite(user);
    const statuses = await Promise.all(Array.from({ length: 8 }, () => answer('accept', user, organization)));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([204, ...Array.from({ length: 7 }, () => 404)]);
    expect(await Member.countDocuments({ organization: organization._id, user: user.user._id })).toBe(1);
  });
});

describe('the sign-in through the provider of an organization', () => {
  it('is off for a member until they accept it', async ({
    organization,
    setSso,
    asked,
    answer,
    memberOf,
    pendingIn,
  }) => {
    const member = await buildMember(organization, 'review');
    expect((await setSso(member)).sso).toBe(false);
    expect((await setSso(member)).sso).toBe(false);
    expect(await asked(member)).toMatchObject([{ joins: false, sso: true, role: 'review' }]);
    expect(await pendingIn(member)).toMatchObject({ joins: false, sso: true });
    await answer('decline', member, organization);
    expect((await memberOf(member))?.sso).toBeUndefined();
    await setSso(member);
    expect(await answer('accept', member, organization)).toBe(204);
    expect(await memberOf(member)).toMatchObject({ role: 'review', sso: true });
    expect((await setSso(member)).sso).toBe(true);
    expect(await asked(member)).toEqual([]);
  });

  it('is on at once for admins who turn it on for themselves', async ({ organization, setSso }) => {
    const own = await buildMember(organization, 'admin');
    expect((await setSso(own, own)).sso).toBe(true);
  });

  it('needs the consent of a user whom an invite creates', async ({ api, organization, admin }) => {
    const email = `${newId().toLowerCase()}@new.example`;
    const json = { emails: [email], sso: true };
    const { body } = await api.call('POST', `/v1/orgs/${organization._id}/invites`, {
      token: admin.token,
      json,
    });
    expect(body).toEqual({ users: [expect.any(String)], invited: 1 });
    const pending = await PendingMember.findOne({ email }).lean();
    expect(pending).toMatchObject({ joins: false, sso: true });
    expect((await Member.findOne({ email }).lean())?.sso).toBe(false);
  });

  it('is no longer requested once the member is removed', async ({
    api,
    organization,
    admin,
    setSso,
    asked,
  }) => {
    const member = await buildMember(organization, 'read');
    await setSso(member);
    await api.call('DELETE', `/v1/orgs/${organization._id}/members/${member.user._id}`, {
      token: admin.token,
    });
    expect(await asked(member)).toEqual([]);
  });
});
