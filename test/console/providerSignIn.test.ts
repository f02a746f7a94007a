import { ConsoleSession, Organization, SamlProvider, User, type UserRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { serviceOf } from '@bindery/sign-in';
import { it as base } from '../support/console/consoleIt.ts';
import { startConsole, type Visitor } from '../support/console/consoleServer.ts';
import { buildMembership, buildOrganization, buildToken } from '../support/factories.ts';
import { makeKeys, startIdentityProvider } from '../support/sign-in/identityProvider.ts';
import { ada, buildSignIn, postResponse } from '../support/sign-in/samlProvider.ts';

const it = base
  .extend('idp', { scope: 'file' }, async ({ api: _started }, { onCleanup }) => {
    const idp = await startIdentityProvider('');
    onCleanup(idp.close);
    return idp;
  })
  .extend('provider', ({ organization, idp }) => buildSignIn(organization, idp))
  // As a browser that is signed in at the provider: to the provider, to the API, and back to the console.
  .extend('respond', ({ api, idp, provider }) => async (from: Visitor) => {
    const start = await from.get(`/sign-in/saml/${provider._id}`);
    expect(start.status).toBe(303);
    const { acsUrl } = serviceOf(api.config.api.publicUrl, provider._id);
    const url = start.headers.get('location') ?? '';
    const { response } = await idp.answer(url, { recipient: acsUrl }, ada);
    const answer = await postResponse(api, acsUrl, response);
    const location = new URL(answer.headers.get('location') ?? expect.fail(answer.text));
    expect(location.origin).toBe(api.config.console.url);
    return location.pathname + location.search;
  })
  .extend(
    'signIn',
    ({ respond }) =>
      async (from: Visitor, back = from) =>
        back.get(await respond(from)),
  );

describe('single sign-on', () => {
  it('leads from an e-mail address to the provider, and from there into a session', async ({
    visitor,
    provider,
    signIn,
  }) => {
    const offered = await visitor.get('/sign-in/provider?email=Ada%40Docs.example');
    expect(offered.text).toContain(`<a href="/sign-in/saml/${provider._id}">Continue with Docs Inc.</a>`);
    const ended = await signIn(visitor);
    expect([ended.status, ended.headers.get('location')]).toEqual([303, '/']);
    expect((await visitor.get('/')).text).toContain('Ada Lovelace');
    expect((await visitor.get('/sessions')).text).toContain('by single sign-on');
  });

  it('answers 404 for an address without a provider', async ({ visitor, organization, provider }) => {
    for (const email of ['ada@elsewhere.example', 'nobody', '']) {
      const answer = await visitor.get(`/sign-in/provider?email=${encodeURIComponent(email)}`);
      expect(answer.status).toBe(404);
      expect(answer.text).not.toContain('Continue with');
    }
    await Organization.updateOne({ _id: organization._id }, { $set: { provenEmailDomains: [] } });
    expect((await visitor.get('/sign-in/provider?email=ada@docs.example')).status).toBe(404);
    await SamlProvider.updateOne({ _id: provider._id }, { $set: { status: 'pending' } });
    for (const id of [provider._id, 'unknown'])
      expect((await visitor.get(`/sign-in/saml/${id}`)).status).toBe(404);
  });

  it('does not sign in a browser that opens the end of the sign-in of another browser', async ({
    server,
    visitor,
    signIn,
  }) => {
    const victim = server.visitor();
    const page = await signIn(visitor, victim);
    expect(page.status).toBe(403);
    expect(victim.cookie()).toBeUndefined();
    expect(page.text).toContain('started in another browser');
    expect((await victim.get('/sign-in/saml/end')).status).toBe(403);
  });

  it('gives access only to the organization of the provider, and to the sessions of the provider', async ({
    api,
    visitor,
    server,
    organization,
    signIn,
  }) => {
    await signIn(visitor);
    const known = await User.findOne({ email: 'ada@docs.example' }).lean<UserRecord>();
    const { token } = await buildToken(known ?? expect.fail('There is no such user.'));
    const elsewhere = await buildOrganization({ title: 'Elsewhere' });
    await buildMembership(elsewhere.organization, { user: known!, token, tokenId: '' }, 'admin');
    const byToken = server.visitor();
    await byToken.signIn(token);
    expect((await byToken.get('/')).text).toContain('Elsewhere');

    const home = await visitor.get('/');
    expect(home.status).toBe(200);
    expect(home.text).toContain(organization.title);
    expect(home.text).not.toContain('Elsewhere');
    const other = `/organizations/${elsewhere.organization._id}`;
    expect((await byToken.get(other)).status).toBe(200);
    expect((await visitor.get(other)).status).toBe(404);

    expect((await visitor.get('/sessions')).text).not.toContain('with a token');
    await visitor.post('/sessions/end-others');
    expect((await byToken.get('/')).status).toBe(200);
    expect(api.logLines.join()).not.toContain(token);
  });

  it('creates tokens for an organization that requires it, and names the place to sign in', async ({
    api,
    visitor,
    server,
    organization,
    provider,
    signIn,
    onTestFinished,
  }) => {
    await Organization.updateOne({ _id: organization._id }, { $set: { sso: true } });
    onTestFinished(async () => void (await Organization.updateOne({ sso: true }, { $set: { sso: false } })));
    await signIn(visitor);
    const user = await User.findOne({ email: 'ada@docs.example' }).lean<UserRecord>();
    const made = await visitor.post('/tokens', { label: 'For <scripts>', days: '30', 'scope-read': 'true' });
    const [token = ''] = /bnd_\w+/.exec(made.text) ?? [];
    expect(made.text).toContain('For &lt;scripts&gt;');
    const path = `/v1/orgs/${organization._id}`;
    expect((await api.call('GET', path, { token })).status).toBe(200);
    const { text } = await visitor.get('/tokens');
    expect(text).not.toContain(token);
    const late = await visitor.post('/tokens', { label: 'Late', days: '91' });
    expect([late.status, late.text]).toEqual([400, expect.stringContaining('90 days after the sign-in')]);
    for (const days of ['soon', '99999'])
      expect((await visitor.post('/tokens', { label: 'Odd', days })).status).toBe(400);
    const [, revoke = ''] = /action="(\/tokens\/\w+\/revoke)"/.exec(text) ?? [];
    await visitor.post(revoke, { confirm: 'true' });
    expect((await api.call('GET', path, { token })).status).toBe(401);

    const other = server.visitor();
    const before = await buildToken(user ?? expect.fail('There is no such user.'));
    await other.signIn(before.token);
    const overview = await other.get('/');
    expect(overview.text).toContain(`${organization.title} requires single sign-on.`);
    expect(overview.text).toContain(`href="/sign-in/saml/${provider._id}"`);
    const refused = await other.get(`/organizations/${organization._id}`);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Sign in to the console')]);
    expect(server.log.join('')).not.toContain(token);
  });

  it('asks for a confirmation when another site links to it', async ({ visitor, provider, idp }) => {
    for (const site of ['cross-site', 'same-site']) {
      const asked = await visitor.ask(`/sign-in/saml/${provider._id}`, {
        headers: { 'sec-fetch-site': site },
      });
      expect(asked.status).toBe(200);
      expect(asked.headers.get('set-cookie')).toBeNull();
      expect(asked.text).toContain(`${new URL(idp.ssoUrl).host} will be asked who you are.`);
      expect(asked.text).toContain(`href="/sign-in/saml/${provider._id}"`);
    }
  });

  it('limits the rate of sign-ins of one address', async ({ api, provider }) => {
    const server = await startConsole(api);
    const visitor = server.visitor();
    for (let start = 0; start < 60; start += 1)
      expect((await visitor.get(`/sign-in/saml/${provider._id}`)).status).toBe(303);
    expect((await visitor.get(`/sign-in/saml/${provider._id}`)).status).toBe(429);
    await server.close();
  });

  it.for<[string, (provider: { _id: string }) => Promise<unknown>]>([
    ['is deleted', async (provider) => SamlProvider.deleteOne(provider)],
    ['is disabled', async (provider) => SamlProvider.updateOne(provider, { $set: { status: 'pending' } })],
    [
      'gets another entity ID',
      async (provider) => SamlProvider.updateOne(provider, { $set: { entityID: 'https://idp.example/new' } }),
    ],
    [
      'gets another certificate',
      async (provider) => SamlProvider.updateOne(provider, { $set: { certificate: makeKeys().cert } }),
    ],
  ])('ends at the next request when the provider %s', async ([, change], { visitor, provider, signIn }) => {
    await signIn(visitor);
    expect((await visitor.get('/')).status).toBe(200);
    await change({ _id: provider._id });
    expect((await visitor.get('/')).status).toBe(303);
  });

  it('continues when another setting of the provider changes', async ({
    api,
    admin,
    visitor,
    organization,
    provider,
    signIn,
  }) => {
    await signIn(visitor);
    const { certificate = '' } = provider;
    const changes = {
      label: 'Renamed',
      ssoURL: 'https://idp.example/moved',
      defaultRole: 'read',
      // As a form of the console sends it.
      certificate: certificate.replaceAll('\n', '\r\n'),
    };
    const path = `/v1/orgs/${organization._id}/saml/${provider._id}`;
    expect((await api.call('PATCH', path, { token: admin.token, json: changes })).status).toBe(200);
    expect((await visitor.get('/')).status).toBe(200);
  });

  it('starts no session when the provider changes between its response and the end', async ({
    visitor,
    provider,
    respond,
  }) => {
    const end = await respond(visitor);
    await SamlProvider.updateOne({ _id: provider._id }, { $set: { certificate: makeKeys().cert } });
    await visitor.get(end);
    expect((await visitor.get('/')).status).toBe(303);
  });

  it('replaces the session of the browser, and stores no session secret', async ({
    visitor,
    admin,
    signIn,
  }) => {
    await visitor.signIn(admin.token);
    const before = visitor.cookie();
    await signIn(visitor);
    expect(visitor.cookie()).not.toBe(before);
    expect(await ConsoleSession.countDocuments({ user: admin.user._id })).toBe(0);
    const stored = JSON.stringify(await ConsoleSession.find().lean());
    expect(stored).not.toContain(visitor.cookie());
  });

  it('sets cookies that are bound to this host over TLS', async ({ api, provider }) => {
    const server = await startConsole(api, { url: 'https://console.example' });
    const start = await server.visitor().get(`/sign-in/saml/${provider._id}`);
    expect(start.headers.get('set-cookie')).toMatch(
      /^__Host-bindery_sign_in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/,
    );
    await server.close();
  });
});
