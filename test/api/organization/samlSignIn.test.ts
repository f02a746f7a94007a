import {
  endSamlSignIn,
  Member,
  SamlProvider,
  SamlSignIn,
  startSamlSignIn,
  User,
  type MemberRecord,
  type UserRecord,
} from '@bindery/models';
import { createSamlReader, issuerOf, serviceOf } from '@bindery/sign-in';
import { describe, expect } from 'vitest';
import { buildMember, buildSamlProvider, buildTeam, buildUser } from '../../support/factories.ts';
import { itInNewOrganization } from '../../support/it.ts';
import {
  startIdentityProvider,
  type IdpSettings,
  type IdpUser,
} from '../../support/sign-in/identityProvider.ts';
import { ada, buildSignIn, postResponse } from '../../support/sign-in/samlProvider.ts';

/** A provider of the organization of the test, and people who sign in with it as their browsers do. */
const it = itInNewOrganization
  .extend('idp', { scope: 'file' }, async ({ api: _started }, { onCleanup }) => {
    const idp = await startIdentityProvider('');
    onCleanup(idp.close);
    return idp;
  })
  .extend('reader', { scope: 'file' }, ({ api: _started }, { onCleanup }) => {
    const reader = createSamlReader();
    onCleanup(reader.close);
    return reader;
  })
  .extend('provider', ({ organization, idp }) => buildSignIn(organization, idp))
  .extend(
    'path',
    ({ provider }) =>
      (endpoint: string) =>
        `/sso/saml/${provider._id}/${endpoint}`,
  )
  .extend(
    'respond',
    ({ idp, reader, api, provider }) =>
      async (id: string, settings: Partial<IdpSettings> = {}, user: IdpUser = idp.user) => {
        const service = serviceOf(api.config.api.publicUrl, provider._id);
        const issuer = issuerOf(provider) ?? expect.fail('The settings are incomplete.');
        const url = await reader.requestUrl(service, issuer, id);
        return (await idp.answer(url, { recipient: service.acsUrl, ...settings }, user)).response;
      },
  )
  .extend(
    'post',
    ({ api, path }) =>
      async (response: string, to = path('acs')) =>
        postResponse(api, to, response),
  );

const memberOf = async (organization: string, user: string) =>
  Member.findOne({ organization, user }).lean<MemberRecord>();

describe('a sign-in through a SAML provider', () => {
  it('makes a new user of a verified domain a member, with the role and the team of the provider', async ({
    organization,
    provider,
    api,
    respond,
    post,
  }) => {
    const team = await buildTeam(organization);
    await SamlProvider.updateOne({ _id: provider._id }, { $set: { defaultTeam: team._id } });
    const { id, secret } = await startSamlSignIn(provider._id);
    const answer = await post(await respond(id, {}, ada));
    expect(answer.status, answer.text).toBe(303);
    expect(answer.headers.get('location')).toBe(`${api.config.console.url}/sign-in/saml/end?request=${id}`);
    expect(answer.headers.get('set-cookie')).toBeNull();

    const ended = await endSamlSignIn(id, secret);
    const user = await User.findOne({ email: 'ada@docs.example' }).lean<UserRecord>();
    expect(ended).toMatchObject({ user: user?._id, provider: provider._id });
    expect(await memberOf(organization._id, user?._id ?? '')).toMatchObject({
      role: 'edit',
      sso: true,
      teams: [{ team: team._id, role: 'member' }],
    });
    expect(await endSamlSignIn(id, secret)).toBeUndefined();
  });

  it('finds an existing user and member, and leaves the member unchanged', async ({
    organization,
    provider,
    respond,
    post,
  }) => {
    const email = `lin-${organization._id.toLowerCase()}@docs.example`;
    const lin = await buildMember(organization, 'comment', { email });
    const before = await memberOf(organization._id, lin.user._id);
    const { id, secret } = await startSamlSignIn(provider._id);
    expect((await post(await respond(id, {}, { ...ada, id: email.toUpperCase() }))).status).toBe(303);
    expect(await endSamlSignIn(id, secret)).toMatchObject({ user: lin.user._id, provider: provider._id });
    expect(await memberOf(organization._id, lin.user._id)).toEqual(before);
  });

  it('ends only in the browser that started it', async ({ provider, respond, post }) => {
    const { id, secret } = await startSamlSignIn(provider._id);
    const other = await startSamlSignIn(provider._id);
    expect(await endSamlSignIn(id, secret)).toBeUndefined();
    expect((await post(await respond(id, {}, ada))).status).toBe(303);
    expect(await endSamlSignIn(id, other.secret)).toBeUndefined();
    expect(await endSamlSignIn(id, secret)).toBeDefined();
  });

  it('is refused for an address outside of the verified domains, unless the member has agreed', async ({
    organization,
    provider,
    respond,
    post,
  }) => {
    const stranger = await buildUser();
    const member = await buildMember(organization, 'read');
    for (const { user } of [stranger, member]) {
      const { id } = await startSamlSignIn(provider._id);
      const answer = await post(await respond(id, {}, { ...ada, id: user.email ?? '' }));
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('no verified domain');
    }
    expect(await memberOf(organization._id, stranger.user._id)).toBeNull();
    expect(await User.exists({ email: 'eve@elsewhere.example' })).toBeNull();

    await Member.updateOne(
      { organization: organization._id, user: member.user._id },
      { $set: { sso: true } },
    );
    const { id, secret } = await startSamlSignIn(provider._id);
    const agreed = { ...ada, id: member.user.email ?? '' };
    expect((await post(await respond(id, {}, agreed))).status).toBe(303);
    expect(await endSamlSignIn(id, secret)).toMatchObject({ user: member.user._id, provider: provider._id });
  });

  it('accepts each response once, within ten minutes', async ({ provider, respond, post }) => {
    const { id, secret } = await startSamlSignIn(provider._id);
    const response = await respond(id, {}, ada);
    const answers = await Promise.all([post(response), post(response), post(response)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 403, 403]);
    await endSamlSignIn(id, secret);
    const replayed = await post(response);
    expect(replayed.status).toBe(403);
    expect(replayed.text).toContain('was used before');

    const old = await startSamlSignIn(provider._id);
    const late = await respond(old.id, {}, ada);
    await SamlSignIn.updateOne({ _id: old.id }, { $set: { createdAt: new Date(Date.now() - 601_000) } });
    expect((await post(late)).status).toBe(403);
    expect((await post(await respond('_unknown', {}, ada))).status).toBe(403);
  });

  it('is refused at another provider, and while the provider is pending', async ({
    organization,
    provider,
    respond,
    post,
  }) => {
    const { _id, ...settings } = provider;
    const twin = await buildSamlProvider(organization, { ...settings, label: 'Twin' });
    const { id } = await startSamlSignIn(twin._id);
    // The response names the request of the twin, and is for this provider.
    expect((await post(await respond(id, {}, ada))).status).toBe(403);
    const own = await startSamlSignIn(_id);
    const response = await respond(own.id, {}, ada);
    const elsewhere = await post(response, `/sso/saml/${twin._id}/acs`);
    expect(elsewhere.status).toBe(403);
    expect(elsewhere.text).toContain('answers no sign-in');

    await SamlProvider.updateOne({ _id }, { $set: { status: 'pending' } });
    expect((await post(response)).status).toBe(403);
    await SamlProvider.updateOne({ _id }, { $set: { status: 'active' } });
    expect((await post(response)).status).toBe(303);
  });

  it('shows the reason for a refusal in the browser, and writes no response to the log', async ({
    api,
    provider,
    respond,
    post,
  }) => {
    const { id } = await startSamlSignIn(provider._id);
    const response = await respond(id, { signAssertion: false }, ada);
    const answer = await post(response);
    expect(answer.status).toBe(403);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(answer.text).toContain('sign both the response and the assertion');
    const statusOf = async (body: string) => (await post(body)).status;
    for (const body of ['', 'hello', 'A'.repeat(300_000)]) expect(await statusOf(body)).toBe(403);
    expect(await statusOf('A'.repeat(500_000))).toBe(400);
    expect(api.logLines.join()).not.toContain(response.slice(0, 100));
  });

  it('publishes its metadata, and starts in the console', async ({ api, provider, path }) => {
    const metadata = await api.call('GET', path('metadata'), { token: null });
    expect(metadata.headers.get('content-type')).toContain('application/samlmetadata+xml');
    expect(metadata.text).toContain(`entityID="${api.config.api.publicUrl}${path('metadata')}"`);
    const start = await api.call('GET', path('start'), { token: null, redirect: 'manual' });
    expect(start.status).toBe(303);
    expect(start.headers.get('location')).toBe(`${api.config.console.url}/sign-in/saml/${provider._id}`);
    for (const endpoint of ['metadata', 'start'])
      expect((await api.call('GET', `/sso/saml/unknown/${endpoint}`, { token: null })).status).toBe(404);
  });
});
