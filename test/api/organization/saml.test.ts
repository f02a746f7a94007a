import { generateKeyPairSync } from 'node:crypto';
import { SamlProvider, type SamlProviderRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { certificates, pemOf } from '../../support/http/certificates.ts';
import {
  buildMember,
  buildOrganization,
  buildSamlProvider,
  buildTeam,
  type TestUser,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const complete = {
  entityID: 'https://idp.example.org/metadata',
  certificate: pemOf(certificates.rsa2048),
  ssoURL: 'https://idp.example.org/sso?a=b',
};

const it = base
  .extend('elsewhere', { scope: 'file' }, ({ api: _started }) => buildOrganization())
  .extend('url', ({ organization }) => (provider?: Pick<SamlProviderRecord, '_id'> | { id: string }) => {
    const id = provider && ('id' in provider ? provider.id : provider._id);
    return `/v1/orgs/${organization._id}/saml${id === undefined ? '' : `/${id}`}`;
  })
  .extend(
    'create',
    ({ api, admin, url }) =>
      (json: unknown, { token } = admin) =>
        api.call('POST', url(), { token, json }),
  )
  .extend(
    'get',
    ({ api, admin, url }) =>
      (provider: { id: string } | SamlProviderRecord, { token } = admin) =>
        api.call('GET', url(provider), { token }),
  )
  .extend(
    'patch',
    ({ api, admin, url }) =>
      (provider: { id: string } | SamlProviderRecord, json?: unknown, { token } = admin, headers = {}) =>
        api.call('PATCH', url(provider), { token, headers, ...(json !== undefined && { json }) }),
  );

describe('POST /v1/orgs/{organizationId}/saml', () => {
  it('makes a provider that is pending until everything is set', async ({ api, admin, url, create }) => {
    const { status, body } = await create({ label: 'Okta' });
    expect(status).toBe(201);
    expect(body).toEqual({
      object: 'saml-provider',
      id: expect.any(String),
      label: 'Okta',
      entityID: '',
      certificate: '',
      defaultRole: null,
      createdAt: expect.stringMatching(/Z$/),
      status: 'pending',
      service: {
        acsURL: `http://api.test/sso/saml/${body.id}/acs`,
        startURL: `http://api.test/sso/saml/${body.id}/start`,
        entityID: `http://api.test/sso/saml/${body.id}/metadata`,
      },
      urls: { location: `http://api.test${url(body)}` },
    });
    expect((await api.call('GET', body.urls.location, { token: admin.token })).body).toEqual(body);
  });

  it('makes a provider that is active at once', async ({ organization, create, get }) => {
    const team = await buildTeam(organization, { title: 'New people' });
    const { body } = await create({
      label: 'x'.repeat(30),
      ...complete,
      defaultTeam: team._id,
      defaultRole: 'comment',
    });
    expect(body).toMatchObject({
      ...complete,
      status: 'active',
      defaultRole: 'comment',
      defaultTeam: { object: 'team', id: team._id, title: 'New people', members: 0 },
    });
    expect((await get(body)).body).toEqual(body);
  });

  it('keeps a certificate as it was given', async ({ create }) => {
    for (const certificate of [
      certificates.p256,
      pemOf(certificates.p256).replaceAll('\n', '\r\n'),
      ` ${pemOf(certificates.rsa2048)}\n`,
    ])
      expect((await create({ label: 'a', certificate })).body.certificate).toBe(certificate);
  });

  it('treats null and empty settings as not set', async ({ create }) => {
    const { status, body } = await create({
      label: 'a',
      entityID: '',
      certificate: '',
      ssoURL: null,
      defaultTeam: null,
      defaultRole: null,
    });
    expect([status, body.status]).toEqual([201, 'pending']);
    expect(body).not.toHaveProperty('ssoURL');
    expect(body).not.toHaveProperty('defaultTeam');
  });

  it.for([
    ['no label', { label: undefined }],
    ['an empty label', { label: '' }],
    ['a blank label', { label: '  ' }],
    ['a label of 31 characters', { label: 'x'.repeat(31) }],
    ['a label with NUL', { label: 'a\0' }],
    ['an entityID of 1025 characters', { entityID: 'x'.repeat(1025) }],
    ['an entityID that is a number', { entityID: 5 }],
    ['a URL of 2049 characters', { ssoURL: `https://a.example/${'x'.repeat(2031)}` }],
    ['a script as URL', { ssoURL: 'javascript:alert(1)' }],
    ['a file as URL', { ssoURL: 'file:///etc/passwd' }],
    ['no URL', { ssoURL: 'idp.example.org' }],
    ['an empty URL', { ssoURL: '' }],
    ['a URL with a login', { ssoURL: 'https://me:secret@idp.example.org/' }],
    ['a URL with a line break', { ssoURL: 'https://idp.example.org/\nx' }],
    ['a certificate of 10,001 characters', { certificate: 'A'.repeat(10_001) }],
    ['a role that is none', { defaultRole: 'owner' }],
    ['a team that is none', { defaultTeam: 'nothing' }],
    ['a team object', { defaultTeam: { id: 'nothing' } }],
  ] as const)('refuses %s', async ([, fields], { create }) => {
    const before = await SamlProvider.countDocuments();
    const { status, body } = await create({ label: 'x', ...complete, ...fields });
    expect([status, body.error.details[0].path]).toEqual([400, `body.${Object.keys(fields)[0]}`]);
    expect(await SamlProvider.countDocuments()).toBe(before);
  });

  it('refuses a team of another organization', async ({ elsewhere, create }) => {
    const team = await buildTeam(elsewhere.organization);
    expect((await create({ label: 'x', defaultTeam: team._id })).body.error.details[0].path).toBe(
      'body.defaultTeam',
    );
  });

  it('refuses a private key as certificate, and neither repeats nor logs it', async ({
    api,
    organization,
    create,
    get,
    patch,
  }) => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const before = await SamlProvider.countDocuments();
    const provider = await buildSamlProvider(organization);
    const base64 = privateKey.replaceAll(/-----.*-----|\n/g, '');
    for (const certificate of [privateKey, base64, pemOf(base64), pemOf(certificates.p256) + privateKey]) {
      for (const { status, text } of [
        await create({ label: 'x', certificate }),
        await patch(provider, { certificate }),
      ]) {
        expect(status).toBe(400);
        expect(text).not.toContain(base64.slice(100, 130));
      }
    }
    expect(await SamlProvider.countDocuments()).toBe(before + 1);
    expect((await get(provider)).body.certificate).toBe('');
    expect(api.logLines.join('\n')).not.toContain(base64.slice(100, 130));
    expect(api.logLines.join('\n')).not.toContain('BEGIN');
  });

  it('refuses text that is not a certificate, two certificates, a certificate request, and weak keys', async ({
    create,
  }) => {
    const { p256, p384, rsa1024, csr } = certificates;
    for (const certificate of [
      'garbage',
      pemOf('AAAA'),
      pemOf(p256) + pemOf(p256),
      pemOf(csr, 'CERTIFICATE REQUEST'),
      csr,
      rsa1024,
      pemOf(p384),
    ])
      expect((await create({ label: 'x', certificate })).body.error.details[0].path).toBe('body.certificate');
  });

  it('is for admins', async ({ admin, creator, reader, elsewhere, create }) => {
    for (const { token } of [creator, reader])
      expect((await create({ label: 'x', defaultRole: 'admin' }, { ...admin, token })).status).toBe(403);
    expect((await create({ label: 'x' }, elsewhere.admin)).status).toBe(404);
    // Callers have the highest role already, so nobody hands out more than they have.
    expect((await create({ label: 'x', defaultRole: 'admin' })).body.defaultRole).toBe('admin');
  });
});

describe('GET /v1/orgs/{organizationId}/saml', () => {
  it('lists the providers, newest first, with their teams', async ({ api }) => {
    const { organization: other, admin: boss } = await buildOrganization();
    const team = await buildTeam(other, { members: [[boss, 'owner']] });
    for (const [index, label] of ['c', 'a', 'b'].entries())
      await buildSamlProvider(other, {
        label,
        createdAt: new Date(Date.UTC(2026, 0, 1, index)),
        ...(label !== 'a' && { defaultTeam: team._id }),
      });
    const list = (query = '') => api.call('GET', `/v1/orgs/${other._id}/saml${query}`, { token: boss.token });
    const { body } = await list('?limit=2');
    expect([body.count, body.items.map(({ label }: { label: string }) => label)]).toEqual([3, ['b', 'a']]);
    expect(body.items[0].defaultTeam).toMatchObject({
      id: team._id,
      members: 1,
      permissions: { admin: true },
    });
    expect(body.items[1]).not.toHaveProperty('defaultTeam');
    const { body: rest } = await list(`?limit=2&page=${body.next.page}`);
    expect([rest.next, rest.items.map(({ label }: { label: string }) => label)]).toEqual([undefined, ['c']]);
  });

  it('answers only admins of the organization, for the list and for one provider', async ({
    api,
    organization,
    admin,
    creator,
    reader,
    elsewhere,
    url,
    get,
  }) => {
    const provider = await buildSamlProvider(organization);
    const ofOthers = await buildSamlProvider(elsewhere.organization);
    for (const path of [url(), url(provider)]) {
      expect((await api.call('GET', path, { token: admin.token })).status).toBe(200);
      for (const { token } of [reader, creator])
        expect((await api.call('GET', path, { token })).status).toBe(403);
      expect((await api.call('GET', path, { token: elsewhere.admin.token })).status).toBe(404);
    }
    expect((await get(ofOthers)).status).toBe(404);
    expect((await get({ id: 'nothing' })).status).toBe(404);
  });
});

describe('PATCH /v1/orgs/{organizationId}/saml/{samlProviderId}', () => {
  it('recomputes the status on every write', async ({ organization, patch }) => {
    const provider = await buildSamlProvider(organization);
    const statusAfter = async (json: object) => (await patch(provider, json)).body.status;
    expect(await statusAfter({ entityID: complete.entityID })).toBe('pending');
    expect(await statusAfter({ certificate: complete.certificate })).toBe('pending');
    expect(await statusAfter({ ssoURL: complete.ssoURL })).toBe('active');
    expect(await statusAfter({ label: 'Still' })).toBe('active');
    for (const taken of [{ entityID: '' }, { certificate: '' }, { ssoURL: null }, { entityID: '   ' }]) {
      expect(await statusAfter(taken)).toBe('pending');
      expect(await statusAfter(complete)).toBe('active');
    }
  });

  it('changes only the given fields', async ({ organization, create, patch }) => {
    const team = await buildTeam(organization);
    const { body: provider } = await create({
      label: 'Old',
      ...complete,
      defaultTeam: team._id,
      defaultRole: 'read',
    });
    expect((await patch(provider, { label: ' New ' })).body).toEqual({
      ...provider,
      label: 'New',
    });
    for (const json of [{ status: 'active' }, { id: 'x' }])
      expect((await patch(provider, json)).status).toBe(400);
    expect((await patch(provider, {})).body).toEqual({ ...provider, label: 'New' });
    expect((await patch(provider)).body).toEqual({ ...provider, label: 'New' });
    expect((await patch(provider, { defaultRole: null })).body.defaultRole).toBeNull();
    expect((await patch(provider, { defaultTeam: null })).body).not.toHaveProperty('defaultTeam');
  });

  it('refuses the fields that creation refuses, and changes nothing', async ({
    elsewhere,
    create,
    get,
    patch,
  }) => {
    const { body: provider } = await create({ label: 'Kept', ...complete });
    const team = await buildTeam(elsewhere.organization);
    for (const json of [
      ...[
        { label: '' },
        { label: null },
        { entityID: null },
        { certificate: null },
        { certificate: 'x' },
        { ssoURL: 'ftp://a.example' },
      ],
      ...[{ defaultRole: 'owner' }, { defaultTeam: team._id }, { label: 'New', defaultTeam: 'nothing' }],
    ])
      expect((await patch(provider, json)).status, JSON.stringify(json)).toBe(400);
    expect((await get(provider)).body).toEqual(provider);
  });

  it('is for admins', async ({ organization, creator, reader, elsewhere, patch }) => {
    const provider = await buildSamlProvider(organization);
    for (const other of [reader, creator])
      expect((await patch(provider, { label: 'x' }, other)).status).toBe(403);
    expect((await patch(provider, { label: 'x' }, elsewhere.admin)).status).toBe(404);
    expect((await patch({ id: 'nothing' }, { label: 'x' })).status).toBe(404);
  });

  it('changes only the state that If-Match names', async ({ organization, admin, get, patch }) => {
    const provider = await buildSamlProvider(organization);
    const etag = (await get(provider)).headers.get('etag') ?? '';
    expect((await patch(provider, { label: 'First' }, admin, { 'if-match': etag })).status).toBe(200);
    expect((await patch(provider, { label: 'Second' }, admin, { 'if-match': etag })).status).toBe(412);
    expect((await patch(provider, {}, admin, { 'if-match': etag })).status).toBe(412);
  });

  it('becomes active when two requests set different halves at once', async ({
    organization,
    get,
    patch,
  }) => {
    for (let round = 0; round < 5; round += 1) {
      const provider = await buildSamlProvider(organization, { entityID: complete.entityID });
      const answers = await Promise.all([
        patch(provider, { certificate: complete.certificate }),
        patch(provider, { ssoURL: complete.ssoURL }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect((await get(provider)).body.status).toBe('active');
    }
  });
});

describe('DELETE /v1/orgs/{organizationId}/saml/{samlProviderId}', () => {
  it('removes the provider, and answers 204 also when it does not exist', async ({
    api,
    organization,
    admin,
    creator,
    reader,
    elsewhere,
    url,
    get,
  }) => {
    const provider = await buildSamlProvider(organization);
    for (const other of [reader, creator])
      expect((await api.call('DELETE', url(provider), { token: other.token })).status).toBe(403);
    expect((await api.call('DELETE', url(provider), { token: elsewhere.admin.token })).status).toBe(404);
    const wrongPath = `/v1/orgs/${elsewhere.organization._id}/saml/${provider._id}`;
    expect((await api.call('DELETE', wrongPath, { token: elsewhere.admin.token })).status).toBe(204);
    expect((await get(provider)).status).toBe(200);
    for (let i = 0; i < 2; i += 1)
      expect((await api.call('DELETE', url(provider), { token: admin.token })).status).toBe(204);
    expect((await get(provider)).status).toBe(404);
  });
});

it('GET sso shows every member where to sign in', async ({ api, elsewhere }) => {
  const { organization: other, admin: boss } = await buildOrganization();
  const guest = await buildMember(other, null);
  const sso = async ({ token }: TestUser) => api.call('GET', `/v1/orgs/${other._id}/sso`, { token });
  expect((await sso(guest)).body).toEqual({ items: [] });
  await buildSamlProvider(other, { label: 'Unfinished' });
  const old = await buildSamlProvider(other, { label: 'Old', status: 'active', createdAt: new Date(0) });
  const young = await buildSamlProvider(other, { label: 'Young', status: 'active' });
  const login = ({ _id: id, label }: SamlProviderRecord) => ({
    id,
    label,
    startURL: `http://api.test/sso/saml/${id}/start`,
  });
  for (const who of [guest, boss])
    expect((await sso(who)).body).toEqual({ items: [login(young), login(old)] });
  expect((await sso(elsewhere.admin)).status).toBe(404);
});
