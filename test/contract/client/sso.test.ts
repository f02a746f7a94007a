import { expect } from 'vitest';
import { certificates, pemOf } from '../../support/http/certificates.ts';
import { buildMember, buildTeam } from '../../support/factories.ts';
import { it } from './clientHarness.ts';

it('creates, reads, lists, changes and deletes SAML providers', async ({ client }) => {
  const inOrganization = (...more: unknown[]) => [client.organization._id, ...more];
  const team = await buildTeam(client.organization);
  const settings = {
    entityID: 'https://idp.example.org',
    certificate: pemOf(certificates.rsa2048),
    ssoURL: 'https://idp.example.org/sso',
    defaultTeam: team._id,
    defaultRole: 'read',
  };
  const { data: bare } = await client.call(
    'createOrganizationSAMLProvider',
    inOrganization({ label: 'Bare' }),
  );
  const { data: full, status } = await client.call(
    'createOrganizationSAMLProvider',
    inOrganization({ label: 'Full', ...settings }),
  );
  expect([bare.status, full.status, status]).toEqual(['pending', 'active', 201]);
  for (const provider of [bare, full])
    expect((await client.call('getOrganizationSAMLProviderById', inOrganization(provider.id))).data).toEqual(
      provider,
    );
  expect(
    (await client.call('listSAMLProvidersInOrganizationById', inOrganization({ limit: 1 }))).data.count,
  ).toBe(2);
  await client.call('listSAMLProvidersInOrganizationById', inOrganization());
  const { data: changed } = await client.call(
    'updateOrganizationSAMLProvider',
    inOrganization(bare.id, settings),
  );
  expect(changed).toMatchObject({ status: 'active', defaultTeam: { id: team._id } });
  await client.call(
    'updateOrganizationSAMLProvider',
    inOrganization(full.id, { certificate: '', defaultRole: null }),
  );

  const guest = await buildMember(client.organization, null);
  const { data: logins } = await client.call('listSSOProviderLoginsInOrganization', inOrganization(), {
    token: guest.token,
  });
  expect(logins.items.map(({ id }: { id: string }) => id)).toEqual([bare.id]);
  expect((await client.call('deleteOrganizationSAMLProvider', inOrganization(bare.id))).status).toBe(204);
  await client.call('listSSOProviderLoginsInOrganization', inOrganization());
  expect(await client.refused('getOrganizationSAMLProviderById', inOrganization(bare.id))).toMatchObject({
    code: 404,
  });
  expect(
    await client.refused('createOrganizationSAMLProvider', inOrganization({ label: 'x', certificate: 'x' })),
  ).toMatchObject({
    code: 400,
  });
  client.expectValid(
    ...[
      'createOrganizationSAMLProvider',
      'getOrganizationSAMLProviderById',
      'listSAMLProvidersInOrganizationById',
    ],
    ...[
      'updateOrganizationSAMLProvider',
      'listSSOProviderLoginsInOrganization',
      'deleteOrganizationSAMLProvider',
    ],
  );
});
