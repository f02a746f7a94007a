import { Grant, Member, Space, type OrganizationRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildGrant,
  buildMember,
  buildOrganization,
  buildSpace,
  buildTeam,
  buildUser,
  type TestUser,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { removeMember } from '../../../apps/api/src/resources/member/removeMember.ts';
import { updateMember } from '../../../apps/api/src/resources/member/updateMember.ts';

type Own = Pick<OrganizationRecord, '_id'>;

const adminsOf = async ({ _id }: Own) => Member.countDocuments({ organization: _id, role: 'admin' });
const recordOf = async ({ user }: TestUser, { _id }: Own) =>
  (await Member.findOne({ user: user._id, organization: _id }).lean())!;

const it = base
  .extend(
    'urlOf',
    ({ organization }) =>
      (one: TestUser, { _id }: Own = organization) =>
        `/v1/orgs/${_id}/members/${one.user._id}`,
  )
  .extend(
    'remove',
    ({ api, organization, admin, urlOf }) =>
      (one: TestUser, { token } = admin, own: Own = organization) =>
        api.call('DELETE', urlOf(one, own), { token }),
  )
  .extend(
    'patch',
    ({ api, organization, admin, urlOf }) =>
      (one: TestUser, json: unknown, { token } = admin, own: Own = organization) =>
        api.call('PATCH', urlOf(one, own), { token, json }),
  )
  .extend(
    'isMember',
    ({ organization }) =>
      async ({ user }: TestUser, { _id }: Own = organization) =>
        (await Member.exists({ user: user._id, organization: _id })) !== null,
  );

describe('DELETE /v1/orgs/{organizationId}/members/{userId}', () => {
  it('removes a member with its teams and grants, and nothing else', async ({
    api,
    organization,
    admin,
    remove,
    isMember,
  }) => {
    const [member, other] = [
      await buildMember(organization, 'read'),
      await buildMember(organization, 'read'),
    ];
    const elsewhere = await buildOrganization();
    await Member.create({
      ...(await recordOf(member, organization)),
      _id: `${member.user._id}x`,
      organization: elsewhere.organization._id,
    });
    const team = await buildTeam(organization, {
      members: [
        [member, 'owner'],
        [other, 'member'],
      ],
    });
    const closed = await buildSpace(organization, { defaultLevel: null });
    const theirs = await buildSpace(elsewhere.organization, { defaultLevel: null });
    for (const someone of [member, other]) await buildGrant({ space: closed }, someone, 'edit');
    await buildGrant({ space: theirs }, member, 'comment');
    const own = await buildSpace(organization, { createdBy: member.user._id, title: 'Made by the member' });

    expect((await remove(member)).status).toBe(204);
    expect(await isMember(member)).toBe(false);
    expect(await Grant.find({ target: closed._id }).lean()).toMatchObject([{ principal: other.user._id }]);
    expect((await Space.findById(closed._id).lean())?.access.readers).toEqual([other.user._id]);
    expect((await api.call('GET', `/v1/spaces/${closed._id}`, { token: member.token })).status).toBe(404);
    expect((await api.call('GET', `/v1/orgs/${organization._id}`, { token: member.token })).status).toBe(404);
    const { body } = await api.call('GET', `/v1/orgs/${organization._id}/teams/${team._id}`, {
      token: admin.token,
    });
    expect(body.members).toBe(1);
    // Its spaces, the spaces of others, and its other memberships stay.
    expect((await api.call('GET', `/v1/spaces/${own._id}`, { token: other.token })).status).toBe(200);
    expect(await isMember(member, elsewhere.organization)).toBe(true);
    expect((await api.call('GET', `/v1/spaces/${theirs._id}`, { token: member.token })).status).toBe(200);
    expect((await api.call('GET', '/v1/user', { token: member.token })).status).toBe(200);
  });

  it('requires organization.admin unless it is oneself', async ({ organization, remove, isMember }) => {
    for (const role of ['create', 'read', null] as const) {
      const [member, other] = [
        await buildMember(organization, role),
        await buildMember(organization, 'read'),
      ];
      const refused = await remove(other, member);
      expect([refused.status, refused.body.error.message]).toEqual([
        403,
        expect.stringContaining('organization.admin'),
      ]);
      expect(await isMember(other)).toBe(true);
      expect((await remove(member, member)).status).toBe(204);
      expect(await isMember(member)).toBe(false);
    }
  });

  it('answers 204 for users who are not members, and removes no member of another organization', async ({
    organization,
    remove,
    isMember,
  }) => {
    const outsider = (await buildOrganization()).admin;
    const member = await buildMember(organization, 'read');
    expect((await remove(outsider)).status).toBe(204);
    expect((await remove(await buildUser())).status).toBe(204);
    expect((await remove(member, outsider)).status).toBe(404);
    expect(await isMember(member)).toBe(true);
    expect((await remove(member)).status).toBe(204);
    expect((await remove(member)).status).toBe(204);
  });
});

describe('the last admin', () => {
  it('can be neither removed nor demoted', async ({ remove, patch }) => {
    const own = await buildOrganization();
    for (const role of ['create', 'read', null] as const) {
      const { status, body } = await patch(own.admin, { role }, own.admin, own.organization);
      expect([status, body.error.type]).toEqual([409, 'conflict']);
    }
    expect((await remove(own.admin, own.admin, own.organization)).status).toBe(409);
    expect(await adminsOf(own.organization)).toBe(1);
    expect((await patch(own.admin, { role: 'admin' }, own.admin, own.organization)).status).toBe(200);
    expect((await patch(own.admin, {}, own.admin, own.organization)).status).toBe(200);
  });

  it('is no longer the last one when there is another', async ({ remove, patch }) => {
    const own = await buildOrganization();
    const second = await buildMember(own.organization, 'read');
    await patch(second, { role: 'admin' }, own.admin, own.organization);
    expect((await patch(own.admin, { role: 'read' }, own.admin, own.organization)).status).toBe(200);
    expect((await patch(own.admin, { role: 'admin' }, own.admin, own.organization)).status).toBe(403);
    expect((await remove(second, second, own.organization)).status).toBe(409);
  });

  it('stays when two admins remove each other at the same time', async ({ remove, patch }) => {
    for (let round = 0; round < 5; round += 1) {
      const own = await buildOrganization();
      const second = await buildMember(own.organization, 'admin');
      const answers = await Promise.all([
        remove(second, own.admin, own.organization),
        round % 2 === 0
          ? remove(own.admin, second, own.organization)
          : patch(own.admin, { role: null }, second, own.organization),
      ]);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        expect.toBeOneOf([200, 204]),
        expect.toBeOneOf([403, 404, 409]),
      ]);
      expect(await adminsOf(own.organization)).toBe(1);
    }
  });

  it('stays when many admins leave at the same time, in whatever processes', async ({ api: _started }) => {
    const own = await buildOrganization();
    const all = [own.admin];
    for (let i = 0; i < 7; i += 1) all.push(await buildMember(own.organization, 'admin'));
    const records = await Promise.all(all.map((one) => recordOf(one, own.organization)));
    // The commands themselves: demotions do not queue up in this process, so each has a session that runs
    // beside the others.
    const results = await Promise.allSettled(
      records.map((record, i) =>
        i % 2 === 0 ? updateMember(record, { role: 'read' }) : removeMember(record),
      ),
    );
    expect(results.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { code: 'conflict' } },
    ]);
    expect(await adminsOf(own.organization)).toBe(1);
  });
});
