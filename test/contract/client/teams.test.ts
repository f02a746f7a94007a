import { expect } from 'vitest';
import { buildMember } from '../../support/factories.ts';
import { it as base } from './clientHarness.ts';

const it = base
  .extend('ann', { scope: 'file' }, ({ client }) => buildMember(client.organization, 'edit'))
  .extend('bob', { scope: 'file' }, ({ client }) => buildMember(client.organization, null));

it('creates, finds, renames and deletes teams', async ({ client, ann }) => {
  const inOrganization = (...more: unknown[]) => [client.organization._id, ...more];
  const { data: team, status } = await client.call(
    'createOrganizationTeam',
    inOrganization({ title: 'Docs', members: [ann.user._id] }),
  );
  expect([status, team.members]).toEqual([201, 2]);
  await client.call('createOrganizationTeam', inOrganization({ title: 'Empty' }));
  const { data: all } = await client.call('listTeamsInOrganizationById', inOrganization());
  expect(all.count).toBe(2);
  const filters = { owner: client.admin.user._id, title: 'oc', limit: 1 };
  const { data: found } = await client.call('listTeamsInOrganizationById', inOrganization(filters));
  expect(found.items.map(({ id }: { id: string }) => id)).toEqual([team.id]);
  expect((await client.call('getTeamInOrganizationById', inOrganization(team.id))).data).toEqual(team);
  const { data: renamed } = await client.call(
    'updateTeamInOrganizationById',
    inOrganization(team.id, { title: 'Writers' }),
  );
  expect(renamed).toEqual({ ...team, title: 'Writers' });
  expect((await client.call('removeTeamFromOrganizationById', inOrganization(team.id))).status).toBe(204);
  expect(await client.refused('getTeamInOrganizationById', inOrganization(team.id))).toMatchObject({
    code: 404,
  });
  client.expectValid(
    ...['createOrganizationTeam', 'listTeamsInOrganizationById', 'getTeamInOrganizationById'],
    ...['updateTeamInOrganizationById', 'removeTeamFromOrganizationById'],
  );
});

it('adds members to a team, lists and removes them', async ({ client, ann, bob }) => {
  const { data: team } = await client.call('createOrganizationTeam', [
    client.organization._id,
    { title: 'People' },
  ]);
  const inTeam = (...more: unknown[]) => [client.organization._id, team.id, ...more];
  const changes = {
    add: [ann.user._id, bob.user.email],
    remove: [client.admin.user._id],
    memberships: { [bob.user._id]: { role: 'owner' } },
  };
  expect((await client.call('updateMembersInOrganizationTeam', inTeam(changes))).status).toBe(204);
  expect((await client.call('updateMembersInOrganizationTeam', inTeam({}))).status).toBe(204);
  const { data: members } = await client.call('listTeamMembersInOrganizationById', inTeam({ limit: 1 }));
  expect([members.count, members.items.length]).toEqual([2, 1]);
  await client.call('listTeamMembersInOrganizationById', inTeam({ page: members.next.page }));
  await client.call('addMemberToOrganizationTeamById', inTeam(client.admin.user._id, { role: 'owner' }));
  await client.call('addMemberToOrganizationTeamById', inTeam(ann.user._id, {}));
  expect((await client.call('deleteMemberFromOrganizationTeamById', inTeam(bob.user._id))).status).toBe(204);
  expect((await client.call('listTeamMembersInOrganizationById', inTeam())).data.count).toBe(2);
  expect(await client.refused('updateMembersInOrganizationTeam', inTeam({ add: ['nobody'] }))).toMatchObject({
    code: 400,
  });
  client.expectValid(
    ...['updateMembersInOrganizationTeam', 'listTeamMembersInOrganizationById'],
    ...['addMemberToOrganizationTeamById', 'deleteMemberFromOrganizationTeamById'],
  );
});
