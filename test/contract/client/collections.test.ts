import { expect } from 'vitest';
import { buildMembership, buildOrganization } from '../../support/factories.ts';
import { it } from './clientHarness.ts';

it('creates, reads, changes and lists collections', async ({ client, organization }) => {
  const { data: parent } = await client.call('createCollection', [organization._id, { title: 'Parent' }]);
  const { data: nested } = await client.call('createCollection', [
    organization._id,
    { title: 'Nested', parent: parent.id },
  ]);
  await client.call('createCollection', [organization._id, {}]);
  await client.call('getCollectionById', [nested.id]);
  await client.call('updateCollectionById', [
    nested.id,
    { title: 'Renamed', description: 'What it is', defaultLevel: 'edit' },
  ]);
  await client.call('updateCollectionById', [nested.id, { defaultLevel: null, description: '' }]);
  await client.call('updateCollectionById', [nested.id, {}]);
  await client.call('listCollectionsInOrganizationById', [organization._id]);
  const { data: roots } = await client.call('listCollectionsInOrganizationById', [
    organization._id,
    { nested: false, limit: 1 },
  ]);
  expect([roots.count, roots.items.length]).toEqual([2, 1]);
  await client.call('listCollectionsInOrganizationById', [
    organization._id,
    { nested: false, page: roots.next.page },
  ]);
  await client.call('createSpace', [organization._id, { parent: parent.id }]);
  expect((await client.call('listSpacesInCollectionById', [parent.id, { limit: 10 }])).data.count).toBe(1);
  await client.call('listSpacesInCollectionById', [nested.id]);
  expect(await client.refused('getCollectionById', ['nothing'])).toMatchObject({ code: 404 });
  client.expectValid(
    'createCollection',
    'getCollectionById',
    'updateCollectionById',
    'listCollectionsInOrganizationById',
    'listSpacesInCollectionById',
  );
});

it('moves, transfers and deletes collections', async ({ client, organization, admin }) => {
  const make = async (fields = {}) =>
    (await client.call('createCollection', [organization._id, fields])).data;
  const [parent, moved, sibling] = [await make(), await make(), await make()];
  const { data: space } = await client.call('createSpace', [organization._id, { parent: parent.id }]);
  await client.call('moveCollection', [
    moved.id,
    { parent: parent.id, position: { before: { type: 'space', space: space.id } } },
  ]);
  await client.call('moveCollection', [
    sibling.id,
    { parent: parent.id, position: { after: { type: 'collection', collection: moved.id } } },
  ]);
  await client.call('moveCollection', [sibling.id, { parent: null }]);
  expect(await client.refused('moveCollection', [sibling.id, { parent: null }])).toMatchObject({ code: 409 });
  expect(await client.refused('moveCollection', [parent.id, { parent: moved.id }])).toMatchObject({
    code: 400,
  });
  const target = await buildOrganization();
  expect(
    await client.refused('transferCollection', [parent.id, { organization: target.organization._id }]),
  ).toMatchObject({ code: 404 });
  expect(
    await client.refused('transferCollection', [parent.id, { organization: organization._id }]),
  ).toMatchObject({ code: 409 });
  await buildMembership(target.organization, admin, 'create');
  await client.call('transferCollection', [parent.id, { organization: target.organization._id }]);
  await client.call('deleteCollectionById', [sibling.id]);
  await client.call('deleteCollectionById', [sibling.id]);
  client.expectValid('moveCollection', 'transferCollection', 'deleteCollectionById');
});

it('grants roles in collections to users and teams', async ({ client, organization, admin }) => {
  const { data: collection } = await client.call('createCollection', [organization._id, {}]);
  const { data: team } = await client.call('createOrganizationTeam', [
    organization._id,
    { title: 'Team', members: [] },
  ]);
  await client.call('inviteToCollection', [
    collection.id,
    { role: 'edit', users: [admin.user._id], teams: [team.id] },
  ]);
  await client.call('inviteToCollection', [collection.id, { role: null, users: [admin.user._id] }]);
  await client.call('inviteToCollection', [collection.id, { role: 'read', users: [admin.user._id] }]);
  await client.call('updateUserPermissionInCollection', [collection.id, admin.user._id, { role: 'comment' }]);
  await client.call('updateTeamPermissionInCollection', [collection.id, team.id, { role: 'review' }]);
  expect(
    (await client.call('listUserPermissionsInCollection', [collection.id, { limit: 5 }])).data.count,
  ).toBe(1);
  expect(
    (await client.call('listTeamPermissionsInCollection', [collection.id, { limit: 5 }])).data.count,
  ).toBe(1);
  expect(
    (await client.call('listPermissionsAggregateInCollection', [collection.id, { role: 'admin' }])).data
      .count,
  ).toBe(1);
  await client.call('removeUserFromCollection', [collection.id, admin.user._id]);
  await client.call('removeTeamFromCollection', [collection.id, team.id]);
  client.expectValid(
    'inviteToCollection',
    'updateUserPermissionInCollection',
    'updateTeamPermissionInCollection',
    'listUserPermissionsInCollection',
    'listTeamPermissionsInCollection',
    'listPermissionsAggregateInCollection',
    'removeUserFromCollection',
    'removeTeamFromCollection',
  );
});
