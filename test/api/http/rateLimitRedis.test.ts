import { describe, expect, test } from 'vitest';
import { freePort } from '../../../apps/cli/src/launcher/freePort.ts';
import { startApi, type TestApi } from '../../support/apiServer.ts';
import { startApp, type AppProcess } from '../../support/processes/appProcess.ts';
import { buildToken, buildUser } from '../../support/factories.ts';
import { startOwnRedis } from '../../support/stores/ownRedis.ts';
import { until } from '../../support/until.ts';
import { bound } from '../../support/machine.ts';

const points = { BINDERY_RATE_LIMIT_POINTS: '50' };
const left = (headers: Headers) => Number(headers.get('x-ratelimit-remaining') ?? Number.NaN);

const it = test
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads there which fixtures are wanted: none.
  .extend('redis', { scope: 'file' }, async ({}, { onCleanup }) => {
    const redis = await startOwnRedis();
    onCleanup(() => redis.close());
    return redis;
  })
  /** Functions that are called after the test, the last one first. */
  // oxlint-disable-next-line no-empty-pattern -- as above
  .extend('closing', ({}, { onCleanup }) => {
    const closing: (() => Promise<void> | void)[] = [];
    onCleanup(async () => {
      for (const close of closing.toReversed()) await close();
    });
    return closing;
  })
  .extend('startWith', ({ closing }) => async (environment: Record<string, string>): Promise<TestApi> => {
    const api = await startApi({ environment });
    closing.push(() => api.close());
    return api;
  });

describe('without Redis', () => {
  it(
    'each process counts for itself, at once, until Redis is back',
    { timeout: 60_000 },
    async ({ redis, startWith }) => {
      const api = await startWith({ ...points, REDIS_URL: redis.url });
      const { user, token } = await buildUser();
      const ask = async (caller = token) => {
        const startedMs = performance.now();
        const { status, headers } = await api.call('GET', '/v1/user', { token: caller });
        return { status, left: left(headers), tookMs: performance.now() - startedMs };
      };
      await until('the counting', async () => (await ask()).left < 45);

      await redis.kill();
      const own = await buildToken(user);
      const answers = [];
      for (let i = 0; i < 51; i += 1) answers.push(await ask(own.token));
      // While the connection is lost without being known, one answer may still have waited.
      expect(answers.map(({ status }) => status)).toEqual([...Array<number>(50).fill(200), 429]);
      expect(answers.map((answer) => answer.left)).toEqual([
        ...Array.from({ length: 50 }, (_, i) => 49 - i),
        0,
      ]);
      expect(answers.filter(({ tookMs }) => tookMs > 190).length).toBeLessThanOrEqual(3);

      await redis.start();
      await until('the counting in Redis', async () => (await ask(own.token)).status === 200);
    },
  );

  it(
    'only one request in a second waits for a Redis that hangs',
    { timeout: 60_000 },
    async ({ redis, startWith }) => {
      const api = await startWith({ ...points, REDIS_URL: redis.url });
      const { token } = await buildUser();
      const ask = () => api.call('GET', '/v1/user', { token });
      await until('the counting', async () => left((await ask()).headers) < 48);
      await redis.pause();
      try {
        const startedMs = performance.now();
        for (let i = 0; i < 10; i += 1) expect((await ask()).status).toBe(200);
        expect(performance.now() - startedMs).toBeLessThan(bound(1_700));
      } finally {
        redis.resume();
      }
    },
  );
});

it('all API processes count together', { timeout: 60_000 }, async ({ closing, startWith }) => {
  const api = await startWith({});
  const { token } = await buildUser();
  const apps: AppProcess[] = [];
  closing.push(async () => {
    for (const app of apps) app.signal('SIGKILL');
    await Promise.all(apps.map((app) => app.ended));
  });
  for (let i = 0; i < 2; i += 1)
    apps.push(await startApp('api', { ...process.env, ...points, PORT: String(await freePort()) }));
  const ask = async (app: AppProcess | undefined, caller: string) => {
    const { status, headers } = await fetch(`http://127.0.0.1:${app?.port}/v1/user`, {
      headers: { authorization: `Bearer ${caller}` },
    });
    return [status, left(headers)];
  };
  // Both have found Redis when each sees what the other has taken.
  await until('the common counting', async () => {
    const { token: probe } = await buildUser();
    await ask(apps[0], probe);
    return (await ask(apps[1], probe))[1] === 48 && (await ask(apps[0], probe))[1] === 47;
  });
  const seen = [];
  for (let i = 0; i < 52; i += 1) seen.push(await ask(apps[i % 2], token));
  expect(seen).toEqual(Array.from({ length: 52 }, (_, i) => (i < 50 ? [200, 49 - i] : [429, 0])));
  // This one has no limits.
  expect((await api.call('GET', '/v1/user', { token })).headers.get('x-ratelimit-limit')).toBeNull();
});

it('no header is sent and no request refused where limits are off', async ({ startWith }) => {
  const api = await startWith({});
  const { token } = await buildUser();
  for (let i = 0; i < 60; i += 1) {
    const { status, headers } = await api.call('GET', i % 2 ? '/v1/user' : '/v1/spaces/nothing', { token });
    expect([status, [...headers.keys()].filter((name) => name.startsWith('x-ratelimit'))]).toEqual([
      i % 2 ? 200 : 404,
      [],
    ]);
  }
});
