import { jobCollection, revokeApiToken, User } from '@bindery/models';
import { describe, expect, vi } from 'vitest';
import { startSession } from '../../../apps/api/src/admin/operatorSession.ts';
import { buildJob, buildOrganization, buildUser } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { until } from '../../support/until.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const cookieOf = ({ headers }: { headers: Headers }) => headers.get('set-cookie')?.split(';')[0] ?? '';

const it = base
  .extend('operator', { scope: 'file' }, ({ api: _started }) => buildUser({ isOperator: true }))
  .extend(
    'signIn',
    ({ api }) =>
      (token: string, headers: Record<string, string> = {}) =>
        api.call('POST', '/admin/sign-in', {
          body: new URLSearchParams({ token }).toString(),
          headers: { ...form, ...headers },
        }),
  )
  .extend(
    'open',
    ({ api }) =>
      (cookie: string, path = '', method = 'GET', headers: Record<string, string> = {}) =>
        api.call(method, `/admin/queues${path}`, { headers: { cookie, ...headers } }),
  );

// Its API ends the shared one, so its tests come last.
const itMayRetry = it.extend(
  'environment',
  { scope: 'file' },
  {
    BINDERY_QUEUE_DASHBOARD_WRITABLE: 'true',
    BINDERY_PUBLIC_URL: 'https://docs.example.org',
  },
);

describe('the queue dashboard', () => {
  it('redirects callers who are not signed in to the sign-in form', async ({ api }) => {
    for (const path of ['/admin', '/admin/queues', '/admin/queues/', '/admin/queues/queue/git']) {
      const { status, headers } = await api.call('GET', path);
      expect([path, status, headers.get('location')]).toEqual([
        path,
        303,
        path === '/admin' ? '/admin/jobs' : '/admin/sign-in',
      ]);
    }
    expect((await api.call('GET', '/admin/queues/api/queues')).status).toBe(401);
    const page = await api.call('GET', '/admin/sign-in');
    expect([page.status, page.headers.get('content-type'), page.headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-.*; form-action 'self'; base-uri 'none'; frame-ancestors 'none'/,
    );
    expect(page.text).toContain('<form method="post" action="/admin/sign-in">');
    expect(page.text).not.toContain('<script');
  });

  it('opens to an operator with a cookie that scripts and other sites cannot use', async ({
    operator,
    signIn,
    open,
  }) => {
    const answer = await signIn(operator.token);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin/jobs']);
    const flags = answer.headers.get('set-cookie') ?? '';
    expect(flags).toMatch(/; Path=\/admin;.*; HttpOnly; SameSite=Strict$/);
    expect(flags).toContain('Max-Age=43200');
    expect(flags).not.toContain(operator.token);
    // This API is reached over http; below, one over https has the flag.
    expect(flags).not.toContain('Secure');
    const page = await open(cookieOf(answer), '/');
    expect([page.status, page.headers.get('x-powered-by'), page.headers.get('cache-control')]).toEqual([
      200,
      null,
      'no-store',
    ]);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toMatch(/script-src|https:/);
  });

  it('loads everything that it needs from its own origin, under its content security policy', async ({
    operator,
    signIn,
    open,
  }) => {
    const cookie = cookieOf(await signIn(operator.token));
    const { text } = await open(cookie, '/');
    const own = [...text.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(own.length).toBeGreaterThan(3);
    for (const path of own) {
      const part = await open(cookie, `/${path}`);
      expect([path, part.status]).toEqual([path, 200]);
      // The content security policy would block these.
      if (path.endsWith('.js')) expect(part.text).not.toMatch(/[^\w.]eval\(|new Function\(/);
    }
    expect(
      [...text.matchAll(/<script([^>]*)>/g)].every(([, attributes]) =>
        /src=|application\/json/.test(attributes ?? ''),
      ),
    ).toBe(true);
  });

  it('shows the queues and their jobs, as ids only', async ({ space, operator, signIn, open }) => {
    const job = await buildJob(space);
    const cookie = cookieOf(await signIn(operator.token));
    const { status, body, text } = await open(
      cookie,
      '/api/queues?activeQueue=git&status=latest&page=1&jobsPerPage=10',
    );
    expect(status).toBe(200);
    expect(body.queues.map(({ name }: { name: string }) => name)).toEqual([
      'git',
      'pdf',
      'openapi',
      'translation',
      'maintenance',
    ]);
    expect(
      body.queues.every(
        ({ readOnlyMode, allowRetries }: { readOnlyMode: boolean; allowRetries: boolean }) =>
          readOnlyMode && !allowRetries,
      ),
    ).toBe(true);
    expect(text).toContain(job._id);
    expect(text).not.toContain('git.example.org');
  });

  it('is closed to everybody else, with the same message', async ({ api, operator, signIn, open }) => {
    const { admin } = await buildOrganization();
    const answers = [
      await signIn(admin.token),
      await signIn('bnd_wrong'),
      await signIn(''),
      await api.call('POST', '/admin/sign-in', { headers: form }),
      await api.call('POST', '/admin/sign-in', { body: 'token=a&token=b', headers: form }),
    ];
    for (const { status, headers, body } of answers) {
      expect(status).toBe(403);
      expect(headers.get('set-cookie')).toBeNull();
      expect(body.error).toMatchObject({
        code: 403,
        type: 'forbidden',
        message: expect.stringContaining('Use the token of an operator'),
      });
      expect(body.error.message).toBe(answers[0]?.body.error.message);
    }
    // A browser sees the form again.
    const page = await signIn(admin.token, { accept: 'text/html,*/*;q=0.8' });
    expect([page.status, page.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    expect(page.text).toContain('Use the token of an operator');
    // A token is no cookie, and the API's own header does not open it.
    expect((await open(`bindery_operator=${operator.token}`)).status).toBe(303);
    expect((await api.call('GET', '/admin/queues', { token: operator.token })).status).toBe(303);
  });

  it('does not accept a cookie that was changed or has expired', async ({ operator, signIn, open }) => {
    const cookie = cookieOf(await signIn(operator.token));
    const [user, token, end, signature] = cookie.slice('bindery_operator='.length).split('.');
    const other = await buildUser({ isOperator: true });
    for (const value of [
      '',
      '%',
      '%E0%A4%A',
      'a.b.c.d',
      '...',
      `${user}.${token}.${Number(end) + 1}.${signature}`,
      `${other.user._id}.${token}.${end}.${signature}`,
      `${user}.${other.tokenId}.${end}.${signature}`,
      `${user}.${token}.${end}.${signature?.slice(0, -1)}`,
      `${user}.${token}.${end}`,
      `${user}.${token}.NaN.${signature}`,
    ]) {
      expect([value, (await open(`bindery_operator=${value}`)).status]).toEqual([value, 303]);
    }
    expect((await open(`other=1; ${cookie}; more=2`)).status).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 12 * 3_600_000 + 1_000 });
    try {
      expect((await open(cookie)).status).toBe(303);
    } finally {
      vi.useRealTimers();
    }
  });

  it('closes when the token is revoked or the user is no longer an operator', async ({ signIn, open }) => {
    const leaving = await buildUser({ isOperator: true });
    const cookie = cookieOf(await signIn(leaving.token));
    expect((await open(cookie)).status).toBe(200);
    await User.updateOne({ _id: leaving.user._id }, { $set: { isOperator: false } });
    expect((await open(cookie)).status).toBe(303);
    await User.updateOne({ _id: leaving.user._id }, { $set: { isOperator: true } });
    expect((await open(cookie)).status).toBe(200);
    await revokeApiToken(leaving.tokenId);
    expect((await open(cookie)).status).toBe(303);
  });

  it('lets an operator sign out, but not through a request of another site', async ({ api }) => {
    const asked = await api.call('GET', '/admin/sign-out');
    expect([asked.status, asked.headers.get('set-cookie')]).toEqual([200, null]);
    expect(
      (await api.call('POST', '/admin/sign-out', { headers: { origin: 'https://other.example.org' } }))
        .status,
    ).toBe(403);
    const { status, headers } = await api.call('POST', '/admin/sign-out');
    expect([status, headers.get('location')]).toEqual([303, '/admin/sign-in']);
    expect(headers.get('set-cookie')).toMatch(/^bindery_operator=; Path=\/admin; Expires=Thu, 01 Jan 1970/);
  });

  it('closes in all browsers when the operator signs out, also for a cookie that was kept', async ({
    api,
    signIn,
    open,
  }) => {
    const leaving = await buildUser({ isOperator: true });
    const kept = cookieOf(await signIn(leaving.token));
    const cookie = cookieOf(await signIn(leaving.token));
    expect((await open(kept)).status).toBe(200);
    await api.call('POST', '/admin/sign-out', { headers: { cookie } });
    expect([(await open(kept)).status, (await open(cookie)).status]).toEqual([303, 303]);
    expect((await open(cookieOf(await signIn(leaving.token)))).status).toBe(200);
  });

  it('is read-only', async ({ space, operator, signIn, open }) => {
    const job = await buildJob(space, { state: 'failed' });
    const cookie = cookieOf(await signIn(operator.token));
    const entry = `/api/queues/git/j-${job._id}-1`;
    const read = async () => jobCollection().findOne({ _id: job._id });
    await until('record of the dispatch', async () => (await read())?.dispatchedAt !== null);
    const before = await read();
    for (const [method, path] of [
      ['PUT', `${entry}/retry`],
      ['PUT', `${entry}/clean`],
      ['PUT', `${entry}/promote`],
      ['PATCH', `${entry}/update-data`],
      ['POST', '/api/queues/git/add'],
      ['PUT', '/api/queues/git/retry/failed'],
      ['PUT', '/api/queues/git/pause'],
      ['PUT', '/api/queues/git/empty'],
      ['PUT', '/api/queues/git/obliterate'],
      ['PUT', '/api/queues/pause'],
      ['DELETE', '/api/queues/git'],
    ] as const) {
      const { status, body } = await open(cookie, path, method);
      expect([path, status]).toEqual([path, 405]);
      expect(body.error).toMatchObject({
        code: 405,
        type: 'method_not_allowed',
        message: 'The dashboard is read-only.',
      });
      // The dashboard shows this one.
      expect(body.details).toBe('The dashboard is read-only.');
    }
    expect(await read()).toEqual(before);
    expect((await open(cookie, entry)).status).toBe(200);
  });

  it('refuses requests of other sites', async ({ api, operator, signIn, open }) => {
    const cookie = cookieOf(await signIn(operator.token));
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ] as Record<string, string>[]) {
      expect((await signIn(operator.token, headers)).status).toBe(403);
      expect((await open(cookie, '/api/queues/pause', 'PUT', headers)).status).toBe(403);
    }
    expect(
      (await signIn(operator.token, { 'sec-fetch-site': 'same-origin', origin: api.origin })).status,
    ).toBe(303);
    expect((await signIn(operator.token, { origin: api.origin })).status).toBe(303);
  });

  it('refuses in the error format of the API', async ({ operator, signIn, open }) => {
    const cookie = cookieOf(await signIn(operator.token));
    for (const [given, path, code, type] of [
      ['', '/api/queues', 401, 'unauthorized'],
      [cookie, '/api/queues/nothing/1', 404, 'not_found'],
      [cookie, '/api/queues/git/nothing', 404, 'not_found'],
      [cookie, '/api/nothing', 404, 'not_found'],
    ] as const) {
      const { status, body } = await open(given, path);
      expect([path, status, body?.error]).toEqual([
        path,
        code,
        expect.objectContaining({ code, type, requestId: expect.any(String) }),
      ]);
    }
    const { status, body } = await open(cookie, '/api/queues/pause', 'PUT', {
      origin: 'https://evil.example',
    });
    expect([status, body.error.type]).toEqual([403, 'forbidden']);
  });

  it('keeps tokens out of the logs', async ({ api, operator, signIn }) => {
    await signIn(operator.token);
    expect(api.logLines.join('')).not.toContain(operator.token);
    expect(api.logLines.join('')).not.toContain(cookieOf(await signIn(operator.token)));
  });

  it('limits callers who guess tokens', async ({ operator, signIn }) => {
    const answers = await Promise.all(Array.from({ length: 31 }, () => signIn('bnd_wrong')));
    const slowed = answers.find(({ status }) => status === 429);
    expect(Number(slowed?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await signIn(operator.token)).status).toBe(303);
  });
});

describe('the queue dashboard with retries allowed', () => {
  itMayRetry('retries a job through its record in MongoDB', async ({ space, operator, signIn, open }) => {
    const job = await buildJob(space, {
      state: 'failed',
      error: { class: 'auth', code: 'auth', message: 'No.' },
    });
    const answer = await signIn(operator.token);
    expect(answer.headers.get('set-cookie')).toContain('; Secure');
    const cookie = cookieOf(answer);
    expect((await open(cookie, `/api/queues/git/j-${job._id}-1/retry`, 'PUT')).status).toBe(204);
    expect(await jobCollection().findOne({ _id: job._id })).toMatchObject({
      state: 'queued',
      dispatch: 2,
      tries: 0,
    });
    // It runs again already.
    const again = await open(cookie, `/api/queues/git/j-${job._id}-1/retry`, 'PUT');
    expect([again.status, again.body.error.message]).toEqual([
      409,
      expect.stringContaining('this one is queued'),
    ]);
    expect((await open(cookie, '/api/queues/git/j-nothing-1/retry', 'PUT')).status).toBe(409);
  });

  itMayRetry(
    'allows no other change, and no retry without a session',
    async ({ space, operator, signIn, open }) => {
      const job = await buildJob(space, { state: 'failed' });
      const cookie = cookieOf(await signIn(operator.token));
      for (const path of [
        `/api/queues/git/j-${job._id}-1/clean`,
        '/api/queues/git/obliterate',
        '/api/queues/git/retry/failed',
        '/api/queues/git/x/retry',
      ]) {
        expect([path, (await open(cookie, path, 'PUT')).status]).toEqual([path, 405]);
      }
      expect((await open('', `/api/queues/git/j-${job._id}-1/retry`, 'PUT')).status).toBe(401);
      const forged = `bindery_operator=${startSession({ key: Buffer.alloc(32) }, { user: { id: operator.user._id, displayName: '', isOperator: true }, tokenId: operator.tokenId })}`;
      expect((await open(forged, `/api/queues/git/j-${job._id}-1/retry`, 'PUT')).status).toBe(401);
      expect((await jobCollection().findOne({ _id: job._id }))?.state).toBe('failed');
    },
  );
});
