import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerOptions } from 'node:https';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createOutbound } from '@bindery/outbound';
import { createAuthority, missingOpenssl } from './certificates.ts';
import { expectJobError, openOutbound, read, startHttp, startHttps, startTcp } from './servers.ts';

const missing = missingOpenssl();
if (missing) console.warn(`TLS tests not run: ${missing}`);

describe.skipIf(missing)('TLS', () => {
  const authority = missing ? undefined : createAuthority();
  afterAll(() => authority?.remove());
  const {
    file: caFile = '',
    issue,
    selfSigned,
  } = authority ?? ({} as Partial<ReturnType<typeof createAuthority>>);
  const valid = issue?.('valid', 'DNS:localhost,IP:127.0.0.2');

  function serve(options: ServerOptions | undefined) {
    return startHttps(options ?? {}, (_request, response) => response.end('sealed'));
  }

  it('accepts a certificate of the CA file, for a name and for an address', async () => {
    const server = await serve(valid);
    expect((await read(openOutbound([server], { caFile }), server.origin)).body.toString()).toBe('sealed');
  });

  it.each([
    ['an unknown authority', () => valid, {}, 'no authority'],
    ['self-signed', () => selfSigned?.('self', 'IP:127.0.0.2'), { caFile }, 'no authority'],
    ['another name', () => issue?.('other', 'DNS:other.test,IP:127.0.0.9'), { caFile }, 'another host name'],
    [
      'expired',
      () => issue?.('expired', 'IP:127.0.0.2', { from: '20200101000000Z', to: '20210101000000Z' }),
      { caFile },
      'expired',
    ],
    [
      'not valid yet',
      () => issue?.('early', 'IP:127.0.0.2', { from: '20900101000000Z', to: '20910101000000Z' }),
      { caFile },
      'not valid yet',
    ],
    [
      'TLS 1.0',
      () => ({ ...valid, minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }) as const,
      { caFile },
      'handshake',
    ],
  ])('refuses %s', async (_case, certificate, settings, message) => {
    const server = await serve(certificate());
    const error = await expectJobError(read(openOutbound([server], settings), server.origin), 'tls');
    expect(error.message).toContain(message);
    expect(error.class).toBe('invalid');
  });

  it('fails with a server of plain HTTP or of another protocol', async () => {
    const plain = await startHttp((_request, response) => response.end('open'));
    const other = await startTcp((socket) => socket.write('220 banner of mail\r\n'));
    for (const server of [plain, other]) {
      const outbound = openOutbound([server], { caFile });
      await expectJobError(read(outbound, server.origin.replace('http:', 'https:')), 'tls');
    }
  });

  it('is not left by a redirect to HTTP', async () => {
    const plain = await startHttp((_request, response) => response.end('open'));
    const server = await startHttps({ ...valid }, (_request, response) =>
      response.writeHead(302, { location: plain.origin }).end(),
    );
    const outbound = openOutbound([server, plain], { caFile });
    for (const redirects of ['same-host', 'follow'] as const)
      await expectJobError(read(outbound, server.origin, { redirects }), 'redirect');
    expect(plain.connections()).toBe(0);
  });

  it('is entered by a redirect on the same host, with credentials only for same-host redirects', async () => {
    const server = await startHttps({ ...valid }, (request, response) =>
      response.end(request.headers.authorization ?? 'nobody'),
    );
    const plain = await startHttp((_request, response) =>
      response.writeHead(301, { location: `${server.origin}/` }).end(),
    );
    const outbound = openOutbound([server, plain], { caFile });
    const headers = { authorization: 'Basic eA==' };
    expect((await read(outbound, plain.origin, { redirects: 'same-host', headers })).body.toString()).toBe(
      'Basic eA==',
    );
    expect((await read(outbound, plain.origin, { redirects: 'follow', headers })).body.toString()).toBe(
      'nobody',
    );
  });

  it('is verified regardless of the environment', async () => {
    const server = await serve(valid);
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' };
    const script = fileURLToPath(new URL('./readOnce.ts', import.meta.url));
    const child = spawn(process.execPath, [script, server.origin, server.host], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(output).toBe('tls');
  });

  it('fails at the start with an invalid CA file', () => {
    expect(() => createOutbound({ allow: [], refused: [], caFile: '/nonexistent/ca.pem' })).toThrow(
      'cannot be used: ENOENT',
    );
    expect(() => createOutbound({ allow: [], refused: [], caFile: fileURLToPath(import.meta.url) })).toThrow(
      'no PEM certificate',
    );
  });
});
