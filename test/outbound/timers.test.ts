import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { expectJobError, generous, openOutbound, read, startHttp, startTcp } from './servers.ts';
import { bound } from '../support/machine.ts';

function drip(response: ServerResponse, everyMs: number): void {
  const timer = setInterval(() => response.write('x'), everyMs);
  response.on('close', () => clearInterval(timer));
}

describe('time limits', () => {
  it('end a stalled TLS handshake', async () => {
    const server = await startTcp(() => {});
    const outbound = openOutbound([server]);
    const error = await expectJobError(
      read(outbound, server.origin.replace('http', 'https'), { limits: { connectMs: 150 } }),
      'timeout',
    );
    expect(error.message).toContain('connection');
  });

  it('end a wait for headers, also when they arrive byte by byte', async () => {
    const silent = await startHttp(() => {});
    const dripping = await startTcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    const outbound = openOutbound([silent, dripping]);
    for (const server of [silent, dripping]) {
      const error = await expectJobError(
        read(outbound, server.origin, { limits: { headersMs: 150 } }),
        'timeout',
      );
      expect(error.message).toContain('answer in time');
    }
  });

  it('end a connection that goes idle in the middle of the body', async () => {
    const server = await startHttp((_request, response) => void response.write('half'));
    const error = await expectJobError(
      read(openOutbound([server]), server.origin, { limits: { idleMs: 150 } }),
      'timeout',
    );
    expect(error.message).toContain('stopped sending');
  });

  it('end a slow body that keeps the idle timer alive, by the total time', async () => {
    const server = await startHttp((_request, response) => drip(response, 20));
    const error = await expectJobError(
      read(openOutbound([server]), server.origin, { limits: { idleMs: 200, totalMs: 400 } }),
      'timeout',
    );
    expect(error.message).toContain('too long');
  });

  it('end a slow body by the minimum rate, long before the total time', async () => {
    const server = await startHttp((_request, response) => drip(response, 20));
    const started = performance.now();
    const error = await expectJobError(
      read(openOutbound([server]), server.origin, { limits: { rateWindowMs: 200 } }),
      'timeout',
    );
    expect(error.message).toContain('too slowly');
    expect(performance.now() - started).toBeLessThan(bound(2_000));
  });

  it('measure the rate from the first byte of the body, so that a server has time to start', async () => {
    const server = await startHttp((_request, response) => {
      response.flushHeaders();
      setTimeout(() => response.end('done'), 400);
    });
    expect(
      (await read(openOutbound([server]), server.origin, { limits: { rateWindowMs: 100 } })).body.toString(),
    ).toBe('done');
  });

  it('do not count the time of the reader against the server', async () => {
    const server = await startHttp((_request, response) => {
      for (let chunk = 0; chunk < 10; chunk++) response.write('x'.repeat(10));
      response.end();
    });
    const outbound = openOutbound([server]);
    const response = await outbound.request({
      url: new URL(server.origin),
      redirects: 'none',
      limits: { ...generous, idleMs: 50, minBytesPerSecond: 1e9, rateWindowMs: 40 },
    });
    for await (const chunk of response.body)
      await new Promise((resolve) => setTimeout(resolve, chunk.length > 0 ? 100 : 0));
  });

  it('include redirect responses and endless informational responses', async () => {
    const informing = await startTcp((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    const redirecting = await startHttp((_request, response) => {
      response.writeHead(302, { location: '/' });
      drip(response, 20);
    });
    const outbound = openOutbound([informing, redirecting]);
    await expectJobError(
      read(outbound, informing.origin, { limits: { headersMs: 5_000, totalMs: 300 } }),
      'timeout',
    );
    await expectJobError(
      read(outbound, redirecting.origin, { redirects: 'follow', limits: { totalMs: 300 } }),
      'timeout',
    );
  });

  it('continue while nothing is read, and report the timeout to the reader afterwards', async () => {
    const cut = Promise.withResolvers<void>();
    const server = await startHttp((_request, response) => {
      response.on('close', cut.resolve);
      drip(response, 20);
    });
    const outbound = openOutbound([server]);
    const response = await outbound.request({
      url: new URL(server.origin),
      redirects: 'none',
      limits: { ...generous, totalMs: 100 },
    });
    await cut.promise;
    await expectJobError(Array.fromAsync(response.body), 'timeout');
  });

  it('yield to an abort of the caller, with the reason of the caller', async () => {
    const server = await startHttp((_request, response) => drip(response, 20));
    const outbound = openOutbound([server]);
    const reason = new Error('cancelled by its user');
    const controller = new AbortController();
    const reading = read(outbound, server.origin, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 100);
    await expect(reading).rejects.toBe(reason);
    await expect(read(outbound, server.origin, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
