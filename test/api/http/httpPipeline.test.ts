import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../../../apps/api/src/http/scope.ts';
import { startHttpApp } from '../../support/http/httpApp.ts';
import { sampleRoutes } from '../../support/http/httpSample.ts';

const start = () => startHttpApp(sampleRoutes());

describe('the order of checks', () => {
  it('answers 404 for an unknown path, before it asks for a token', async () => {
    const { call } = await start();
    for (const path of [
      '/v1/nothing',
      '/v1/spaces/s1/',
      '/v1/Spaces/s1',
      '/v1//user',
      '/spaces/s1',
      '/v1/spaces/%FF',
      '/v1/spaces/s1/versions/%E0%A4%A',
    ]) {
      const { status, body } = await call('GET', path, { token: null });
      expect({ path, status, code: body.error.code, type: body.error.type }).toEqual({
        path,
        status: 404,
        code: 404,
        type: 'not_found',
      });
    }
  });

  it('answers 405 with Allow for a known path, before it asks for a token', async () => {
    const { call } = await start();
    const { status, headers, body } = await call('PATCH', '/v1/spaces/s1', { token: null });
    expect([status, headers.get('allow'), body.error.type]).toEqual([
      405,
      'GET, DELETE, HEAD, OPTIONS',
      'method_not_allowed',
    ]);
  });

  it('answers 401 before 404, 404 before 403, 403 before it reads the body', async () => {
    const { call } = await start();
    expect((await call('GET', '/v1/spaces/hidden', { token: null })).status).toBe(401);
    expect((await call('POST', '/v1/spaces/hidden/notes', { body: '{' })).status).toBe(404);
    expect(
      (await call('POST', '/v1/spaces/s1/change-requests/c2/notes', { token: 'bob', body: '{' })).status,
    ).toBe(404);
    expect(
      (
        await call('POST', '/v1/spaces/s1/notes', {
          token: 'bob',
          body: '{',
          headers: { 'content-type': 'text/plain' },
        })
      ).status,
    ).toBe(403);
    expect(
      (
        await call('POST', '/v1/spaces/s1/notes', {
          body: '{"title"',
          headers: { 'content-type': 'text/plain' },
        })
      ).status,
    ).toBe(415);
    expect(
      (
        await call('POST', '/v1/spaces/s1/notes', {
          body: '{"title"',
          headers: { 'content-type': 'application/json' },
        })
      ).status,
    ).toBe(400);
  });

  it('answers DELETE with 204 if absent or hidden, 404 below an absent parent, 403 without permission', async () => {
    const { call } = await start();
    const statuses = [
      await call('DELETE', '/v1/spaces/hidden'),
      await call('DELETE', '/v1/spaces/s1/notes/none'),
      await call('DELETE', '/v1/spaces/s1/notes/%00'),
      await call('DELETE', '/v1/spaces/s1/links/none'),
      await call('DELETE', '/v1/spaces/hidden/notes/n1'),
      await call('DELETE', '/v1/spaces/hidden/links/none'),
      await call('DELETE', '/v1/spaces/hidden/legacy'),
      await call('DELETE', '/v1/spaces/s1/legacy'),
      await call('DELETE', '/v1/spaces/s1', { token: 'bob' }),
      await call('DELETE', '/v1/spaces/s1/notes/n1', { token: 'bob' }),
      await call('DELETE', '/v1/spaces/s1/notes/n1'),
      await call('GET', '/v1/spaces/s1/notes/n1'),
    ].map(({ status }) => status);
    expect(statuses).toEqual([204, 204, 204, 204, 404, 404, 404, 204, 403, 403, 204, 404]);
  });

  it('answers 404 for a path parameter that its schema refuses', async () => {
    const { call } = await start();
    expect((await call('GET', '/v1/spaces/%00')).status).toBe(404);
    expect((await call('GET', `/v1/spaces/${'x'.repeat(300)}`)).body.error.message).toMatch(
      /^No space with the id x{40}…/,
    );
  });
});

describe('routes and scopes', () => {
  it('mounts a group on two scopes', async () => {
    const { call } = await start();
    expect((await call('GET', '/v1/spaces/s1/notes/n1')).body.thread).toBe('space s1');
    expect((await call('GET', '/v1/spaces/s1/change-requests/1/notes/n1')).body.thread).toBe(
      'change request c1 of s1',
    );
  });

  it('prefers a literal segment to a parameter, and takes the rest of a path with or without encoded slashes', async () => {
    const { call } = await start();
    const ids = [
      'versions/latest',
      'versions/v9',
      'path',
      'path/',
      'path/a/b%20c',
      'path/a%2Fb',
      'path/a%252Fb',
    ].map(async (path) => (await call('GET', `/v1/spaces/s1/${path}`)).body.id);
    expect(await Promise.all(ids)).toEqual(['latest', 'v9', '', '', 'a/b c', 'a/b', 'a%2Fb']);
  });

  it('answers open routes without a token, HEAD without a body and OPTIONS with Allow', async () => {
    const { call } = await start();
    expect((await call('GET', '/v1/', { token: null })).body).toEqual({ version: '1' });
    const head = await call('HEAD', '/v1/user');
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '17']);
    const options = await call('OPTIONS', '/v1/user', { token: null });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  it('applies the same loading and checks to raw routes', async () => {
    const { call } = await start();
    expect((await call('GET', '/v1/spaces/s1/download')).text).toBe('file of s1');
    expect((await call('GET', '/v1/spaces/hidden/download')).status).toBe(404);
    expect((await call('GET', '/v1/spaces/s1/download', { token: null })).status).toBe(401);
  });

  it('names a started job in the headers of an answer without a body', async () => {
    const { call } = await start();
    const { status, headers, text } = await call('POST', '/v1/spaces/s1/import');
    expect([status, text, headers.get('x-job-id'), headers.get('link')]).toEqual([
      204,
      '',
      'job1',
      '<http://api.example/v1/jobs/job1>; rel="monitor"',
    ]);
  });

  it('sets an ETag only where a route asks for it, and answers 304 when If-None-Match has it', async () => {
    const { call } = await start();
    const { headers } = await call('GET', '/v1/spaces/s1');
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    const again = await call('GET', '/v1/spaces/s1', { headers: { 'if-none-match': `"other", W/${etag}` } });
    expect([again.status, again.text, again.headers.get('etag'), again.headers.get('cache-control')]).toEqual(
      [304, '', etag, 'private, no-cache'],
    );
    expect((await call('GET', '/v1/user')).headers.has('etag')).toBe(false);
  });

  it('answers 304 without building the body when the handler names an ETag that the caller has', async () => {
    const made: string[] = [];
    const spec = {
      permission: 'token',
      summary: 'x',
      response: z.object({ made: z.number() }),
      etag: true,
    } as const;
    const { call } = await startHttpApp([
      root.get('/state', { ...spec, operationId: 'read' }, async ({ reply }) => {
        reply.etag('root-1');
        return { made: made.push('body') };
      }),
    ]);
    expect((await call('GET', '/v1/state')).headers.get('etag')).toBe('"root-1"');
    const again = await call('GET', '/v1/state', { headers: { 'if-none-match': '"root-1"' } });
    expect([again.status, again.headers.get('etag'), made.length]).toEqual([304, '"root-1"', 1]);
  });

  it('carries out a write only in a state that `If-Match` names', async () => {
    let version: number | undefined = 3;
    const written: number[] = [];
    const spec = { permission: 'token', summary: 'x' } as const;
    const present = () => async () => version;
    const { call } = await startHttpApp([
      root.put(
        '/state',
        { ...spec, operationId: 'write', version: present },
        async () => void written.push(1),
      ),
      root.put('/stateless', { ...spec, operationId: 'writeStateless' }, async () => void written.push(1)),
    ]);
    const put = async (path: string, tag: string) =>
      (await call('PUT', `/v1/${path}`, { headers: { 'if-match': tag } })).status;
    for (const tag of ['*', '"3.abc"', '"1.x", "3.abc"']) expect(await put('state', tag), tag).toBe(204);
    for (const tag of ['"2.abc"', 'W/"3.abc"', '3.abc', '"3"', '', '"2.abc, 3.abc"'])
      expect(await put('state', tag), tag).toBe(412);
    expect((await call('PUT', '/v1/state')).status).toBe(204);
    expect([await put('stateless', '*'), await put('stateless', '"1.abc"')]).toEqual([204, 412]);
    version = undefined;
    expect([await put('state', '*'), await put('state', '"3.abc"')]).toEqual([412, 412]);
  });

  it('refuses two routes with one path or operationId, and a path whose parameters are not declared', async () => {
    const routes = sampleRoutes();
    await expect(startHttpApp([...routes, ...sampleRoutes()])).rejects.toThrow(
      'Two routes have the same get / (getVersion)',
    );
    const spec = { operationId: 'x', summary: 'x', permission: 'token' } as const;
    expect(() => root.get('/a/:b', spec, async () => {})).toThrow(
      'names the parameters [b], declared are []',
    );
  });
});

describe('authentication', () => {
  it('answers every kind of bad credentials with the same message', async () => {
    const { call } = await start();
    const answers = await Promise.all(
      [
        undefined,
        'Bearer',
        'Bearer ',
        'bearer ann',
        'Basic YW5u',
        'Token ann',
        'Bearer nobody',
        'Bearer ann ann',
        'Bearer  ann',
        'ann',
      ].map((authorization) =>
        call('GET', '/v1/user', {
          token: null,
          headers: authorization === undefined ? {} : { authorization },
        }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(new Set(answers.map(({ body }) => body.error.message)).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => headers.get('www-authenticate')))).toEqual(
      new Set(['Bearer']),
    );
  });

  it('limits callers who guess tokens, and no other caller', async () => {
    const { call } = await start();
    const guess = (ip: string) =>
      call('GET', '/v1/user', { token: 'wrong', headers: { 'x-forwarded-for': ip } });
    for (let i = 0; i < 30; i += 1) expect((await guess('2001:db8:1:2::1')).status).toBe(401);
    const refused = await guess('2001:db8:1:2:ffff::9');
    expect([refused.status, refused.body.error.type]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
    expect((await guess('2001:db8:1:3::1')).status).toBe(401);
    expect(
      (await call('GET', '/v1/user', { headers: { 'x-forwarded-for': '2001:db8:1:2::1' } })).status,
    ).toBe(200);
  });

  it('lets the application refuse a call after authentication and set headers', async () => {
    const { call } = await startHttpApp(sampleRoutes(), {
      services: {
        admit: async ({ route, setHeader }) => setHeader('X-RateLimit-Limit', route.spec.operationId),
      },
    });
    expect((await call('GET', '/v1/user')).headers.get('x-ratelimit-limit')).toBe('getUser');
  });
});
