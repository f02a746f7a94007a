import { Organization } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import {
  buildMember,
  buildOrganization,
  buildSamlProvider,
  buildSite,
  buildSpace,
} from '../../support/factories.ts';
import { itInNewOrganization as base } from '../../support/it.ts';

const it = base
  .extend('home', ({ api: _started }) => buildOrganization({ title: 'Before' }))
  .extend(
    'get',
    ({ api, organization, admin }) =>
      () =>
        api.call('GET', `/v1/orgs/${organization._id}`, { token: admin.token }),
  )
  .extend(
    'patch',
    ({ api, organization, admin }) =>
      (json: unknown, { token } = admin, headers = {}) =>
        api.call('PATCH', `/v1/orgs/${organization._id}`, { token, json, headers }),
  );

describe('PATCH /v1/orgs/{organizationId}', () => {
  it('changes everything at once, and shows it to every member', async ({
    api,
    organization,
    get,
    patch,
  }) => {
    await buildSamlProvider(organization, { status: 'active' });
    const { _id: site } = await buildSite(organization);
    const hostname = `host-${newId().toLowerCase()}`;
    const change = {
      title: '  After & Söhne ',
      emailDomains: ['Example.ORG', 'sub.example.net'],
      hostname,
      defaultRole: 'comment',
      defaultContent: { type: 'site', site },
      logo: 'https://example.org/logo.png',
      sso: true,
      ai: true,
      inviteLinks: false,
    };
    const { logo, ...rest } = change;
    const { status, body } = await patch(change);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...rest,
      title: 'After & Söhne',
      emailDomains: ['example.org', 'sub.example.net'],
      urls: { logo },
    });
    expect((await get()).body).toEqual(body);
    const guest = await buildMember(organization, null);
    const seen = await api.call('GET', `/v1/orgs/${organization._id}`, { token: guest.token });
    expect(seen.body).toMatchObject({
      title: 'After & Söhne',
      hostname,
      sso: true,
      permissions: { admin: false },
    });
  });

  it('keeps fields that are not named, and clears a field with null', async ({ organization, patch }) => {
    const { _id: site } = await buildSite(organization);
    await patch({
      defaultContent: { type: 'site', site },
      logo: 'http://example.org/l',
      emailDomains: ['a.example'],
      defaultRole: null,
    });
    expect((await patch({ title: 'Other' })).body).toMatchObject({
      title: 'Other',
      defaultContent: { type: 'site', site },
      urls: { logo: 'http://example.org/l' },
      emailDomains: ['a.example'],
      defaultRole: null,
    });
    const { body } = await patch({ defaultContent: null, logo: null, emailDomains: [] });
    expect(body).not.toHaveProperty('defaultContent');
    expect(body.urls).not.toHaveProperty('logo');
    expect(body.emailDomains).toEqual([]);
    for (const json of [{}, undefined]) expect((await patch(json)).body).toEqual(body);
  });

  it('the default role is the level of spaces that inherit it', async ({
    api,
    organization,
    admin,
    patch,
  }) => {
    const space = await buildSpace(organization);
    const level = async () =>
      (await api.call('GET', `/v1/spaces/${space._id}`, { token: admin.token })).body.defaultLevel;
    expect(await level()).toBe('read');
    await patch({ defaultRole: 'edit' });
    expect(await level()).toBe('edit');
    await patch({ defaultRole: null });
    expect(await level()).toBeNull();
  });

  it.for<readonly [field: string, value: unknown]>([
    ['title', 'a'],
    ['title', '   '],
    ['title', null],
    ['title', 'x'.repeat(256)],
    ['title', 'a\0b'],
    ['hostname', 'ab'],
    ['hostname', 'xn--pple-43d'],
    ['hostname', 'x'.repeat(33)],
    ['hostname', '-abc'],
    ['hostname', 'abc-'],
    ['hostname', 'Abc'],
    ['hostname', 'a.bc'],
    ['hostname', 'a_bc'],
    ['hostname', 'a/bc'],
    ['hostname', 'äbcd'],
    ['hostname', null],
    ['hostname', ''],
    ...['docs', 'files', 'admin', 'healthz', 'readyz', 'metrics', 'sso', 'openapi'].map(
      (name) => ['hostname', name] as const,
    ),
    ['defaultRole', 'owner'],
    ['defaultRole', ''],
    ['logo', 'javascript:alert(1)'],
    ['logo', 'https://user:pw@example.org/a'],
    ['logo', `https://example.org/${'x'.repeat(2048)}`],
    ['logo', ''],
    ['sso', 'yes'],
    ['ai', 1],
    ['inviteLinks', null],
    ['emailDomains', null],
    ['emailDomains', 'example.org'],
  ])('refuses %s = %j and changes nothing', async ([field, value], { get, patch }) => {
    const before = (await get()).body;
    const { status, body } = await patch({ title: 'New title', [field]: value });
    expect(status).toBe(400);
    expect(body.error.details.map(({ path }: { path: string }) => path)).toContain(`body.${field}`);
    expect((await get()).body).toEqual(before);
  });

  it.for<readonly [name: string, siteOf: () => Promise<string>]>([
    ['unknown', async () => 'nothing'],
    ['of another organization', async () => (await buildSite((await buildOrganization()).organization))._id],
  ])('refuses as default content a site that is %s', async ([, siteOf], { get, patch }) => {
    const { status, body } = await patch({ defaultContent: { type: 'site', site: await siteOf() } });
    expect([status, body.error.details[0].path]).toEqual([400, 'body.defaultContent.site']);
    for (const defaultContent of [{ type: 'space', site: 'x' }, { type: 'site' }, {}, 'x'])
      expect((await patch({ defaultContent })).status).toBe(400);
    expect((await get()).body).not.toHaveProperty('defaultContent');
  });

  it('refuses a hostname of another organization, also when several take it at once', async ({
    api,
    get,
    patch,
  }) => {
    const hostname = `taken-${newId().toLowerCase()}`;
    const others = await Promise.all([1, 2, 3, 4].map(() => buildOrganization()));
    const answers = await Promise.all(
      others.map(({ organization: { _id }, admin: { token } }) =>
        api.call('PATCH', `/v1/orgs/${_id}`, { token, json: { hostname } }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    const { status, body } = await patch({ hostname, title: 'Changed too' });
    expect([status, body.error.type]).toEqual([409, 'conflict']);
    expect((await get()).body.title).toBe('Before');
    // Its own it may name again.
    const winner = others[answers.findIndex((answer) => answer.status === 200)];
    const again = await api.call('PATCH', `/v1/orgs/${winner?.organization._id}`, {
      token: winner?.admin.token,
      json: { hostname },
    });
    expect(again.status).toBe(200);
  });

  it('enforces sign-in through a provider only when there is a working provider', async ({
    organization,
    get,
    patch,
  }) => {
    const refused = await patch({ sso: true, title: 'Changed too' });
    expect([refused.status, refused.body.error.type]).toEqual([412, 'precondition_failed']);
    await buildSamlProvider(organization, { status: 'pending' });
    await buildSamlProvider((await buildOrganization()).organization, { status: 'active' });
    expect((await patch({ sso: true })).status).toBe(412);
    expect((await get()).body).toMatchObject({ title: 'Before', sso: false });
    expect((await patch({ sso: false })).status).toBe(200);
    await buildSamlProvider(organization, { status: 'active' });
    expect((await patch({ sso: true })).body.sso).toBe(true);
    // The tokens of members who sign in otherwise keep working.
    expect((await get()).status).toBe(200);
  });

  it('is for admins', async ({ organization, get, patch }) => {
    for (const role of ['create', 'read', null] as const)
      expect((await patch({ title: 'Mine' }, await buildMember(organization, role))).status).toBe(403);
    expect((await patch({ title: 'Mine' }, (await buildOrganization()).admin)).status).toBe(404);
    expect((await get()).body.title).toBe('Before');
  });

  it('changes only the state that `If-Match` names', async ({ admin, get, patch }) => {
    const etag = (await get()).headers.get('etag') ?? '';
    const first = await patch({ title: 'First' }, admin, { 'If-Match': etag });
    expect([first.status, first.headers.get('etag')]).toEqual([200, (await get()).headers.get('etag')]);
    expect((await patch({ title: 'Second' }, admin, { 'If-Match': etag })).status).toBe(412);
    expect((await patch({ title: 'Third' }, admin, { 'If-Match': '*' })).status).toBe(200);
    const answers = await Promise.all(
      ['a1', 'b1', 'c1'].map((title) =>
        patch({ title }, admin, { 'If-Match': first.headers.get('etag') ?? '' }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([412, 412, 412]);
  });

  it('treats an empty body as no change, and keeps the ETag', async ({ admin, get, patch }) => {
    const before = await get();
    const etag = before.headers.get('etag');
    const { body, headers } = await patch({});
    expect([body, headers.get('etag')]).toEqual([before.body, etag]);
    expect((await patch({ title: 'Seen' }, admin, { 'If-Match': etag ?? '' })).status).toBe(200);
    expect((await patch({}, admin, { 'If-Match': etag ?? '' })).status).toBe(412);
  });

  it('changes no field that callers may not set', async ({ organization, patch }) => {
    const { status, body } = await patch({
      id: 'x',
      type: 'community',
      plan: 'free',
      permissions: {},
      createdAt: 'x',
      mergeRules: {},
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: organization._id, type: 'business', plan: 'enterprise_2024' });
    expect((await patch({ treeVersion: 9 })).status).toBe(400);
    expect((await Organization.findById(organization._id).lean())?.treeVersion).toBeUndefined();
  });
});
