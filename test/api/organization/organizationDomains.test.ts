import { Member, type OrganizationRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { buildMember, buildOrganization, buildUser, type TestUser } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const newDomain = () => `${newId().toLowerCase()}.example`;

const it = base
  .extend(
    'patch',
    ({ api, organization, admin }) =>
      (emailDomains: unknown) =>
        api.call('PATCH', `/v1/orgs/${organization._id}`, { token: admin.token, json: { emailDomains } }),
  )
  .extend(
    'find',
    ({ api }) =>
      (domain: string, { token }: TestUser) =>
        api.call('GET', `/v1/email-domains/${domain}/orgs`, { token }),
  )
  .extend(
    'join',
    ({ api }) =>
      ({ _id }: Pick<OrganizationRecord, '_id'>, { token }: TestUser) =>
        api.call('POST', `/v1/orgs/${_id}/join`, { token }),
  );

describe('the e-mail domains of an organization', () => {
  it('are kept in lower case, each once', async ({ patch }) => {
    const { status, body } = await patch([
      'B.Example.org',
      'a.example.org',
      'b.example.ORG',
      'xn--bcher-kva.example',
    ]);
    expect(status).toBe(200);
    expect(body.emailDomains).toEqual(['b.example.org', 'a.example.org', 'xn--bcher-kva.example']);
  });

  it.for(
    [
      'a b',
      '*',
      '*.example.org',
      '@x',
      '@example.org',
      'ann@example.org',
      'x',
      '',
      '.org',
      'example.',
      'example..org',
      '-a.example',
      'a-.example',
      '127.0.0.1',
      'http://example.org',
      'example.org/x',
      'exämple.org',
      ' example.org',
      `${'a'.repeat(64)}.org`,
      `${'a.'.repeat(130)}org`,
      `${'a.'.repeat(60_000)}!`,
      5,
      null,
    ].map((domain) => [domain]),
  )('are host names, not %j', async ([domain], { patch }) => {
    const { status, body } = await patch(['ok.example.org', domain]);
    expect(status).toBe(400);
    expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual(['body.emailDomains[1]']);
  });

  it.for(['gmail.com', 'GMAIL.com', 'outlook.com', 'yahoo.co.uk', 'proton.me', 'qq.com', 'web.de'])(
    'cannot be domains of public e-mail providers: %s',
    async (domain, { patch }) => {
      const { status, body } = await patch([domain]);
      expect(status).toBe(400);
      expect(body.error.message).toContain('anyone can have an address');
    },
  );

  it('are at most a hundred', async ({ patch }) => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => `d${i}.example.org`);
    expect((await patch(many(100))).body.emailDomains).toHaveLength(100);
    expect((await patch(many(101))).status).toBe(400);
    expect((await patch(many(10_000))).status).toBe(400);
    expect((await patch([])).body.emailDomains).toEqual([]);
  });

  it('can be set when the organization is created', async ({ api, admin }) => {
    const create = (emailDomains: unknown) =>
      api.call('POST', '/v1/orgs?withDefaultSite=false', {
        token: admin.token,
        json: { title: 'New', emailDomains },
      });
    const { status, body } = await create(['Example.org']);
    expect([status, body.emailDomains]).toEqual([201, ['example.org']]);
    expect((await create(['gmail.com'])).status).toBe(400);
    expect((await create('example.org')).status).toBe(400);
    expect(
      (await api.call('POST', '/v1/orgs?withDefaultSite=1', { token: admin.token, json: { title: 'New' } }))
        .status,
    ).toBe(400);
  });
});

describe('GET /v1/email-domains/{emailDomain}/orgs', () => {
  it('lists the organizations that a user of the domain can join or has joined, with permissions', async ({
    api,
    find,
  }) => {
    const domain = newDomain();
    const user = await buildUser({ email: `ann@${domain}` });
    const first = await buildOrganization({ emailDomains: ['other.example', domain] });
    const second = await buildOrganization({ emailDomains: [domain] });
    await buildOrganization({ emailDomains: [`sub.${domain}`] });
    const joined = await api.call('POST', `/v1/orgs/${first.organization._id}/join`, { token: user.token });
    expect(joined.status).toBe(204);
    const { status, body } = await find(domain.toUpperCase(), user);
    expect(status).toBe(200);
    expect(body).toEqual({
      organizations: [
        expect.objectContaining({ id: second.organization._id }),
        expect.objectContaining({ id: first.organization._id }),
      ],
    });
    expect(Object.values(body.organizations[0].permissions)).not.toContain(true);
    expect(body.organizations[1].permissions).toMatchObject({ view: true, admin: false });
  });

  it('lists no organization to users of other domains', async ({ api, find }) => {
    const domain = newDomain();
    const { admin } = await buildOrganization({ emailDomains: [domain] });
    for (const asked of [domain, 'nothing', '%00', `${'x'.repeat(300)}`, '*', '%2e%2a', 'a%2Fb'])
      expect((await find(asked, admin)).body, asked).toEqual({ organizations: [] });
    expect((await api.call('GET', `/v1/email-domains/${domain}/orgs`)).status).toBe(401);
  });
});

describe('POST /v1/orgs/{organizationId}/join', () => {
  const roleOf = async ({ _id }: OrganizationRecord, { user }: TestUser) =>
    (await Member.findOne({ organization: _id, user: user._id }).lean())?.role;

  it('makes a user of the domain a member with the default role, or a guest without one', async ({
    api,
    join,
  }) => {
    const domain = newDomain();
    for (const defaultRole of ['comment', null] as const) {
      const { organization } = await buildOrganization({ emailDomains: [domain], defaultRole });
      const user = await buildUser({ email: `${newId()}@${domain.toUpperCase()}` });
      expect((await join(organization, user)).status).toBe(204);
      expect(await roleOf(organization, user)).toBe(defaultRole);
      expect((await api.call('GET', `/v1/orgs/${organization._id}`, { token: user.token })).status).toBe(200);
    }
  });

  it('leaves an existing member unchanged, whatever their address', async ({ join }) => {
    const { organization, admin } = await buildOrganization({
      emailDomains: [newDomain()],
      defaultRole: 'read',
    });
    const creator = await buildMember(organization, 'create');
    for (const member of [admin, creator]) expect((await join(organization, member)).status).toBe(204);
    expect([await roleOf(organization, admin), await roleOf(organization, creator)]).toEqual([
      'admin',
      'create',
    ]);
  });

  it('refuses users of other domains, and unknown organizations', async ({ join }) => {
    const domain = newDomain();
    const { organization } = await buildOrganization({ emailDomains: [domain] });
    for (const email of [
      `ann@sub.${domain}`,
      `ann@x${domain}`,
      `${domain}@other.example`,
      `"ann@${domain}"@other.example`,
    ]) {
      const user = await buildUser({ email });
      const { status, body } = await join(organization, user);
      expect([status, body.error.type]).toEqual([400, 'invalid_request']);
      expect(await roleOf(organization, user)).toBeUndefined();
    }
    expect((await join({ _id: 'nothing' }, await buildUser())).status).toBe(404);
    const { organization: closed } = await buildOrganization();
    expect((await join(closed, await buildUser({ email: `ann@${newDomain()}` }))).status).toBe(400);
  });
});
