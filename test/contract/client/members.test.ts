import { describe, expect } from 'vitest';
import { buildMember, buildSpace, buildTeam } from '../../support/factories.ts';
import { it as base } from './clientHarness.ts';

const itOfMembers = base.extend('member', { scope: 'file' }, async ({ organization }) => {
  const member = await buildMember(organization, 'edit');
  await buildTeam(organization, { members: [[member, 'owner']] });
  await buildSpace(organization);
  return member;
});
// Without the key the API is the shared one, which ends when that with the key starts.
const environments: Record<string, string>[] = [
  {},
  { BINDERY_VISITOR_CLAIMS_KEY: 'visitor-claims-key-of-this-test-0123456789' },
];
const its = environments.map(
  (environment) => [environment, itOfMembers.extend('environment', { scope: 'file' }, environment)] as const,
);

describe.each(its)('members, with %j', (environment, it) => {
  it('are listed with every filter and in every order', async ({ client, organization, member }) => {
    await client.call('listMembersInOrganizationById', [organization._id]);
    await client.call('updateOrganizationMemberLastSeenAt', [organization._id], { token: member.token });
    for (const sort of ['joinedAt', 'lastSeenAt', 'name'])
      for (const order of ['asc', 'desc'])
        await client.call('listMembersInOrganizationById', [organization._id, { sort, order, limit: 1 }]);
    for (const role of ['admin', 'edit', 'guest'])
      await client.call('listMembersInOrganizationById', [organization._id, { role }]);
    const { data } = await client.call('listMembersInOrganizationById', [
      organization._id,
      { search: 'EDIT', role: 'edit' },
    ]);
    expect(data.items).toMatchObject([{ id: member.user._id }]);
    expect(
      await client.refused('listMembersInOrganizationById', [organization._id, { sort: 'id' }]),
    ).toMatchObject({ code: 400 });
    client.expectValid('listMembersInOrganizationById');
  });

  it('are read, changed and removed', async ({ client, organization, admin, member }) => {
    const other = await buildMember(organization, 'read');
    await client.call('getMemberInOrganizationById', [organization._id, other.user._id]);
    await client.call('updateMemberInOrganizationById', [organization._id, other.user._id, {}]);
    expect(
      (
        await client.call('updateMemberInOrganizationById', [
          organization._id,
          other.user._id,
          { role: null },
        ])
      ).data.role,
    ).toBeNull();
    expect(
      (await client.call('setUserAsSSOMemberForOrganization', [organization._id, other.user._id])).data.sso,
    ).toBe(false);
    expect(
      (await client.call('setUserAsSSOMemberForOrganization', [organization._id, admin.user._id])).data.sso,
    ).toBe(true);
    expect(
      await client.refused('updateMemberInOrganizationById', [
        organization._id,
        admin.user._id,
        { role: 'read' },
      ]),
    ).toMatchObject({
      code: 409,
    });
    expect(
      await client.refused('removeMemberFromOrganizationById', [organization._id, admin.user._id]),
    ).toMatchObject({ code: 409 });
    expect(
      await client.refused('removeMemberFromOrganizationById', [organization._id, other.user._id], {
        token: member.token,
      }),
    ).toMatchObject({
      code: 403,
    });
    for (let i = 0; i < 2; i += 1)
      expect(
        await client.call('removeMemberFromOrganizationById', [organization._id, other.user._id]),
      ).toMatchObject({ status: 204 });
    expect(
      await client.refused('getMemberInOrganizationById', [organization._id, other.user._id]),
    ).toMatchObject({ code: 404 });
    client.expectValid(
      'getMemberInOrganizationById',
      'updateMemberInOrganizationById',
      'setUserAsSSOMemberForOrganization',
      'removeMemberFromOrganizationById',
    );
  });

  it('update when they were last seen, and get a token for visitors where a key is configured', async ({
    client,
    organization,
    admin,
  }) => {
    const { data } = await client.call('updateOrganizationMemberLastSeenAt', [organization._id]);
    expect('gitbookVisitorClaims' in data).toBe('BINDERY_VISITOR_CLAIMS_KEY' in environment);
    await client.call('getMemberInOrganizationById', [organization._id, admin.user._id]);
    client.expectValid('updateOrganizationMemberLastSeenAt', 'getMemberInOrganizationById');
  });

  it('list their spaces and teams', async ({ client, organization, member }) => {
    for (const query of [[], [{ order: 'asc', limit: 1 }]])
      await client.call('listSpacesForOrganizationMember', [organization._id, member.user._id, ...query]);
    for (const query of [[], [{ title: 'TEAM', limit: 1 }]]) {
      const { data } = await client.call('listTeamsForOrganizationMember', [
        organization._id,
        member.user._id,
        ...query,
      ]);
      expect(data.items).toMatchObject([{ member: { role: 'owner' } }]);
    }
    client.expectValid('listSpacesForOrganizationMember', 'listTeamsForOrganizationMember');
  });
});
