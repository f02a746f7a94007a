import { connectRedis } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { createRateLimit } from '../../../apps/api/src/http/rate-limit/rateLimit.ts';
import { routes } from '../../../apps/api/src/routes.ts';
import type { ApiAnswer } from '../../support/apiServer.ts';
import { buildJob, buildMember, buildToken } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { until } from '../../support/until.ts';

const keyOf = ({ tokenId }: { tokenId: string }) => `bindery:rate:token:${tokenId}`;

/** Limit, remaining points, and the seconds until they are all back. */
function pointsOf({ headers }: Pick<ApiAnswer, 'headers'>): { limit: number; left: number; seconds: number } {
  const [limit, left, reset] = ['limit', 'remaining', 'reset'].map((name) => {
    const text = headers.get(`x-ratelimit-${name}`);
    expect(text, name).toMatch(/^\d+$/);
    return Number(text);
  });
  return { limit: limit ?? 0, left: left ?? 0, seconds: (reset ?? 0) - Date.now() / 1000 };
}

const it = base
  .extend(
    'environment',
    { scope: 'file' },
    { BINDERY_RATE_LIMIT_POINTS: '100', BINDERY_TRUST_PROXY: '127.0.0.1' },
  )
  .extend('redis', { scope: 'file' }, ({ api }, { onCleanup }) => {
    const redis = connectRedis(api.config, 'worker');
    onCleanup(() => redis.disconnect());
    return redis;
  })
  .extend(
    'newToken',
    ({ admin }) =>
      () =>
        buildToken(admin.user),
  );

it.beforeAll(async ({ api, admin, redis }) => {
  const first = await buildToken(admin.user);
  await until('the counting in Redis', async () => {
    await api.call('GET', '/v1/user', { token: first.token });
    return redis.exists(keyOf(first));
  });
});

describe('every answer', () => {
  it('reports how many points are left, and when they are reset', async ({
    api,
    organization,
    space,
    newToken,
  }) => {
    const caller = await newToken();
    const reader = await buildMember(organization, 'read');
    const get = (path: string, headers = {}) => api.call('GET', path, { token: caller.token, headers });
    const tag = (await get(`/v1/spaces/${space._id}`)).headers.get('etag') ?? '';
    const answers = [
      await get('/v1/user'),
      await get(`/v1/spaces/${space._id}`, { 'if-none-match': tag }),
      await get('/v1/spaces/nothing'),
      await get('/v1/orgs?limit=x'),
      await api.call('HEAD', '/v1/user', { token: caller.token }),
      await api.call('DELETE', `/v1/orgs/${organization._id}/teams/nothing`, { token: caller.token }),
      await api.call('PUT', `/v1/orgs/${organization._id}/teams`, {
        token: caller.token,
        json: { title: 'T' },
      }),
      await api.call('PUT', `/v1/orgs/${organization._id}/teams`, {
        token: reader.token,
        json: { title: 'T' },
      }),
      await api.call('PUT', `/v1/orgs/${organization._id}/teams`, {
        token: caller.token,
        body: '{',
        headers: { 'content-type': 'application/json' },
      }),
      await api.call('GET', '/v1/user'),
      await api.call('GET', '/v1/user', { token: 'wrong' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([
      200,
      tag ? 304 : 200,
      404,
      400,
      200,
      204,
      201,
      403,
      400,
      401,
      401,
    ]);
    for (const answer of answers) {
      const { limit, left, seconds } = pointsOf(answer);
      expect(limit).toBe(100);
      expect(left).toBeLessThan(100);
      expect(seconds).toBeGreaterThan(30);
      expect(seconds).toBeLessThanOrEqual(61);
    }
  });

  it('costs 1 for a read, 5 for a write, 20 for the start of a job, and nothing for reading jobs', async ({
    api,
    organization,
    space,
    newToken,
  }) => {
    const caller = await newToken();
    const job = await buildJob(space, { state: 'failed' });
    const costs: number[] = [];
    let before = 100;
    const call = async (method: string, path: string, json?: unknown) => {
      const answer = await api.call(method, `/v1${path}`, {
        token: caller.token,
        ...(json !== undefined && { json }),
      });
      expect(answer.status, answer.text).toBeLessThan(300);
      const { left } = pointsOf(answer);
      costs.push(before - left);
      before = left;
    };
    await call('GET', `/jobs/${job._id}`);
    await call('GET', '/user');
    await call('PUT', `/orgs/${organization._id}/teams`, { title: 'T' });
    await call('DELETE', `/orgs/${organization._id}/teams/nothing`);
    await call('POST', `/spaces/${space._id}/git/import`, {
      url: 'https://git.example.org/r.git',
      ref: 'refs/heads/main',
    });
    await call('GET', `/jobs/${job._id}`);
    await call('GET', `/jobs/${job._id}/events`);
    await call('GET', `/orgs/${organization._id}/jobs`);
    await call('GET', '/orgs');
    expect(costs).toEqual([0, 1, 5, 5, 20, 0, 0, 0, 1]);
  });
});

describe('a caller without points', () => {
  it('gets 429 with Retry-After, and may still read jobs', async ({ api, space, redis, newToken }) => {
    const job = await buildJob(space, { state: 'failed' });
    // On a busy machine Redis may take too long for a request, which then counts in the API's memory: another
    // caller starts anew.
    const { caller, answers } = await until('a caller whose requests all count in Redis', async () => {
      const one = await newToken();
      const got: ApiAnswer[] = [];
      for (let i = 0; i < 102; i += 1) got.push(await api.call('GET', '/v1/user', { token: one.token }));
      return (await redis.get(keyOf(one))) === '102' ? { caller: one, answers: got } : undefined;
    });
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(100).fill(200), 429, 429]);
    const [refused] = answers.slice(-1);
    if (!refused) throw new Error('There is no answer.');
    expect(refused.body.error).toMatchObject({
      code: 429,
      type: 'rate_limited',
      action: expect.stringContaining('Retry-After'),
    });
    expect(pointsOf(refused).left).toBe(0);
    const wait = Number(refused.headers.get('retry-after'));
    expect(Math.abs(wait - pointsOf(refused).seconds)).toBeLessThanOrEqual(2);
    const look = await api.call('GET', `/v1/jobs/${job._id}`, { token: caller.token });
    expect([look.status, pointsOf(look).left]).toEqual([200, 0]);
    // Before anything is looked at: also what does not exist.
    expect((await api.call('GET', '/v1/spaces/nothing', { token: caller.token })).status).toBe(429);
  });

  it('affects no other caller, not even other tokens of the same user', async ({ api, redis, newToken }) => {
    const [caller, other] = [await newToken(), await newToken()];
    await redis.set(keyOf(caller), 100, 'EX', 60);
    expect((await api.call('GET', '/v1/user', { token: caller.token })).status).toBe(429);
    expect(pointsOf(await api.call('GET', '/v1/user', { token: other.token })).left).toBe(99);
  });

  it('cannot start an operation that costs more points than are left', async ({
    api,
    redis,
    space,
    newToken,
  }) => {
    const caller = await newToken();
    await redis.set(keyOf(caller), 90, 'EX', 60);
    const json = { url: 'https://git.example.org/r.git', ref: 'refs/heads/main' };
    expect(
      (await api.call('POST', `/v1/spaces/${space._id}/git/import`, { token: caller.token, json })).status,
    ).toBe(429);
  });

  it('has all points again after a minute', async ({ api, organization, redis, newToken }) => {
    const caller = await newToken();
    for (let i = 0; i < 30; i += 1)
      await api.call('PUT', `/v1/orgs/${organization._id}/teams`, { token: caller.token, json: {} });
    expect((await api.call('GET', '/v1/user', { token: caller.token })).status).toBe(429);
    const leftMs = await redis.pttl(keyOf(caller));
    expect(leftMs).toBeGreaterThan(50_000);
    expect(leftMs).toBeLessThanOrEqual(60_000);
    // The rest of the minute in a moment.
    await redis.pexpire(keyOf(caller), 1);
    await until('the end of the minute', async () => (await redis.exists(keyOf(caller))) === 0);
    expect(pointsOf(await api.call('GET', '/v1/user', { token: caller.token })).left).toBe(99);
  });
});

describe('callers without a token', () => {
  it('are limited by IPv4 address, or by the network of an IPv6 address', async ({
    api,
    redis,
    newToken,
  }) => {
    const from = async (address: string) =>
      pointsOf(await api.call('GET', '/v1/user', { headers: { 'x-forwarded-for': address } })).left;
    expect(await from('2001:db8:1:2::1')).toBe(99);
    expect(await from('2001:db8:1:2:ffff::9')).toBe(98);
    expect(await from('2001:db8:1:3::1')).toBe(99);
    expect(await from('192.0.2.1')).toBe(99);
    expect(await from('::ffff:192.0.2.1')).toBe(98);
    expect(await from('192.0.2.2')).toBe(99);
    await redis.set('bindery:rate:address:192.0.2.9', 100, 'EX', 60);
    expect((await api.call('GET', '/v1/user', { headers: { 'x-forwarded-for': '192.0.2.9' } })).status).toBe(
      429,
    );
    const { token } = await newToken();
    expect(
      (await api.call('GET', '/v1/user', { token, headers: { 'x-forwarded-for': '192.0.2.9' } })).status,
    ).toBe(200);
  });

  it('share the points of one site and one address', async ({ api, redis }) => {
    const limit = createRateLimit(api.config);
    const route = routes.find(({ spec }) => spec.operationId === 'getSpaceById');
    if (!limit || !route) throw new Error('There is nothing to try.');
    const visit = async (site: string, address: string) => {
      const headers = new Headers();
      const visitor = {
        organization: 'o',
        site,
        claims: {},
        isAnybody: true,
        isPreview: false,
        isAdmitted: true,
      };
      await limit.admit({
        route,
        actor: undefined,
        visitor,
        address,
        setHeader: (name, value) => headers.set(name, value),
      });
      return pointsOf({ headers }).left;
    };
    await until(
      'the counting in Redis',
      async () =>
        (await visit('warm', '192.0.2.1')) < 100 && redis.exists('bindery:rate:visitor:warm:192.0.2.1'),
    );
    expect([
      await visit('s1', '192.0.2.1'),
      await visit('s1', '192.0.2.1'),
      await visit('s1', '192.0.2.7'),
      await visit('s2', '192.0.2.1'),
    ]).toEqual([99, 98, 99, 99]);
    limit.close();
  });
});
