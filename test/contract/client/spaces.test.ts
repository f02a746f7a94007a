import { expect } from 'vitest';
import { Space } from '@bindery/models';
import { buildMembership, buildOrganization, buildSite } from '../../support/factories.ts';
import { it } from './clientHarness.ts';

it('creates, reads, changes and lists spaces', async ({ client, organization }) => {
  const { data: collection } = await client.call('createCollection', [organization._id, {}]);
  const all = {
    title: 'Space',
    emoji: '1f680',
    parent: collection.id,
    language: 'de',
    editMode: 'locked',
    empty: true,
  };
  const { data: space } = await client.call('createSpace', [organization._id, all]);
  const { data: plain } = await client.call('createSpace', [organization._id, {}]);
  expect((await client.call('getCurrentRevision', [space.id])).data.pages).toEqual([]);
  await client.call('getSpaceById', [space.id, { shareKey: 'x' }]);
  await client.call('updateSpaceById', [
    space.id,
    { title: 'Renamed', editMode: 'live', defaultLevel: 'comment', language: 'fr', emoji: '1f4d7' },
  ]);
  await client.call('updateSpaceById', [space.id, { icon: 'https://example.org/icon.png' }]);
  await client.call('updateSpaceById', [space.id, { defaultLevel: null, emoji: null, icon: null }]);
  await client.call('updateSpaceById', [plain.id, { defaultLevel: 'inherit' }]);
  await client.call('updateSpaceById', [plain.id, {}]);
  const { data: first } = await client.call('listSpacesInOrganizationById', [organization._id, { limit: 1 }]);
  expect([first.count, first.items.length]).toEqual([2, 1]);
  await client.call('listSpacesInOrganizationById', [organization._id, { page: first.next.page }]);
  expect(
    await client.refused('createSpace', [organization._id, { template: { id: 'nothing' } }]),
  ).toMatchObject({ code: 400 });
  client.expectValid('createSpace', 'getSpaceById', 'updateSpaceById', 'listSpacesInOrganizationById');
});

it('duplicates, moves, transfers, deletes and restores spaces', async ({ client, organization, admin }) => {
  const { data: collection } = await client.call('createCollection', [organization._id, {}]);
  const { data: space } = await client.call('createSpace', [organization._id, { title: 'Space' }]);
  const { data: copy } = await client.call('duplicateSpace', [space.id]);
  await client.call('moveSpace', [space.id, { parent: collection.id }]);
  await client.call('moveSpace', [
    copy.id,
    { parent: collection.id, position: { before: { type: 'space', space: space.id } } },
  ]);
  expect(await client.refused('moveSpace', [copy.id, { parent: collection.id }])).toMatchObject({
    code: 409,
  });
  await client.call('moveSpace', [copy.id, { position: { after: { type: 'space', space: space.id } } }]);
  await client.call('deleteSpaceById', [space.id]);
  await client.call('deleteSpaceById', [space.id]);
  await client.call('getSpaceById', [space.id]);
  await client.call('restoreSpace', [space.id]);
  expect(await client.refused('restoreSpace', [space.id])).toMatchObject({ code: 409 });
  const target = await buildOrganization();
  await buildMembership(target.organization, admin, 'admin');
  await client.call('transferSpace', [space.id, { organization: target.organization._id }]);
  expect(await client.refused('transferSpace', [copy.id, { organization: organization._id }])).toMatchObject({
    code: 409,
  });
  await Space.updateOne(
    { _id: copy.id },
    { $set: { gitSync: { provider: 'github-legacy', updatedAt: new Date() } } },
  );
  await client.call('getSpaceById', [copy.id]);
  await client.call('deleteLegacyGitInstallation', [copy.id]);
  client.expectValid(
    'duplicateSpace',
    'moveSpace',
    'deleteSpaceById',
    'restoreSpace',
    'transferSpace',
    'getSpaceById',
    'deleteLegacyGitInstallation',
  );
});

it('grants roles in spaces and sites to users and teams', async ({ client, organization, admin }) => {
  const { data: space } = await client.call('createSpace', [organization._id, {}]);
  const { data: team } = await client.call('createOrganizationTeam', [
    organization._id,
    { title: 'Team', members: [] },
  ]);
  const site = await buildSite(organization);
  for (const [kind, ids] of [
    ['Space', [space.id]],
    ['Site', [organization._id, site._id]],
  ] as const) {
    await client.call(`inviteTo${kind}`, [
      ...ids,
      { role: 'edit', users: [admin.user._id], teams: [team.id] },
    ]);
    await client.call(`updateUserPermissionIn${kind}`, [...ids, admin.user._id, { role: 'comment' }]);
    await client.call(`updateTeamPermissionIn${kind}`, [...ids, team.id, { role: 'review' }]);
    expect((await client.call(`listUserPermissionsIn${kind}`, [...ids, { limit: 5 }])).data.count).toBe(1);
    expect((await client.call(`listTeamPermissionsIn${kind}`, [...ids, { limit: 5 }])).data.count).toBe(1);
    expect((await client.call(`listPermissionsAggregateIn${kind}`, [...ids, { limit: 5 }])).data.count).toBe(
      1,
    );
    await client.call(`removeUserFrom${kind}`, [...ids, admin.user._id]);
    await client.call(`removeTeamFrom${kind}`, [...ids, team.id]);
    client.expectValid(
      `inviteTo${kind}`,
      `updateUserPermissionIn${kind}`,
      `updateTeamPermissionIn${kind}`,
      `listUserPermissionsIn${kind}`,
      `listTeamPermissionsIn${kind}`,
      `listPermissionsAggregateIn${kind}`,
      `removeUserFrom${kind}`,
      `removeTeamFrom${kind}`,
    );
  }
});
