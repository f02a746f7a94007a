import { ConsoleSession, Member, OpenIdSignIn, Organization, User, type UserRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { it as base } from '../support/console/consoleIt.ts';
import { startConsole, type ConsoleAnswer, type Visitor } from '../support/console/consoleServer.ts';
import { buildUser } from '../support/factories.ts';
import { runBindery } from '../support/stores/backupCommands.ts';
import {
  openIdClient,
  openProvider,
  startOpenIdServer,
  type OpenIdUser,
} from '../support/sign-in/openIdServer.ts';

const end = '/sign-in/openid/end';

const it = base
  .extend('idp', { scope: 'file' }, async ({ api: _started }, { onCleanup }) => {
    const idp = await startOpenIdServer();
    onCleanup(idp.close);
    return idp;
  })
  .extend('server', { scope: 'file' }, async ({ api, idp }, { onCleanup }) => {
    const openId = { ...openIdClient, issuer: idp.issuer, label: 'Work account' };
    const server = await startConsole(api, { openId });
    onCleanup(server.close);
    return server;
  })
  .extend('provider', { scope: 'file' }, ({ idp, server }) => openProvider(idp, server.origin + end))
  // As a browser that comes to the provider, where the person is signed in at once, and back to the console.
  .extend('signIn', ({ provider }) => async (from: Visitor, user: OpenIdUser, next = '') => {
    const answer = await provider.answer(await start(from, next), user);
    return from.get(answer.pathname + answer.search);
  });

/** @returns the URL of the provider to which a browser is sent */
async function start(from: Visitor, next = ''): Promise<string> {
  const answer = await from.get(`/sign-in/openid${next && `?next=${encodeURIComponent(next)}`}`);
  expect(answer.status, answer.text).toBe(303);
  return answer.headers.get('location') ?? '';
}

let people = 0;
/** Somebody new at the provider. */
function person(email: string, more: Partial<OpenIdUser> = {}): OpenIdUser {
  people += 1;
  return { sub: `person-${people}`, email, email_verified: true, name: 'Ada Lovelace', ...more };
}

function expectRefused(visitor: Visitor, answer: ConsoleAnswer, text: string): void {
  expect([answer.status, visitor.cookie()], answer.text).toEqual([403, undefined]);
  expect(answer.text).toContain(text);
  expect(answer.headers.get('set-cookie')).toBeNull();
}

describe('a sign-in through OpenID Connect', () => {
  it('leads from the sign-in page into a session, and to the requested page', async ({
    visitor,
    signIn,
    server,
  }) => {
    const { user } = await buildUser();
    const page = await visitor.get('/sign-in?next=%2Fsessions');
    expect(page.text).toContain('<a href="/sign-in/openid?next=%2Fsessions">Continue with Work account</a>');
    const ended = await signIn(visitor, person(user.email ?? ''), '/sessions');
    expect([ended.status, ended.headers.get('location')], ended.text).toEqual([303, '/sessions']);
    const sessions = await visitor.get('/sessions');
    expect(sessions.text).toContain('through OpenID Connect');
    expect(sessions.text).toContain(user.displayName);
    expect(server.log.join('')).not.toContain(openIdClient.clientSecret);
  });

  it.for<[string, { issuer?: string; clientId?: string } | 'none', number]>([
    ['the same', {}, 200],
    ['another issuer', { issuer: 'http://127.0.0.1:1' }, 303],
    ['another client', { clientId: 'another' }, 303],
    ['none', 'none', 303],
  ])(
    'ends at the next request unless the console keeps its provider: %s',
    async ([, changes, status], { api, idp, visitor, signIn }) => {
      const { user } = await buildUser();
      await signIn(visitor, person(user.email ?? ''));
      const openId = {
        ...openIdClient,
        issuer: idp.issuer,
        label: 'Work account',
        ...(changes !== 'none' && changes),
      };
      const later = await startConsole(api, { openId: changes === 'none' ? undefined : openId });
      const answer = await fetch(later.origin, {
        redirect: 'manual',
        headers: { cookie: `bindery_console=${visitor.cookie()}` },
      });
      expect(answer.status).toBe(status);
      await later.close();
    },
  );

  it('sends PKCE, state and nonce, and stores neither them nor the secret of the browser', async ({
    visitor,
    server,
  }) => {
    const url = new URL(await start(visitor));
    const { searchParams: query } = url;
    expect(query.get('response_type')).toBe('code');
    expect(query.get('code_challenge_method')).toBe('S256');
    expect(query.get('redirect_uri')).toBe(server.origin + end);
    const stored = JSON.stringify(await OpenIdSignIn.find().lean());
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(query.get(name)).toMatch(/^[\w-]{43}$/);
      expect(stored).not.toContain(query.get(name));
    }
  });

  it('finds the same user when the address at the provider has changed', async ({ server, signIn }) => {
    const { user } = await buildUser();
    const ada = person(user.email ?? '');
    await signIn(server.visitor(), ada);
    const later = server.visitor();
    const moved = { ...ada, email: 'elsewhere@moved.example', email_verified: false };
    expect((await signIn(later, moved)).status).toBe(303);
    expect((await later.get('/')).text).toContain(user.displayName);
    expect(await User.exists({ email: 'elsewhere@moved.example' })).toBeNull();
    const { email } = (await User.findById(user._id).lean<UserRecord>())!;
    expect(email).toBe(user.email);
  });

  it('refuses another subject that later has the address of an account', async ({
    server,
    visitor,
    signIn,
  }) => {
    const { user } = await buildUser();
    await signIn(server.visitor(), person(user.email ?? ''));
    const answer = await signIn(visitor, person(user.email ?? ''));
    expectRefused(visitor, answer, 'belongs to another user of the identity provider');
    expect(answer.text).toContain(`bindery sso forget ${user.email}`);
  });

  it('accepts the new subject of an address once the operator has forgotten the old one', async ({
    server,
    visitor,
    signIn,
  }) => {
    const { user } = await buildUser();
    const email = user.email ?? '';
    const before = server.visitor();
    await signIn(before, person(email));
    const forgotten = await runBindery(['sso', 'forget', email]);
    expect([forgotten.code, forgotten.output]).toEqual([0, expect.stringContaining('Forgotten.')]);
    expect((await before.get('/')).status).toBe(303);
    expect((await signIn(visitor, person(email))).status).toBe(303);
    const { code } = await runBindery(['sso', 'forget', 'nobody@example.org']);
    expect(code).toBe(1);
  });

  it('creates one user for two simultaneous sign-ins of a new person', async ({
    server,
    signIn,
    organization,
  }) => {
    const domains = ['twins.example'];
    await Organization.updateOne({ _id: organization._id }, { $set: { provenEmailDomains: domains } });
    const twin = person('twin@twins.example');
    const answers = await Promise.all([signIn(server.visitor(), twin), signIn(server.visitor(), twin)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await User.countDocuments({ email: 'twin@twins.example' })).toBe(1);
  });

  it('adds a new user of a verified domain as a member with the default role', async ({
    visitor,
    organization,
    signIn,
  }) => {
    const domains = ['docs.example'];
    await Organization.updateOne({ _id: organization._id }, { $set: { provenEmailDomains: domains } });
    expect((await signIn(visitor, person('Grace@Docs.example', { name: 'Grace Hopper' }))).status).toBe(303);
    const user = (await User.findOne({ email: 'grace@docs.example' }).lean<UserRecord>())!;
    expect(user).toMatchObject({ displayName: 'Grace Hopper', isOperator: false });
    expect(await Member.findOne({ organization: organization._id, user: user._id }).lean()).toMatchObject({
      role: organization.defaultRole,
    });
    expect((await visitor.get('/')).text).toContain(organization.title);
  });

  it('refuses new users of unverified domains, and users without a verified address', async ({
    server,
    organization,
    signIn,
  }) => {
    const listed = { emailDomains: ['listed.example'], provenEmailDomains: [] };
    await Organization.updateOne({ _id: organization._id }, { $set: listed });
    const { user } = await buildUser();
    const email = user.email ?? '';
    const refusals = [
      [person('eve@listed.example'), 'no organization has verified its domain'],
      [person(email, { email_verified: false }), 'has not verified an e-mail address'],
      [person(email, { email_verified: undefined }), 'has not verified an e-mail address'],
      [person(email, { email: undefined }), 'has not verified an e-mail address'],
      [person('\u212Aelvin@listed.example'), 'has not verified an e-mail address'],
    ] as const;
    for (const [stranger, text] of refusals) {
      const visitor = server.visitor();
      expectRefused(visitor, await signIn(visitor, stranger), text);
    }
    expect(await User.exists({ email: 'eve@listed.example' })).toBeNull();
  });

  it('admits everyone on an installation of a single company', async ({ api, idp, onTestFinished }) => {
    const openId = { ...openIdClient, issuer: idp.issuer, label: 'Work' };
    const second = await startOpenIdServer();
    const isSingleCompany = { ...api.config.api, isSingleCompany: true };
    const server = await startConsole(api, {
      openId: { ...openId, issuer: second.issuer },
      api: isSingleCompany,
    });
    onTestFinished(async () => {
      await server.close();
      await second.close();
    });
    const provider = openProvider(second, server.origin + end);
    const visitor = server.visitor();
    const answer = await provider.answer(await start(visitor), person('new@anywhere.example'));
    expect((await visitor.get(answer.pathname + answer.search)).status).toBe(303);
    expect(await User.exists({ email: 'new@anywhere.example' })).not.toBeNull();
  });
});

describe('an attack on an OpenID Connect sign-in', () => {
  it('fails with the response of another sign-in', async ({ server, provider, visitor }) => {
    const [ada, eve] = [(await buildUser()).user, (await buildUser()).user];
    const eves = server.visitor();
    const answer = await provider.answer(await start(eves), person(eve.email ?? ''));
    const path = answer.pathname + answer.search;
    // In a browser that started nothing, and in one that started another sign-in.
    expectRefused(visitor, await visitor.get(path), 'started in another browser');
    const adas = await provider.answer(await start(visitor), person(ada.email ?? ''));
    expectRefused(visitor, await visitor.get(path), 'started in another browser');
    // Neither did that end the sign-in of the browser.
    expect((await visitor.get(adas.pathname + adas.search)).status).toBe(303);
    expect((await visitor.get('/')).text).toContain(ada.displayName);
    expect((await eves.get(path)).status).toBe(303);
  });

  it('fails with a code that was issued to another browser, because of PKCE', async ({
    server,
    provider,
    visitor,
  }) => {
    const { user } = await buildUser();
    const stolen = await provider.answer(await start(server.visitor()), person(user.email ?? ''));
    const own = await provider.answer(await start(visitor), person('eve@elsewhere.example'));
    own.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    expectRefused(visitor, await visitor.get(own.pathname + own.search), 'is not valid');
  });

  it('fails without PKCE, because the console sends the verifier all the same', async ({
    provider,
    visitor,
  }) => {
    const { user } = await buildUser();
    const url = new URL(await start(visitor));
    for (const name of ['code_challenge', 'code_challenge_method']) url.searchParams.delete(name);
    const answer = await provider.answer(url.href, person(user.email ?? ''));
    expectRefused(visitor, await visitor.get(answer.pathname + answer.search), 'is not valid');
  });

  it('fails with a message when the person or the provider refuses', async ({ provider, visitor }) => {
    const url = new URL(await start(visitor));
    url.searchParams.set('prompt', 'none');
    const answer = await provider.answer(url.href, person('somebody@elsewhere.example'));
    expect(answer.searchParams.get('error')).toBe('login_required');
    expectRefused(visitor, await visitor.get(answer.pathname + answer.search), 'did not sign you in');
  });

  it('fails with a response that was used before, or is too old', async ({ visitor, provider, server }) => {
    const { user } = await buildUser();
    const answer = await provider.answer(await start(visitor), person(user.email ?? ''));
    const path = answer.pathname + answer.search;
    expect((await visitor.get(path)).status).toBe(303);
    await visitor.post('/sign-out');
    expectRefused(visitor, await visitor.get(path), 'has ended');

    const late = server.visitor();
    const old = await provider.answer(await start(late), person(user.email ?? ''));
    await OpenIdSignIn.updateMany({}, { $set: { createdAt: new Date(Date.now() - 601_000) } });
    expectRefused(late, await late.get(old.pathname + old.search), 'took longer than ten minutes');
  });

  it('fails with the response of another issuer (mix-up)', async ({ visitor, provider }) => {
    const { user } = await buildUser();
    for (const issuer of ['https://evil.example', undefined]) {
      const answer = await provider.answer(await start(visitor), person(user.email ?? ''));
      if (issuer === undefined) answer.searchParams.delete('iss');
      else answer.searchParams.set('iss', issuer);
      expectRefused(visitor, await visitor.get(answer.pathname + answer.search), 'is not valid');
    }
  });

  it('fails with a preset session cookie: the sign-in replaces and ends that session', async ({
    visitor,
    signIn,
    admin,
  }) => {
    await visitor.signIn(admin.token);
    const before = visitor.cookie();
    const { user } = await buildUser();
    await signIn(visitor, person(user.email ?? ''));
    expect(visitor.cookie()).not.toBe(before);
    expect(await ConsoleSession.countDocuments({ user: admin.user._id })).toBe(0);
  });

  it.for(['//evil.example', String.raw`/\evil.example`, 'https://evil.example', 'javascript:x'])(
    'fails with %s as the next page: the sign-in leads to the overview',
    async (next, { visitor, signIn }) => {
      const { user } = await buildUser();
      const ended = await signIn(visitor, person(user.email ?? ''), next);
      expect([ended.status, ended.headers.get('location')]).toEqual([303, '/']);
    },
  );

  it('needs the confirmation of the user when it comes from another site', async ({ visitor }) => {
    const asked = await visitor.ask('/sign-in/openid', { headers: { 'sec-fetch-site': 'cross-site' } });
    expect([asked.status, asked.headers.get('set-cookie')]).toEqual([200, null]);
    expect(asked.text).toContain('<a href="/sign-in/openid">Continue with Work account</a>');
  });
});

describe('a console without a working OpenID provider', () => {
  it('lets users sign in with a token when the provider does not answer', async ({
    api,
    admin,
    onTestFinished,
  }) => {
    const gone = await startOpenIdServer();
    await gone.close();
    const openId = { ...openIdClient, issuer: gone.issuer, label: 'Work' };
    const server = await startConsole(api, { openId });
    onTestFinished(server.close);
    const visitor = server.visitor();
    expect((await visitor.get('/sign-in')).text).toContain('Continue with Work');
    const answer = await visitor.get('/sign-in/openid');
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([503, null]);
    expect(answer.text).toContain('does not answer');
    expect((await visitor.signIn(admin.token)).status).toBe(200);
  });

  it('offers no sign-in through a provider when none is configured', async ({ api, onTestFinished }) => {
    const server = await startConsole(api);
    onTestFinished(server.close);
    expect((await server.visitor().get('/sign-in')).text).not.toContain('/sign-in/openid');
    for (const path of ['/sign-in/openid', end])
      expect((await server.visitor().get(path)).status).toBe(path === end ? 403 : 404);
  });
});
