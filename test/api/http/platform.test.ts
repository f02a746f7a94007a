import { createConnection, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { forgetFailingApp, noteFailingApp, revokeApiToken } from '@bindery/models';
import { describe, expect } from 'vitest';
import { startApi } from '../../support/apiServer.ts';
import { buildMember, buildOrganization, buildToken, buildUser } from '../../support/factories.ts';
import { it } from '../../support/it.ts';

describe('the platform', () => {
  it('reports its version, and the user of a token', async ({ api }) => {
    const { user, token } = await buildUser({ displayName: 'Ada', email: 'ada@example.org' });
    expect((await api.call('GET', '/v1/', { token })).body).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      build: expect.any(String),
    });
    expect((await api.call('GET', '/v1/user', { token })).body).toEqual({
      object: 'user',
      id: user._id,
      displayName: 'Ada',
      email: 'ada@example.org',
      urls: { location: `http://api.test/v1/users/${user._id}` },
    });
  });

  it('shows a user to members of the same organization', async ({ api }) => {
    const { organization, admin } = await buildOrganization();
    const [member, guest] = [await buildMember(organization, 'read'), await buildMember(organization, null)];
    const stranger = (await buildOrganization()).admin;
    const { body } = await api.call('GET', '/v1/user', { token: admin.token });
    expect((await api.call('GET', body.urls.location, { token: admin.token })).body).toEqual(body);
    expect((await api.call('GET', body.urls.location, { token: member.token })).body).toEqual(body);
    const { email: _email, ...withoutEmail } = body;
    expect((await api.call('GET', body.urls.location, { token: guest.token })).body).toEqual(withoutEmail);
    expect((await api.call('GET', body.urls.location, { token: stranger.token })).status).toBe(404);
    expect((await api.call('GET', '/v1/users/nothing', { token: admin.token })).status).toBe(404);
  });

  it('requires a token everywhere, and refuses all invalid tokens with the same message', async ({ api }) => {
    const { user, token, tokenId } = await buildUser();
    const expired = await buildToken(user, { expiresAt: new Date(Date.now() - 1) });
    expect((await api.call('GET', '/v1/user', { token })).status).toBe(200);
    await revokeApiToken(tokenId);
    const headers = [
      undefined,
      'Bearer',
      'Bearer ',
      'bearer x',
      `Basic ${token}`,
      `Token ${token}`,
      `Bearer ${token}`,
      `Bearer ${expired.token}`,
      `Bearer ${token.slice(0, -1)}`,
      'Bearer bnd_',
      `Bearer ${token} x`,
    ];
    const answers = await Promise.all(
      headers.map((authorization) =>
        api.call('GET', '/v1/user', { headers: authorization === undefined ? {} : { authorization } }),
      ),
    );
    for (const { status, headers: sent } of answers) {
      expect(status).toBe(401);
      expect(sent.get('www-authenticate')).toBe('Bearer');
    }
    expect(new Set(answers.map(({ body }) => body.error.message)).size).toBe(1);
    expect(answers.map(({ text }) => text).join()).not.toContain(token);
  });

  it('answers unknown paths and wrong methods in JSON', async ({ api }) => {
    const { token } = await buildUser();
    for (const path of [
      '/',
      '/v1',
      '/v2/user',
      '/v1/nothing',
      '/v1/user/',
      '/v1/USER',
      '/admin/nothing',
      '/files/a/b',
    ]) {
      const { status, body } = await api.call('GET', path, { token });
      expect([path, status, body?.error.code]).toEqual([path, 404, 404]);
    }
    const { status, headers, body } = await api.call('DELETE', '/v1/user', { token });
    expect([status, headers.get('allow'), body.error.type]).toEqual([
      405,
      'GET, HEAD, OPTIONS',
      'method_not_allowed',
    ]);
  });

  it('reports the readiness of its stores and workers', async ({ api }) => {
    expect((await api.call('GET', '/healthz')).body).toEqual({ status: 'ok' });
    const workers = { 'worker-git': 'no worker is running', 'worker-maintenance': 'no worker is running' };
    expect(await api.call('GET', '/readyz')).toMatchObject({
      status: 200,
      body: { status: 'degraded', checks: { mongodb: 'ok', redis: 'ok' }, workers },
    });
  });

  it('reports failing workers with the reason, and stays ready to answer', async ({ api }) => {
    await noteFailingApp('worker-git', { reason: 'exit code 3', deaths: 7, pauseMs: 30_000, pid: undefined });
    const { status, body } = await api.call('GET', '/readyz');
    expect([status, body.status]).toEqual([200, 'degraded']);
    expect(body.workers['worker-git']).toMatch(
      /^failing: exit code 3, 7 deaths in a row, next start in \d\d s$/,
    );
    await forgetFailingApp('worker-git');
  });

  it('serves its reference page, and everything that the page loads, from its own origin', async ({
    api,
  }) => {
    const page = await api.call('GET', '/docs');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    // Nothing inline: the policy would stop it.
    expect(page.text).not.toMatch(/<script>|<style|style=|onload=/);
    const parts = [...page.text.matchAll(/(?:src|href)="([^":]+)"/g)].map(
      ([, url]) => new URL(url ?? '', 'http://api.test/docs').pathname,
    );
    expect(parts.length).toBe(3);
    for (const path of parts) {
      const part = await api.call('GET', path);
      expect([path, part.status]).toEqual([path, 200]);
      expect(part.headers.get('content-type'), path).toMatch(/^(text\/css|text\/javascript)/);
    }
    const document = /data-document="([^"]+)"/.exec(page.text)?.[1] ?? '';
    expect((await api.call('GET', new URL(document, 'http://api.test/docs').pathname)).body).toMatchObject({
      openapi: '3.1.0',
    });
  });

  it('sends neither X-Powered-By nor CORS headers', async ({ api }) => {
    const { headers } = await api.call('GET', '/healthz');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

const itBehindProxy = it.extend(
  'startBehindProxy',
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads there which fixtures are wanted: none.
  ({}, { onCleanup }) => {
    const closing: (() => Promise<void>)[] = [];
    onCleanup(async () => {
      for (const close of closing.toReversed()) await close();
    });
    /** Starts an API of the test that reaches the store of a socket through a proxy. */
    return async (socket: string, optionsFor: (host: string) => Parameters<typeof startApi>[0]) => {
      const proxy = await startProxy(socket);
      closing.push(() => proxy.close());
      const api = await startApi(optionsFor(proxy.host));
      closing.push(async () => {
        proxy.restore();
        await api.close();
      });
      return { api, proxy };
    };
  },
);

describe('the platform without one of its stores', () => {
  itBehindProxy('is ready without Redis, and reports the consequence', async ({ startBehindProxy }) => {
    const { pathname, searchParams } = new URL(process.env.REDIS_URL ?? '');
    const { api, proxy } = await startBehindProxy(decodeURIComponent(pathname), (host) => ({
      environment: { REDIS_URL: `redis://${host}/${searchParams.get('db')}` },
    }));
    proxy.cut();
    const ready = () => api.call('GET', '/readyz');
    await expect.poll(async () => (await ready()).body.checks.redis).not.toBe('ok');
    expect(await ready()).toMatchObject({
      status: 200,
      body: {
        status: 'degraded',
        checks: { mongodb: 'ok', redis: expect.stringContaining('jobs start later') },
      },
    });
  });

  itBehindProxy(
    'is not ready without MongoDB, and answers 503 with Retry-After',
    async ({ startBehindProxy }) => {
      const given = process.env.MONGODB_URI ?? '';
      const { api, proxy } = await startBehindProxy(decodeURIComponent(new URL(given).hostname), (host) => {
        const throughProxy = Object.assign(new URL(given), { host });
        throughProxy.searchParams.delete('replicaSet');
        throughProxy.searchParams.set('directConnection', 'true');
        return { environment: { MONGODB_URI: throughProxy.href }, mongoTimeoutMs: 1_000 };
      });
      const { token } = await buildUser();
      proxy.cut();
      const { status, body } = await api.call('GET', '/readyz');
      expect([status, body.status]).toEqual([503, 'not ready']);
      expect(body.checks.mongodb).toMatch(/failed|timeout/);
      expect((await api.call('GET', '/healthz')).status).toBe(200);
      const answer = await api.call('GET', '/v1/user', { token });
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(answer.text).not.toContain('127.0.0.1');
    },
  );
});

/** A way to a store that can be cut. */
async function startProxy(path: string) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server: Server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = createConnection(path);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
    }
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    restore: () => {
      isCut = false;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
