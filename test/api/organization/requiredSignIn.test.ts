import {
  hashOfSecret,
  Member,
  Organization,
  samlProviderHash,
  signConsoleCredential,
  startConsoleSession,
  type MemberRecord,
  type SamlProviderRecord,
  type SessionStart,
} from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildInvite,
  buildMember,
  buildMembership,
  buildOrganization,
  buildSamlProvider,
  buildSite,
  buildSpace,
  buildToken,
  buildUser,
  type TestUser,
} from '../../support/factories.ts';
import { itInNewOrganization } from '../../support/it.ts';
import { runBindery } from '../../support/stores/backupCommands.ts';

const dayMs = 86_400_000;
const active = {
  entityID: 'https://idp.example.org',
  ssoURL: 'https://idp.example.org/sso',
  certificate: 'none',
  status: 'active',
} as const;

/** An organization that requires single sign-on, of `lin`, and not of its `admin`. */
const it = itInNewOrganization
  .extend('provider', async ({ organization }) => {
    const provider = await buildSamlProvider(organization, active);
    await Organization.updateOne({ _id: organization._id }, { $set: { sso: true } });
    return provider;
  })
  .extend('lin', async ({ organization, provider: _required }) => {
    const lin = await buildMember(organization, 'admin', { email: `lin-${organization._id}@docs.example` });
    const ofLin = { organization: organization._id, user: lin.user._id };
    await Member.updateOne(ofLin, { $set: { sso: true } });
    return lin;
  })
  .extend('path', ({ organization }) => `/v1/orgs/${organization._id}`)
  // The status of a read of the organization.
  .extend(
    'read',
    ({ api, path }) =>
      async (token: string) =>
        (await api.call('GET', path, { token })).status,
  )
  // A session of the console, as the API sees it.
  .extend('session', ({ api }) => async (start: SessionStart) => {
    const secret = await startConsoleSession({ ...start, userAgent: '' });
    const session = hashOfSecret(secret);
    return signConsoleCredential(api.config.secrets, { session, user: start.user });
  })
  .extend(
    'signIn',
    ({ session }) =>
      async ({ user }: TestUser, provider: SamlProviderRecord) =>
        session({
          user: user._id,
          signedInWith: 'provider',
          provider: provider._id,
          providerHash: samlProviderHash(provider),
        }),
  );

describe('required single sign-on', () => {
  it('cannot be bypassed by a token, a link, OpenID Connect or the provider of another organization', async ({
    lin,
    provider,
    read,
    session,
    signIn,
  }) => {
    const user = lin.user._id;
    const other = await buildOrganization();
    await buildMembership(other.organization, lin, 'read');
    const elsewhere = await buildSamlProvider(other.organization, active);
    const spaces = await buildToken(lin.user, { spaces: ['any'] });
    expect(await read(lin.token)).toBe(403);
    expect(await read(await session({ user, signedInWith: 'token', token: lin.tokenId }))).toBe(403);
    expect(await read(await session({ user, signedInWith: 'link' }))).toBe(403);
    expect(await read(await session({ user, signedInWith: 'openid', providerHash: '' }))).toBe(403);
    expect(await read(spaces.token)).toBe(403);
    // This one does not reach the organization in any case, and is told nothing.
    expect(await read(await signIn(lin, elsewhere))).toBe(404);
    expect(await read(await signIn(lin, provider))).toBe(200);
  });

  it('tells the caller how to sign in', async ({ api, lin, path }) => {
    const { body } = await api.call('GET', path, { token: lin.token });
    expect(body.error).toMatchObject({
      type: 'forbidden',
      message: expect.stringContaining('requires single sign-on'),
      action: expect.stringContaining('Sign in to the console through the identity provider'),
    });
  });

  it('does not apply to members for whom it is off, nor to other organizations', async ({
    admin,
    lin,
    organization,
    provider,
    read,
    signIn,
    api,
  }) => {
    expect(await read(admin.token)).toBe(200);
    const other = await buildOrganization();
    await buildMembership(other.organization, lin, 'read');
    const listed = await api.call('GET', '/v1/orgs', { token: lin.token });
    const ids = (listed.body.items as { id: string }[]).map(({ id }) => id);
    expect(ids).toEqual([other.organization._id]);
    const own = await api.call('GET', '/v1/orgs', { token: await signIn(lin, provider) });
    expect((own.body.items as { id: string }[]).map(({ id }) => id)).toEqual([organization._id]);
  });

  it('ends when the organization turns it off', async ({ api, admin, lin, path, read }) => {
    const { status } = await api.call('PATCH', path, { token: admin.token, json: { sso: false } });
    expect([status, await read(lin.token)]).toEqual([200, 200]);
  });

  it('ends when the operator turns it off, after a provider has failed', async ({
    lin,
    organization,
    read,
  }) => {
    const { code, output } = await runBindery(['sso', 'off', organization._id]);
    expect([code, output]).toEqual([0, expect.stringContaining('no longer requires single sign-on')]);
    expect(await read(lin.token)).toBe(200);
    expect((await runBindery(['sso', 'off', 'unknown'])).code).toBe(1);
  });

  it('refuses to claim a hostname for a site of the organization', async ({ api, lin, organization }) => {
    const site = await buildSite(organization);
    const { status, text } = await api.call('PUT', '/v1/custom-hostnames/docs.linden.example', {
      token: lin.token,
      json: { target: { type: 'site', site: site._id } },
    });
    expect([status, text]).toEqual([400, expect.stringContaining('a site that you may see')]);
  });
});

describe('a token that is made after single sign-on', () => {
  const made = { label: 'For scripts' };

  it('reaches the organization for at most 90 days, and creates tokens that reach it too', async ({
    api,
    lin,
    provider,
    read,
    signIn,
    organization,
  }) => {
    const token = await signIn(lin, provider);
    const first = await api.call('POST', '/v1/user/tokens', { token, json: made });
    expect(first.status, first.text).toBe(201);
    expect(first.body.organizations).toEqual([organization._id]);
    const days = (Date.parse(first.body.expiresAt as string) - Date.now()) / dayMs;
    expect(days).toBeGreaterThan(89);
    expect(days).toBeLessThanOrEqual(90);
    expect(await read(first.body.token)).toBe(200);
    const second = await api.call('POST', '/v1/user/tokens', { token: first.body.token, json: made });
    expect(await read(second.body.token)).toBe(200);

    const late = { ...made, expiresAt: new Date(Date.now() + 91 * dayMs).toISOString() };
    const refused = await api.call('POST', '/v1/user/tokens', { token, json: late });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('90 days')]);
    const elsewhere = { ...made, organizations: [(await buildOrganization()).organization._id] };
    expect((await api.call('POST', '/v1/user/tokens', { token, json: elsewhere })).status).toBe(400);

    const listed = await api.call('GET', '/v1/user/tokens', { token });
    expect((listed.body.items as { id: string }[]).map(({ id }) => id)).toEqual([
      second.body.id,
      first.body.id,
    ]);
    const revoked = await api.call('DELETE', `/v1/user/tokens/${first.body.id}`, { token });
    expect([revoked.status, await read(first.body.token), await read(second.body.token)]).toEqual([
      204, 401, 401,
    ]);
    expect((await api.call('DELETE', `/v1/user/tokens/${lin.tokenId}`, { token })).status).toBe(204);
    expect((await api.call('GET', '/v1/user', { token: lin.token })).status).toBe(200);
  });

  it('is revoked when the provider is deleted', async ({
    api,
    admin,
    lin,
    organization,
    path,
    provider,
    read,
    signIn,
  }) => {
    const { body } = await api.call('POST', '/v1/user/tokens', {
      token: await signIn(lin, provider),
      json: made,
    });
    await buildSamlProvider(organization, active);
    expect(await read(body.token)).toBe(200);
    const { status } = await api.call('DELETE', `${path}/saml/${provider._id}`, { token: admin.token });
    expect([status, await read(body.token)]).toEqual([204, 401]);
  });
});

describe('an admin who turns on required single sign-on', () => {
  it('must have signed in through the provider when it applies to the admin too', async ({
    api,
    admin,
    lin,
    path,
    provider,
    signIn,
  }) => {
    const patch = async (token: string, sso: boolean) => api.call('PATCH', path, { token, json: { sso } });
    await patch(admin.token, false);
    const refused = await patch(lin.token, true);
    expect([refused.status, refused.text]).toEqual([412, expect.stringContaining('lock yourself out')]);
    expect((await patch(await signIn(lin, provider), true)).status).toBe(200);
  });
});

describe('a user who joins an organization that requires single sign-on', () => {
  const memberOf = async (organization: string, { user }: TestUser) =>
    Member.findOne({ organization, user: user._id }).lean<MemberRecord>();

  it('signs in through the provider if the address is in a proven domain', async ({
    api,
    admin,
    organization,
    path,
    provider: _required,
  }) => {
    await Organization.updateOne(
      { _id: organization._id },
      { $set: { provenEmailDomains: ['linden.example'] } },
    );
    const [joins, redeems, stranger] = [
      await buildUser({ email: `a-${organization._id}@linden.example` }),
      await buildUser({ email: `b-${organization._id}@linden.example` }),
      await buildUser(),
    ];
    const invite = await buildInvite(organization);
    const redeem = async ({ token }: TestUser) =>
      (await api.call('POST', `${path}/invites/${invite._id}`, { token })).status;
    expect((await api.call('POST', `${path}/join`, { token: joins.token })).status).toBeLessThan(300);
    expect([await redeem(redeems), await redeem(stranger)]).toEqual([200, 200]);
    const members = [joins, redeems, stranger].map(async (one) => memberOf(organization._id, one));
    expect((await Promise.all(members)).map((member) => member?.sso ?? false)).toEqual([true, true, false]);
    const email = `c-${organization._id}@linden.example`.toLowerCase();
    await api.call('POST', `${path}/invites`, { token: admin.token, json: { emails: [email] } });
    expect(await Member.findOne({ organization: organization._id, email }).lean()).toMatchObject({
      sso: true,
    });
  });

  it('cannot bypass it by leaving and joining again', async ({ api, lin, path, organization, read }) => {
    const leave = await api.call('DELETE', `${path}/members/${lin.user._id}`, { token: lin.token });
    expect(leave.status).toBe(403);
    const space = await buildSpace(organization);
    expect((await api.call('GET', `/v1/spaces/${space._id}`, { token: lin.token })).status).toBe(403);
    expect(await read(lin.token)).toBe(403);
  });
});
