import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { throwForStatus } from '@bindery/outbound';
import { expectJobError, generous, openOutbound, read, startHttp, startTcp } from './servers.ts';

const readOnce = fileURLToPath(new URL('./readOnce.ts', import.meta.url));

describe('a request', () => {
  it('sends headers and a body of known length', async () => {
    const requests: IncomingMessage[] = [];
    const server = await startHttp((request, response) => {
      requests.push(request);
      request.pipe(response);
    });
    const headers = { 'Content-Type': 'application/x-git-upload-pack-request' };
    const { body } = await read(openOutbound([server]), server.origin, {
      method: 'POST',
      headers,
      body: Buffer.from('0032want'),
    });
    expect(body.toString()).toBe('0032want');
    expect(requests[0]?.headers).toMatchObject({
      'content-length': '8',
      'content-type': 'application/x-git-upload-pack-request',
      'user-agent': 'bindery',
      'accept-encoding': 'gzip, br',
    });
  });

  it('streams a body of unknown length', async () => {
    const server = await startHttp((request, response) => void request.pipe(response));
    const { body } = await read(openOutbound([server]), server.origin, { method: 'POST', body: pieces() });
    expect(body.length).toBe(1_000_000);
    expect(body.at(-1)).toBe(99);
  });

  it('streams a body with an announced length, and fails when the length is wrong', async () => {
    const lengths: (string | undefined)[] = [];
    const server = await startHttp((request, response) => {
      lengths.push(request.headers['content-length']);
      request.pipe(response);
    });
    const { body } = await read(openOutbound([server]), server.origin, {
      method: 'POST',
      body: { sizeBytes: 1_000_000, open: pieces },
    });
    expect(lengths).toEqual(['1000000']);
    expect(body.length).toBe(1_000_000);
    expect(body.at(-1)).toBe(99);
    // Neither more nor less than was announced is a request.
    for (const sizeBytes of [999_999, 1_000_001])
      await expectJobError(
        read(openOutbound([server]), server.origin, { method: 'POST', body: { sizeBytes, open: pieces } }),
        'connect',
      );
  });

  it('stops sending a body when the response arrives first', async () => {
    const server = await startHttp((_request, response) => {
      response.statusCode = 413;
      response.end('too much');
    });
    const closed = Promise.withResolvers<void>();
    async function* endless() {
      try {
        for (;;) yield Buffer.alloc(64 * 1024);
      } finally {
        closed.resolve();
      }
    }
    const { status } = await read(openOutbound([server]), server.origin, {
      method: 'POST',
      body: { sizeBytes: 1e12, open: endless },
    });
    expect(status).toBe(413);
    await closed.promise;
  });

  it('passes an error of its body through unchanged', async () => {
    const server = await startHttp((request) => void request.resume());
    async function* failing() {
      yield Buffer.from('a');
      throw new Error('the file is gone');
    }
    await expect(
      read(openOutbound([server]), server.origin, { method: 'POST', body: failing() }),
    ).rejects.toThrow('the file is gone');
  });

  it('uses one connection for the three requests of git, also after a 401', async () => {
    const server = await startHttp((request, response) => {
      if (!request.headers.authorization) response.statusCode = 401;
      request.on('end', () => response.end('0000')).resume();
    });
    const outbound = openOutbound([server]);
    const first = await outbound.request({
      url: new URL(server.origin),
      redirects: 'same-host',
      limits: generous,
    });
    expect(() => throwForStatus(first)).toThrow('401');
    await first.discard();
    const headers = { authorization: 'Basic eA==' };
    await read(outbound, server.origin, { headers });
    await read(outbound, server.origin, { headers, method: 'POST', body: Buffer.from('0000') });
    expect(server.connections()).toBe(1);
  });

  it('closes the connection when the reader stops early', async () => {
    const cut = Promise.withResolvers<void>();
    const server = await startHttp((_request, response) => {
      response.on('close', cut.resolve);
      response.write('x');
    });
    const response = await openOutbound([server]).request({
      url: new URL(server.origin),
      redirects: 'none',
      limits: generous,
    });
    for await (const _chunk of response.body) break;
    await cut.promise;
  });

  it('refuses a login in its URL, and a Host header', async () => {
    const server = await startHttp((_request, response) => response.end());
    const outbound = openOutbound([server]);
    const url = outbound.checkUrl(`http://user:pass@${server.host}/`, { allowUserInfo: true });
    await expectJobError(outbound.request({ url, redirects: 'same-host', limits: generous }), 'bad_url');
    await expect(read(outbound, server.origin, { headers: { Host: 'internal' } })).rejects.toThrow(TypeError);
    expect(server.connections()).toBe(0);
  });

  it('fails when the outbound client is closed', async () => {
    const server = await startHttp((_request, response) => void response.write('x'));
    const outbound = openOutbound([server]);
    const response = await outbound.request({
      url: new URL(server.origin),
      redirects: 'none',
      limits: generous,
    });
    await outbound.close();
    await expectJobError(Array.fromAsync(response.body), 'connect');
    await expect(read(outbound, server.origin)).rejects.toThrow('closed');
  });
});

describe('a refused address', () => {
  it('is never connected to, and gives the same error for open and closed ports', async () => {
    const canary = await startHttp((_request, response) => response.end('secret'), '127.0.0.1');
    const outbound = openOutbound([]);
    const texts = new Set<string>();
    for (const origin of [
      canary.origin,
      'http://127.0.0.1:3999',
      `http://127.0.0.2:${canary.port}`,
      'http://10.0.0.5',
      'http://[::1]:8080',
    ]) {
      // Past the check of the text: the request must stop by itself.
      const request = outbound.request({ url: new URL(origin), redirects: 'follow', limits: generous });
      const error = await expectJobError(request, 'refused_address');
      texts.add(`${error.message} ${error.action}`);
    }
    expect(texts.size).toBe(1);
    expect(canary.connections()).toBe(0);
  });

  it('includes our own services, also when the allow list has them, under any name', async () => {
    const service = await startHttp((_request, response) => response.end('secret'), '127.0.0.1');
    const allow = [`127.0.0.1:${service.port}`, `localhost:${service.port}`, '127.0.0.0/8'];
    for (const refused of [
      `127.0.0.1:${service.port}`,
      `localhost:${service.port}`,
      `0.0.0.0:${service.port}`,
    ]) {
      const outbound = openOutbound([], { allow, refused: [refused] });
      for (const host of ['127.0.0.1', 'localhost', '127.0.0.77']) {
        const request = outbound.request({
          url: new URL(`http://${host}:${service.port}/`),
          redirects: 'none',
          limits: generous,
        });
        await expectJobError(request, 'refused_address');
      }
    }
    expect(service.connections()).toBe(0);
    expect((await read(openOutbound([], { allow }), `http://localhost:${service.port}`)).status).toBe(200);
  });
});

describe('a broken server', () => {
  it.each([
    ['another protocol', '-ERR banner of redis\r\n'],
    [
      'a switch of protocols',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: banner\r\n\r\n',
    ],
    ['half a header', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['nothing', ''],
    ['a body cut short', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbanner'],
    ['a chunk cut short', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\nbanner'],
    ['a chunk without a size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nbanner\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\ncontent-length: 7\r\n\r\nbanner'],
  ])('fails without its bytes in the error: %s', async (_case, bytes) => {
    const server = await startTcp((socket) => socket.once('data', () => socket.end(bytes)));
    await expectJobError(read(openOutbound([server]), server.origin), 'connect');
  });

  it('fails with endless headers', async () => {
    const server = await startTcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      for (let line = 0; line < 1000; line++) socket.write(`x-${line}: ${'banner'.repeat(100)}\r\n`);
    });
    await expectJobError(read(openOutbound([server]), server.origin), 'too_large');
  });

  it('fails when the port is closed', async () => {
    const gone = await startTcp(() => {});
    const outbound = openOutbound([], { allow: [`127.0.0.3:${gone.port}`] });
    const error = await expectJobError(read(outbound, `http://127.0.0.3:${gone.port}`), 'connect');
    expect(error.cause).toBe('ECONNREFUSED');
  });
});

describe('the environment', () => {
  it('cannot set a proxy', async () => {
    const proxy = await startHttp((_request, response) => response.end('by the proxy'), '127.0.0.1');
    const server = await startHttp((_request, response) => response.end('direct'));
    const env = {
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: proxy.origin,
      http_proxy: proxy.origin,
      HTTPS_PROXY: proxy.origin,
      ALL_PROXY: proxy.origin,
    };
    const child = spawn(process.execPath, [readOnce, server.origin, server.host], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(output).toBe('direct');
    expect(proxy.connections()).toBe(0);
  });
});

async function* pieces() {
  for (let piece = 0; piece < 100; piece++) yield Buffer.alloc(10_000, piece);
}
