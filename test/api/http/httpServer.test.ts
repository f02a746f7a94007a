import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from '../../../apps/api/src/http/scope.ts';
import { startHttpApp } from '../../support/http/httpApp.ts';
import { sampleRoutes } from '../../support/http/httpSample.ts';

/** Sends bytes as they are and gives all that comes back until the server closes. */
async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

describe('malformed and slow requests', () => {
  it('get a JSON error body', async () => {
    const { port } = await startHttpApp(sampleRoutes());
    const cases = {
      'FOO /v1/user HTTP/1.1\r\nHost: a\r\n\r\n': 400,
      'not http at all\r\n\r\n': 400,
      [`GET /v1/user HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`]: 431,
      'POST /v1/user HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n': 400,
      'POST /v1/user HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nConnection: close\r\n\r\n': 417,
    };
    for (const [bytes, status] of Object.entries(cases)) {
      const [head = '', body = ''] = (await sendRaw(port, bytes)).split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(head.toLowerCase()).toContain('content-type: application/json');
      expect(JSON.parse(body).error.code).toBe(status);
    }
  });

  it('are refused with two Authorization headers', async () => {
    const { port } = await startHttpApp(sampleRoutes());
    const answer = await sendRaw(
      port,
      'GET /v1/user HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ann\r\nauthorization: Bearer bob\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
  });

  it('are bound by timeouts and limits of connections', async () => {
    const { server } = await startHttpApp([]);
    expect(server).toMatchObject({
      requestTimeout: 30_000,
      headersTimeout: 20_000,
      keepAliveTimeout: 65_000,
      maxRequestsPerSocket: 1_000,
      maxConnections: 100,
    });
  });
});

describe('stopping the server', () => {
  it('lets a running request end, and accepts no new connection', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
    const slow = root.get(
      '/slow',
      {
        operationId: 'slow',
        summary: 'Slow',
        permission: 'token',
        response: z.object({ done: z.boolean() }),
      },
      async () => {
        enter();
        await released;
        return { done: true };
      },
    );
    const { call, stop, port } = await startHttpApp([slow]);
    const running = call('GET', '/v1/slow');
    await entered;
    const stopped = stop({ graceMs: 5_000 });
    const refused = connect(port, '127.0.0.1');
    await expect(once(refused, 'connect')).rejects.toThrow('ECONNREFUSED');
    release();
    expect((await running).body).toEqual({ done: true });
    await stopped;
  });

  it('does not wait for idle connections that clients keep open', async () => {
    const { stop, port } = await startHttpApp(sampleRoutes());
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /v1/user HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ann\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).toContain('Keep-Alive: timeout=65');
    // More than a test may take: what waits for the client does not end in time.
    await Promise.all([stop({ graceMs: 120_000 }), once(socket, 'close')]);
  });

  it('aborts the signal of a request whose client disconnected', async () => {
    const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
    const waiting = root.raw(
      'get',
      '/waiting',
      { operationId: 'wait', summary: 'Wait', permission: 'token', answers: [] },
      async ({ request }, _request, response) => {
        response.write('begin');
        request.signal.addEventListener('abort', () => abort());
        enter();
        await aborted;
      },
    );
    const { port, lines } = await startHttpApp([waiting]);
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /v1/waiting HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ann\r\n\r\n');
    await entered;
    socket.destroy();
    await aborted;
    await expect.poll(() => lines.at(-1)).toMatchObject({ route: '/waiting', aborted: true });
  });
});
