import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildMember, buildSpace, buildTeam, type TestUser } from '../support/factories.ts';
import { startClient, type ClientHarness } from './clientHarness.ts';

describe.each<Record<string, string>>([{}, { BINDERY_VISITOR_CLAIMS_KEY: 'visitor-claims-key-of-this-test-0123456789' }])(
  'members, with %j',
  (environment) => {
    let client: ClientHarness;
    let own: string;
    let member: TestUser;
    beforeAll(async () => {
      client = await startClient({ environment });
      own = client.organization._id;
      member = await buildMember(client.organization, 'edit');
      await buildTeam(client.organization, { members: [[member, 'owner']] });
      await buildSpace(client.organization);
    });
    afterAll(() => client.close());

    it('are listed with every filter and in every order', async () => {
      await client.call('listMembersInOrganizationById', [own]);
      await client.call('updateOrganizationMemberLastSeenAt', [own], { token: member.token });
      for (const sort of ['joinedAt', 'lastSeenAt', 'name'])
        for (const order of ['asc', 'desc']) await client.call('listMembersInOrganizationById', [own, { sort, order, limit: 1 }]);
      for (const role of ['admin', 'edit', 'guest']) await client.call('listMembersInOrganizationById', [own, { role }]);
      const { data } = await client.call('listMembersInOrganizationById', [own, { search: 'EDIT', role: 'edit' }]);
      expect(data.items).toMatchObject([{ id: member.user._id }]);
      expect(await client.refused('listMembersInOrganizationById', [own, { sort: 'id' }])).toMatchObject({ code: 400 });
      client.expectValid('listMembersInOrganizationById');
    });

    it('are read, changed and removed', async () => {
      const other = await buildMember(client.organization, 'read');
      await client.call('getMemberInOrganizationById', [own, other.user._id]);
      await client.call('updateMemberInOrganizationById', [own, other.user._id, {}]);
      expect((await client.call('updateMemberInOrganizationById', [own, other.user._id, { role: null }])).data.role).toBeNull();
      expect((await client.call('setUserAsSSOMemberForOrganization', [own, other.user._id])).data.sso).toBe(true);
      expect(await client.refused('updateMemberInOrganizationById', [own, client.admin.user._id, { role: 'read' }])).toMatchObject({
        code: 409,
      });
      expect(await client.refused('removeMemberFromOrganizationById', [own, client.admin.user._id])).toMatchObject({ code: 409 });
      expect(await client.refused('removeMemberFromOrganizationById', [own, other.user._id], { token: member.token })).toMatchObject({
        code: 403,
      });
      for (let i = 0; i < 2; i += 1)
        expect(await client.call('removeMemberFromOrganizationById', [own, other.user._id])).toMatchObject({ status: 204 });
      expect(await client.refused('getMemberInOrganizationById', [own, other.user._id])).toMatchObject({ code: 404 });
      client.expectValid(
        'getMemberInOrganizationById',
        'updateMemberInOrganizationById',
        'setUserAsSSOMemberForOrganization',
        'removeMemberFromOrganizationById',
      );
    });

    it('say that they are here, and get a token for visitors where a key is configured', async () => {
      const { data } = await client.call('updateOrganizationMemberLastSeenAt', [own]);
      expect('gitbookVisitorClaims' in data).toBe('BINDERY_VISITOR_CLAIMS_KEY' in environment);
      await client.call('getMemberInOrganizationById', [own, client.admin.user._id]);
      client.expectValid('updateOrganizationMemberLastSeenAt', 'getMemberInOrganizationById');
    });

    it('have spaces and teams', async () => {
      for (const query of [[], [{ order: 'asc', limit: 1 }]])
        await client.call('listSpacesForOrganizationMember', [own, member.user._id, ...query]);
      for (const query of [[], [{ title: 'TEAM', limit: 1 }]]) {
        const { data } = await client.call('listTeamsForOrganizationMember', [own, member.user._id, ...query]);
        expect(data.items).toMatchObject([{ member: { role: 'owner' } }]);
      }
      client.expectValid('listSpacesForOrganizationMember', 'listTeamsForOrganizationMember');
    });
  },
);
