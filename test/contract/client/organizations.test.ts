import { describe, expect } from 'vitest';
import { Organization } from '@bindery/models';
import { newId } from '@bindery/runtime';
import {
  buildCollection,
  buildInvite,
  buildOrganization,
  buildSamlProvider,
  buildSpace,
  buildUser,
} from '../../support/factories.ts';
import { it as base } from './clientHarness.ts';

const it = base.extend('own', { scope: 'file' }, ({ client }) => client.organization._id);

describe('organizations', () => {
  it('are created, read, listed and changed', async ({ client, own }) => {
    await client.call('createOrganization', [{ title: 'Another' }]);
    const { data: made } = await client.call('createOrganization', [
      { title: 'With domains', emailDomains: ['Example.org'] },
      { withDefaultSite: false },
    ]);
    expect(made.emailDomains).toEqual(['example.org']);
    await client.call('listOrganizationsForAuthenticatedUser');
    await client.call('listOrganizationsForAuthenticatedUser', [{ limit: 1 }]);
    await client.call('getOrganizationById', [own]);
    await client.call('updateOrganizationById', [own, {}]);
    await buildSamlProvider(client.organization, { status: 'active' });
    const { data } = await client.call('updateOrganizationById', [
      own,
      {
        title: 'All of it',
        emailDomains: ['a.example', 'b.example'],
        hostname: `h${newId().toLowerCase()}`,
        defaultRole: null,
        defaultContent: null,
        logo: 'https://example.org/logo.png',
        sso: true,
        ai: true,
        inviteLinks: true,
      },
    ]);
    expect(data).toMatchObject({ title: 'All of it', defaultRole: null, sso: true });
    await client.call('getOrganizationById', [own]);
    await Organization.updateOne({ _id: own }, { $set: { defaultContent: { type: 'site', site: 'site1' } } });
    expect((await client.call('getOrganizationById', [own])).data.defaultContent).toEqual({
      type: 'site',
      site: 'site1',
    });
    client.expectValid(
      'createOrganization',
      'listOrganizationsForAuthenticatedUser',
      'getOrganizationById',
      'updateOrganizationById',
    );
  });

  it('return the declared errors', async ({ client, own }) => {
    expect(
      await client.refused('updateOrganizationById', [own, { emailDomains: ['gmail.com'] }]),
    ).toMatchObject({
      code: 400,
      message: expect.stringContaining('gmail.com'),
    });
    expect(
      await client.refused('updateOrganizationById', [
        own,
        { defaultContent: { type: 'site', site: 'nothing' } },
      ]),
    ).toMatchObject({
      code: 400,
    });
    expect(
      await client.refused('getOrganizationById', [own], { token: (await buildUser()).token }),
    ).toMatchObject({ code: 404 });
    expect(await client.refused('getOrganizationById', [own], { token: null })).toMatchObject({ code: 401 });
    client.expectValid('updateOrganizationById', 'getOrganizationById');
  });

  it('are found by e-mail domain, and joined', async ({ client, own }) => {
    const domain = `${newId().toLowerCase()}.example`;
    const { organization } = await buildOrganization({ emailDomains: [domain] });
    const { token } = await buildUser({ email: `ann@${domain}` });
    expect((await client.call('getOrganizationsForEmailDomain', [domain])).data).toEqual({
      organizations: [],
    });
    const { data } = await client.call('getOrganizationsForEmailDomain', [domain], { token });
    expect(data.organizations).toHaveLength(1);
    expect(await client.call('joinOrganization', [organization._id], { token })).toMatchObject({
      status: 204,
    });
    expect(await client.refused('joinOrganization', [own], { token })).toMatchObject({ code: 400 });
    client.expectValid('getOrganizationsForEmailDomain', 'joinOrganization');
  });
});

describe('invites', () => {
  it('are sent by e-mail', async ({ client, own }) => {
    const email = () => `${newId().toLowerCase()}@new.example`;
    await client.call('inviteUsersToOrganization', [own, { emails: [] }]);
    const { data } = await client.call('inviteUsersToOrganization', [
      own,
      { emails: [email(), { email: email(), role: null }], role: 'edit', sso: true },
    ]);
    expect(data).toMatchObject({ invited: 2 });
    expect(await client.refused('inviteUsersToOrganization', [own, { emails: ['x'] }])).toMatchObject({
      code: 400,
    });
    client.expectValid('inviteUsersToOrganization');
  });

  it('are links into the organization, to spaces and to collections', async ({ client, own }) => {
    const space = await buildSpace(client.organization);
    const collection = await buildCollection(client.organization);
    const ids: string[] = [];
    for (const body of [
      { role: 'read' },
      { role: null },
      { level: 'edit', space: space._id },
      { level: null, collection: collection._id },
    ])
      ids.push((await client.call('createOrganizationInvite', [own, body])).data.id);
    await buildInvite(client.organization, { target: { type: 'space', id: 'gone' } });
    for (const id of ids) await client.call('getOrganizationInviteLink', [own, id]);
    await client.call('listOrganizationInviteLinks', [own]);
    await client.call('listOrganizationInviteLinks', [own, { limit: 2 }]);
    await client.call('updateOrganizationInviteById', [own, ids[0], { role: 'comment' }]);
    await client.call('updateOrganizationInviteById', [own, ids[2], { level: 'review' }]);
    for (const id of ids)
      await client.call('joinOrganizationWithInvite', [own, id], { token: (await buildUser()).token });
    for (const id of [...ids, 'nothing'])
      expect(await client.call('deleteOrganizationInviteById', [own, id])).toMatchObject({ status: 204 });
    expect(await client.refused('getOrganizationInviteLink', [own, ids[0]])).toMatchObject({ code: 404 });
    client.expectValid(
      'createOrganizationInvite',
      'getOrganizationInviteLink',
      'listOrganizationInviteLinks',
      'updateOrganizationInviteById',
      'joinOrganizationWithInvite',
      'deleteOrganizationInviteById',
    );
  });
});

it('users are read and changed', async ({ client }) => {
  const { user, token } = await buildUser();
  const { data } = await client.call('getAuthenticatedUser', [], { token });
  expect(data.id).toBe(user._id);
  await client.call(
    'updateUserById',
    [user._id, { displayName: 'Ann', photoURL: 'https://example.org/a.png' }],
    { token },
  );
  await client.call('updateUserById', [user._id, {}], { token });
  await client.call('getUserById', [user._id], { token });
  expect(
    await client.refused('updateUserById', [client.admin.user._id, { displayName: 'Mallory' }], { token }),
  ).toMatchObject({
    code: 404,
  });
  client.expectValid('getAuthenticatedUser', 'updateUserById', 'getUserById');
});
