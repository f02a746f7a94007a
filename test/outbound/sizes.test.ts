import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { expectJobError, openOutbound, read, startHttp } from './servers.ts';

const MiB = 1024 * 1024;

/** A server that answers with these bytes under this content coding. */
async function serving(body: Uint8Array, coding: string) {
  const server = await startHttp((_request, response) => {
    response.writeHead(200, { 'content-encoding': coding });
    response.end(body);
  });
  return { outbound: openOutbound([server]), url: server.origin };
}

describe('size limits', () => {
  it('refuse a declared length at once', async () => {
    const server = await startHttp((_request, response) => {
      response.writeHead(200, { 'content-length': 2 * MiB });
      response.write('x');
    });
    await expectJobError(
      read(openOutbound([server]), server.origin, { limits: { maxBytes: MiB } }),
      'too_large',
    );
  });

  it('end a stream of unknown length', async () => {
    const server = await startHttp((_request, response) => {
      const pour = (): void => {
        while (response.writable && response.write(Buffer.alloc(64 * 1024)));
      };
      response.on('drain', pour);
      pour();
    });
    await expectJobError(
      read(openOutbound([server]), server.origin, { limits: { maxBytes: 4 * MiB } }),
      'too_large',
    );
  });

  it('allow exactly the maximum', async () => {
    const { outbound, url } = await serving(gzipSync(Buffer.alloc(MiB)), 'gzip');
    const { body } = await read(outbound, url, { limits: { maxDecodedBytes: MiB } });
    expect(body.length).toBe(MiB);
    await expectJobError(read(outbound, url, { limits: { maxDecodedBytes: MiB - 1 } }), 'too_large');
    await expectJobError(read(outbound, url, { limits: { maxBytes: 100 } }), 'too_large');
  });

  it('stop a decompression bomb at the limit, in any number of layers', async () => {
    const zeros = gzipSync(Buffer.alloc(100 * MiB));
    const emptyMembers = gzipSync(Buffer.concat(Array<Uint8Array>(200_000).fill(gzipSync(''))));
    const before = process.memoryUsage().rss;
    for (const [body, coding] of [
      [zeros, 'gzip'],
      [gzipSync(zeros), 'gzip, gzip'],
      [brotliCompressSync(zeros), 'gzip, br'],
      // Nothing comes out in the end, but 4 MB lie between the layers.
      [emptyMembers, 'gzip, gzip'],
    ] as const) {
      const { outbound, url } = await serving(body, coding);
      await expectJobError(read(outbound, url, { limits: { maxDecodedBytes: 2 * MiB } }), 'too_large');
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * MiB);
  });
});

describe('content codings', () => {
  const text = Buffer.from('a page '.repeat(1000));

  it.each([
    ['', text],
    ['identity', text],
    ['gzip', gzipSync(text)],
    ['X-GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['identity, gzip, identity', gzipSync(text)],
    ['gzip', Buffer.concat([gzipSync(text.subarray(0, 100)), gzipSync(text.subarray(100))])],
  ])('are decoded: %j', async (coding, body) => {
    const { outbound, url } = await serving(body, coding);
    expect((await read(outbound, url)).body.equals(text)).toBe(true);
  });

  it.each([
    ['three layers', 'gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(text)))],
    ['an unknown one', 'zstd', text],
    ['a name that every object has', 'constructor', text],
    ['bytes that are not what they say', 'gzip', text],
    ['bytes that are not what they say', 'br', text],
    ['a wrong checksum', 'gzip', Buffer.concat([gzipSync(text).subarray(0, -8), Buffer.alloc(8)])],
  ])('are refused: %s (%s)', async (_case, coding, body) => {
    const { outbound, url } = await serving(body, coding);
    await expectJobError(read(outbound, url), 'bad_content');
  });

  it.each([
    ['gzip', gzipSync(text).subarray(0, -20)],
    ['br', brotliCompressSync(text).subarray(0, -5)],
  ])('are a broken connection when they are truncated: %s', async (coding, body) => {
    const { outbound, url } = await serving(body, coding);
    await expectJobError(read(outbound, url), 'connect');
  });

  it.each([200, 204, 304])('are ignored for an empty body (%i)', async (status) => {
    const server = await startHttp((_request, response) => {
      response
        .writeHead(status, { 'content-encoding': 'gzip', ...(status === 200 && { 'content-length': 0 }) })
        .end();
    });
    expect((await read(openOutbound([server]), server.origin)).body.length).toBe(0);
  });
});
