import {
  ConsoleSession,
  createApiToken,
  revokeApiToken,
  SignInLink,
  createSignInLink,
} from '@bindery/models';
import { describe, expect } from 'vitest';
import { it } from '../support/console/consoleIt.ts';
import { startConsole } from '../support/console/consoleServer.ts';
import { runBindery } from '../support/stores/backupCommands.ts';

const hourMs = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * hourMs);

describe('the sign-in', () => {
  it('asks for a token, and leads to the requested page', async ({ visitor, admin }) => {
    const asked = await visitor.ask('/sessions');
    expect([asked.status, asked.headers.get('location')]).toEqual([303, '/sign-in?next=%2Fsessions']);
    expect((await visitor.get('/sign-in?next=%2Fsessions')).text).toContain('name="next" value="/sessions"');
    const page = await visitor.post('/sign-in', { token: ` ${admin.token} `, next: '/sessions' });
    expect(page.status).toBe(200);
    expect(page.text).toContain('<h1>Sessions</h1>');
  });

  it.for([
    '//evil.example',
    String.raw`/\evil.example`,
    'https://evil.example',
    '/.//evil.example',
    'javascript:x',
  ])('leads to the overview instead of %s', async (next, { visitor, admin }) => {
    const answer = await visitor.ask('/sign-in', { form: { token: admin.token, next } });
    expect(answer.headers.get('location')).toBe('/');
  });

  it('refuses a wrong, a revoked and an empty token with the same words', async ({
    visitor,
    admin,
    server,
  }) => {
    const { token, record } = await createApiToken({ userId: admin.user._id, label: 'revoked' });
    await revokeApiToken(record._id);
    for (const form of [{ token: 'bnd_wrong' }, { token }, { token: '' }]) {
      const answer = await visitor.ask('/sign-in', { form });
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('This token does not sign in: it is wrong, revoked or expired.');
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
    expect(server.log.join('')).not.toContain('bnd_');
  });

  it('limits the rate of tokens that one address tries', async ({ api, admin }) => {
    const server = await startConsole(api);
    const visitor = server.visitor();
    for (let attempt = 0; attempt < 30; attempt += 1)
      expect((await visitor.ask('/sign-in', { form: { token: 'wrong' } })).status).toBe(403);
    const refused = await visitor.ask('/sign-in', { form: { token: 'wrong' } });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await visitor.signIn(admin.token)).status).toBe(200);
    await server.close();
  });

  it('accepts a link of `bindery sign-in-link` once', async ({ server, admin }) => {
    const environment = { BINDERY_CONSOLE_URL: server.origin };
    const { code, output } = await runBindery(['sign-in-link', admin.user.email ?? ''], environment);
    expect(code).toBe(0);
    const url = /http\S+/.exec(output)?.[0] ?? '';
    const { pathname } = new URL(url);
    const secret = pathname.split('/').at(-1) ?? '';
    const first = server.visitor();
    // A preview of the link opens it.
    for (let opened = 0; opened < 2; opened += 1)
      expect((await first.get(pathname)).text).toContain('This link signs you in once.');
    expect((await first.post('/sign-in/link', { secret })).text).toContain(admin.user.displayName);
    const again = await server.visitor().ask('/sign-in/link', { form: { secret } });
    expect(again.status).toBe(403);
    expect(again.text).toContain('it was used, or is older than 15 minutes');
    expect(server.log.join('')).not.toContain(secret);
  });

  it('refuses a link that is older than 15 minutes', async ({ visitor, admin }) => {
    const secret = await createSignInLink(admin.user._id);
    await SignInLink.updateMany({ user: admin.user._id }, { $set: { createdAt: hoursAgo(0.26) } });
    expect((await visitor.ask('/sign-in/link', { form: { secret } })).status).toBe(403);
  });

  it('creates links only for users that exist', async ({ server, api: _started }) => {
    const environment = { BINDERY_CONSOLE_URL: server.origin };
    const { code, output } = await runBindery(['sign-in-link', 'nobody@example.org'], environment);
    expect([code, output]).toEqual([1, expect.stringContaining('No user has the email nobody@example.org.')]);
  });

  it('starts a new session each time, and ends the previous one of the browser', async ({
    visitor,
    admin,
  }) => {
    await visitor.signIn(admin.token);
    const before = visitor.cookie() ?? '';
    await visitor.signIn(admin.token);
    expect(visitor.cookie()).not.toBe(before);
    const answer = await visitor.ask('/', { headers: { cookie: `bindery_console=${before}` } });
    expect(answer.status).toBe(303);
  });

  it('does not adopt a session secret that someone else has set in the browser', async ({
    visitor,
    admin,
  }) => {
    const chosen = 'A'.repeat(43);
    await visitor.ask('/sign-in', {
      form: { token: admin.token },
      headers: { cookie: `bindery_console=${chosen}` },
    });
    expect(visitor.cookie()).not.toBe(chosen);
  });

  it('sets a cookie that scripts and other sites cannot read, bound to the host over TLS', async ({
    api,
    admin,
    visitor,
  }) => {
    const set = await visitor.ask('/sign-in', { form: { token: admin.token } });
    expect(set.headers.get('set-cookie')).toMatch(
      /^bindery_console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const server = await startConsole(api, { url: 'https://console.test' });
    const secure = await server.visitor().ask('/sign-in', { form: { token: admin.token } });
    expect(secure.headers.get('set-cookie')).toMatch(
      /^__Host-bindery_console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(secure.headers.get('strict-transport-security')).toBe('max-age=31536000');
    await server.close();
  });
});

describe('a session', () => {
  const ended = { status: 303 };

  it('ends after 12 hours without use, and after 7 days', async ({ visitor, admin }) => {
    await visitor.signIn(admin.token);
    const mine = { user: admin.user._id };
    await ConsoleSession.updateMany(mine, { $set: { lastSeenAt: hoursAgo(11.9) } });
    expect((await visitor.ask('/')).status).toBe(200);
    // The use was noted.
    const { lastSeenAt } = (await ConsoleSession.findOne(mine).sort({ createdAt: -1 }).lean())!;
    expect(lastSeenAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
    await ConsoleSession.updateMany(mine, { $set: { lastSeenAt: hoursAgo(12.1) } });
    expect(await visitor.ask('/')).toMatchObject(ended);

    await visitor.signIn(admin.token);
    await ConsoleSession.updateMany(mine, { $set: { createdAt: hoursAgo(7 * 24 - 0.1) } });
    expect((await visitor.ask('/')).status).toBe(200);
    await ConsoleSession.updateMany(mine, { $set: { createdAt: hoursAgo(7 * 24 + 0.1) } });
    expect(await visitor.ask('/')).toMatchObject(ended);
  });

  it('ends when the user signs out, and its cookie is removed', async ({ visitor, admin }) => {
    await visitor.signIn(admin.token);
    const secret = visitor.cookie() ?? '';
    expect((await visitor.post('/sign-out')).text).toContain('Sign in to Bindery');
    expect(visitor.cookie()).toBeUndefined();
    const headers = { cookie: `bindery_console=${secret}` };
    expect(await visitor.ask('/', { headers })).toMatchObject(ended);
  });

  it('ends when its token is revoked', async ({ server, admin }) => {
    const visitor = server.visitor();
    const { token, record } = await createApiToken({ userId: admin.user._id, label: 'short' });
    await visitor.signIn(token);
    expect((await visitor.ask('/')).status).toBe(200);
    await revokeApiToken(record._id);
    expect(await visitor.ask('/')).toMatchObject(ended);
  });

  it('can be ended from another browser, alone or with all others', async ({ server, creator }) => {
    const browsers = [server.visitor(), server.visitor(), server.visitor(), server.visitor()];
    for (const browser of browsers) await browser.signIn(creator.token);
    const [own, , ...others] = browsers as [(typeof browsers)[0], ...typeof browsers];
    const { text } = await own.get('/sessions');
    const paths = [...text.matchAll(/action="(\/sessions\/[\da-f]{64}\/end)"/g)].map(([, path = '']) => path);
    expect(paths).toHaveLength(3);
    // The newest is first.
    await own.post(paths[0]!);
    expect(await browsers[3]!.ask('/')).toMatchObject(ended);
    expect((await browsers[2]!.ask('/')).status).toBe(200);
    await own.post('/sessions/end-others');
    for (const other of others) expect(await other.ask('/')).toMatchObject(ended);
    expect((await own.ask('/')).status).toBe(200);
  });

  it('of another user cannot be ended', async ({ server, admin, reader }) => {
    const [mine, theirs] = [server.visitor(), server.visitor()];
    await mine.signIn(reader.token);
    await theirs.signIn(admin.token);
    const session = (await ConsoleSession.findOne({ user: admin.user._id }).sort({ createdAt: -1 }).lean())!;
    await mine.post(`/sessions/${session._id}/end`);
    expect((await theirs.ask('/')).status).toBe(200);
  });

  it('of a limited token lists and ends only itself', async ({ server, editor }) => {
    const [whole, limited] = [server.visitor(), server.visitor()];
    await whole.signIn(editor.token);
    const { token } = await createApiToken({ userId: editor.user._id, label: 'reads', scopes: ['read'] });
    await limited.signIn(token);
    const { text } = await limited.get('/sessions');
    expect(text.match(/<tr>/g)).toHaveLength(2);
    await limited.post('/sessions/end-others');
    expect((await whole.ask('/')).status).toBe(200);
  });
});

describe('credentials', () => {
  it('of a browser are not accepted by the API', async ({ api, visitor, admin }) => {
    await visitor.signIn(admin.token);
    const secret = visitor.cookie() ?? '';
    const tried: Record<string, string>[] = [
      { cookie: `bindery_console=${secret}` },
      { cookie: `__Host-bindery_console=${secret}` },
      { authorization: `Bearer ${secret}` },
    ];
    for (const headers of tried) expect((await api.call('GET', '/v1/user', { headers })).status).toBe(401);
  });

  it('of the API are not accepted by the console', async ({ visitor, admin }) => {
    const authorization = `Bearer ${admin.token}`;
    expect((await visitor.ask('/', { headers: { authorization } })).status).toBe(303);
    const answer = await visitor.ask('/sessions/end-others', { form: {}, headers: { authorization } });
    expect(answer.headers.get('location')).toBe('/sign-in');
    const cookie = `bindery_console=${admin.token}`;
    expect((await visitor.ask('/', { headers: { cookie } })).status).toBe(303);
  });
});
