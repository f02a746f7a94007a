import { describe, expect } from 'vitest';
import { it as base } from '../support/it.ts';
import { startConsole } from '../support/console/consoleServer.ts';
import { buildUser } from '../support/factories.ts';
import { openHostileProvider, type Hostility } from '../support/sign-in/hostileOpenIdServer.ts';
import { openIdClient, startOpenIdServer } from '../support/sign-in/openIdServer.ts';

/** Each test has a provider and a console of its own: a console remembers the settings of its provider. */
const it = base
  .extend('idp', async ({ api: _started }, { onCleanup }) => {
    const idp = await startOpenIdServer();
    onCleanup(idp.close);
    return idp;
  })
  .extend('server', async ({ api, idp }, { onCleanup }) => {
    const openId = { ...openIdClient, issuer: idp.issuer, label: 'Work account' };
    const server = await startConsole(api, { openId });
    onCleanup(server.close);
    return server;
  })
  .extend('signIn', async ({ idp, server }) => {
    const provider = await openHostileProvider(idp);
    return async (hostility: Hostility) => {
      const visitor = server.visitor();
      const begun = await visitor.get('/sign-in/openid');
      const query = provider.answer(begun.headers.get('location') ?? '', hostility);
      const answer = await visitor.get(`/sign-in/openid/end?${query.toString()}`);
      return { ...answer, cookie: visitor.cookie() };
    };
  });

const victim = async () => (await buildUser()).user.email ?? '';

describe('an ID token', () => {
  const cases: [string, (email: string) => Hostility][] = [
    ['that has expired', () => ({ expiresIn: -120 })],
    ['for another client', () => ({ claims: { aud: 'another-client' } })],
    ['for several clients', () => ({ claims: { aud: ['another-client', openIdClient.clientId] } })],
    ['of another issuer', () => ({ claims: { iss: 'https://evil.example' } })],
    ['with the nonce of another sign-in', () => ({ claims: { nonce: 'another' } })],
    ['without a nonce', () => ({ claims: { nonce: undefined } })],
    ['of the future', () => ({ claims: { nbf: Math.floor(Date.now() / 1000) + 600 } })],
    ['without a subject', () => ({ claims: { sub: '' } })],
    ['with a subject that is too long', () => ({ claims: { sub: 'a'.repeat(256) } })],
    ['that another key has signed', () => ({ signs: 'with_another_key' })],
    ['that is not signed', () => ({ signs: 'not_at_all' })],
  ];

  it.for(cases)('does not sign anyone in: %s', async ([, make], { signIn }) => {
    const email = await victim();
    const { claims, ...hostility } = make(email);
    const answer = await signIn({ ...hostility, claims: { email, email_verified: true, ...claims } });
    expect([answer.status, answer.cookie], answer.text).toEqual([403, undefined]);
    expect(answer.text).toContain('is not valid');
  });

  it('does not sign anyone in when its address is not marked as verified', async ({ signIn }) => {
    const email = await victim();
    for (const email_verified of [undefined, false, 'false', 1, 'yes']) {
      const answer = await signIn({ claims: { email, email_verified } });
      expect([answer.status, answer.cookie]).toEqual([403, undefined]);
      expect(answer.text).toContain('has not verified an e-mail address');
    }
    // The address of one place and the verification of another belong to nobody.
    const mixed = await signIn({ claims: { email }, userinfo: { sub: 'somebody', email_verified: true } });
    expect(mixed.status).toBe(403);
  });

  it('takes a missing address from userinfo of the same subject only', async ({ signIn }) => {
    const userinfo = { email: await victim(), email_verified: true };
    expect((await signIn({ userinfo: { ...userinfo, sub: 'another' } })).status).toBe(403);
    expect((await signIn({ userinfo: { ...userinfo, sub: 'somebody' } })).status).toBe(303);
  });

  it('signs its user in when it is valid', async ({ signIn }) => {
    const answer = await signIn({ claims: { email: await victim(), email_verified: true } });
    expect([answer.status, answer.headers.get('location')], answer.text).toEqual([303, '/']);
  });
});

describe('a provider', () => {
  it.for<[string, Hostility, number, string]>([
    ['answers with an error', { token: { status: 500, body: 'oops' } }, 503, 'does not answer'],
    ['answers no JSON', { token: { status: 200, body: '<html>' } }, 403, 'is not valid'],
    ['answers without end', { token: { status: 200, body: 'x'.repeat(600_000) } }, 503, 'does not answer'],
    [
      'refuses the client',
      { token: { status: 401, body: '{"error":"invalid_client"}' } },
      503,
      'do not fit together',
    ],
    ['refuses the code', { token: { status: 400, body: '{"error":"invalid_grant"}' } }, 403, 'is not valid'],
  ])('does not sign anyone in when it %s', async ([, hostility, status, text], { signIn, server }) => {
    const answer = await signIn(hostility);
    expect([answer.status, answer.cookie], answer.text).toEqual([status, undefined]);
    expect(answer.text).toContain(text);
    expect(server.log.join('')).toContain('a sign-in through OpenID Connect has failed');
    expect(server.log.join('')).not.toContain(openIdClient.clientSecret);
  });

  it('is not used when it names another issuer', async ({ idp, server }) => {
    const provider = await openHostileProvider(idp);
    provider.answer(`${idp.issuer}/auth`, { discovery: { issuer: 'https://evil.example' } });
    const answer = await server.visitor().get('/sign-in/openid');
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([503, null]);
  });
});
