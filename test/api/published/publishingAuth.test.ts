import { PublishingAuth } from '@bindery/models';
import { verifyVisitorToken } from '@bindery/publishing';
import { describe, expect } from 'vitest';
import { buildMember, buildOrganization, buildSite } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { signVisitorToken } from '../../support/http/visitorToken.ts';

const it = base
  .extend('site', ({ organization }) => buildSite(organization, { visibility: 'visitor-auth' }))
  .extend(
    'url',
    ({ organization, site }) =>
      (path = '', { _id } = site) =>
        `/v1/orgs/${organization._id}/sites/${_id}/publishing/auth${path}`,
  )
  .extend(
    'call',
    ({ api, admin, url }) =>
      (method: string, json?: unknown, { path = '', token = admin.token, headers = {} } = {}) =>
        api.call(method, url(path), { token, headers, ...(json !== undefined && { json }) }),
  );

describe('GET .../publishing/auth', () => {
  it('creates a key on the first request, and returns the same key afterwards', async ({ call }) => {
    const { status, body } = await call('GET');
    expect([status, body]).toEqual([
      200,
      { object: 'publishing-auth', backend: 'custom', privateKey: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect((await call('GET')).body).toEqual(body);
  });

  it('creates one key for a site, however many requests arrive at once', async ({ site, call }) => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('GET')));
    expect(new Set(answers.map(({ body }) => body.privateKey)).size).toBe(1);
    expect(await PublishingAuth.countDocuments({ _id: site._id })).toBe(1);
  });

  it('keeps the key out of the log, and out of the database in plain text', async ({ api, site, call }) => {
    const { body } = await call('GET');
    expect(JSON.stringify(await PublishingAuth.findById(site._id).lean())).not.toContain(body.privateKey);
    expect(api.logLines.join('')).not.toContain(body.privateKey);
  });

  it('has another key for each site', async ({ api, organization, admin, url, call }) => {
    const { body } = await call('GET');
    const other = await api.call('GET', url('', await buildSite(organization)), { token: admin.token });
    expect(other.body.privateKey).not.toBe(body.privateKey);
  });
});

describe('PATCH .../publishing/auth', () => {
  it('changes the given fields, clears a field with null, and keeps the key', async ({ call }) => {
    const { body: first } = await call('GET');
    const { status, body } = await call('PATCH', {
      backend: 'integration',
      fallbackURL: 'https://example.org/in',
      logoutURL: 'https://example.org/out',
    });
    expect([status, body]).toEqual([
      200,
      {
        ...first,
        backend: 'integration',
        fallbackURL: 'https://example.org/in',
        logoutURL: 'https://example.org/out',
      },
    ]);
    expect((await call('GET')).body).toEqual(body);
    expect((await call('PATCH', { fallbackURL: null, backend: 'custom' })).body).toEqual({
      ...first,
      logoutURL: body.logoutURL,
    });
    expect((await call('PATCH', { logoutURL: null })).body).toEqual(first);
  });

  it.for([undefined, {}])('is not changed by %j', async (json, { call }) => {
    const { body } = await call('GET');
    expect((await call('PATCH', json)).body).toEqual(body);
  });

  it('refuses a key that the caller chooses', async ({ call }) => {
    expect((await call('PATCH', { privateKey: 'mine' })).body.error.details).toEqual([
      { path: 'body.privateKey', message: 'is not a known field' },
    ]);
  });

  it('creates the key also when it was not requested before', async ({ call }) => {
    const { body } = await call('PATCH', { fallbackURL: 'https://example.org' });
    expect((await call('GET')).body).toEqual(body);
  });

  it.for([
    { backend: 'saml' },
    { backend: null },
    { fallbackURL: 'javascript:alert(1)' },
    { fallbackURL: '/in' },
    { fallbackURL: '' },
    { fallbackURL: 'https://user:secret@example.org' },
    { logoutURL: `https://example.org/${'x'.repeat(2048)}` },
    { logoutURL: 5 },
    [],
  ])('refuses %j', async (json, { call }) => {
    const { body: before } = await call('GET');
    const { status, text } = await call('PATCH', json);
    expect(status).toBe(400);
    expect(text).not.toContain('secret');
    expect((await call('GET')).body).toEqual(before);
  });

  it('is not overwritten by a caller who read an older version', async ({ call }) => {
    const tag = (await call('GET')).headers.get('etag') ?? '';
    expect(
      (await call('PATCH', { fallbackURL: 'https://a.org' }, { headers: { 'if-match': tag } })).status,
    ).toBe(200);
    expect(
      (await call('PATCH', { fallbackURL: 'https://b.org' }, { headers: { 'if-match': tag } })).status,
    ).toBe(412);
  });
});

describe('POST .../publishing/auth/regenerate', () => {
  it('replaces only the key, and invalidates tokens of the old key', async ({ api, site, call }) => {
    const verify = async (given: string) => verifyVisitorToken(api.config.secrets, { site, token: given });
    const { body: before } = await call('PATCH', { fallbackURL: 'https://example.org/in' });
    const sign = (key: string) =>
      signVisitorToken({ exp: Math.floor(Date.now() / 1000) + 3600 }, { key: Buffer.from(key) });
    const token = sign(before.privateKey);
    expect(await verify(token)).toEqual({});

    const { status, body } = await call('POST', undefined, { path: '/regenerate' });
    expect([status, body]).toEqual([200, { ...before, privateKey: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    expect(body.privateKey).not.toBe(before.privateKey);
    expect((await call('GET')).body).toEqual(body);
    expect(await verify(token)).toBeUndefined();
    expect(await verify(sign(body.privateKey))).toEqual({});
  });
});

it('only admins of the site see and change its publishing auth', async ({ organization, call }) => {
  const creator = await buildMember(organization, 'create');
  const { admin: outsider } = await buildOrganization();
  const { body } = await call('GET');
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['POST', '/regenerate'],
  ] as const) {
    for (const [{ token }, status] of [
      [creator, 403],
      [outsider, 404],
    ] as const) {
      const answer = await call(method, method === 'GET' ? undefined : {}, { path, token });
      expect([method, answer.status]).toEqual([method, status]);
    }
  }
  expect((await call('GET')).body).toEqual(body);
});

it('the publishing auth is removed with its site', async ({ api, admin, site, url, call }) => {
  await call('GET');
  await api.call('DELETE', url().replace('/publishing/auth', ''), { token: admin.token });
  expect(await PublishingAuth.countDocuments({ _id: site._id })).toBe(0);
});
