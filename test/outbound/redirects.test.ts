import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { expectJobError, openOutbound, read, startHttp } from './servers.ts';

/** Answers `/n` with a redirect to `/n-1` and `/0` with its own path. */
const countdown: RequestListener = (request, response) => {
  const left = Number(request.url?.slice(1));
  if (left === 0) return void response.end('arrived');
  response.writeHead(302, { location: `/${left - 1}` });
  response.end('moved');
};

const redirectTo =
  (location: string, status = 302): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { location });
    response.end();
  };

describe('redirects', () => {
  it.each(['same-host', 'follow'] as const)(
    'are followed 5 times and not 6 times (%s)',
    async (redirects) => {
      const server = await startHttp(countdown);
      const outbound = openOutbound([server]);
      const { body, url } = await read(outbound, `${server.origin}/5`, { redirects });
      expect([body.toString(), url.pathname]).toEqual(['arrived', '/0']);
      expect(server.connections()).toBe(1);
      await expectJobError(read(outbound, `${server.origin}/6`, { redirects }), 'redirect');
    },
  );

  it('end when they loop', async () => {
    const server = await startHttp(redirectTo('/again'));
    await expectJobError(read(openOutbound([server]), server.origin, { redirects: 'follow' }), 'redirect');
  });

  it('are returned to the caller when redirects are off', async () => {
    const server = await startHttp(countdown);
    const response = await read(openOutbound([server]), `${server.origin}/3`, { redirects: 'none' });
    expect([response.status, response.headers['location'], response.body.toString()]).toEqual([
      302,
      '/2',
      'moved',
    ]);
  });

  it.each(['same-host', 'follow'] as const)(
    'to refused addresses open no connection (%s)',
    async (redirects) => {
      const canary = await startHttp((_request, response) => response.end('secret'), '127.0.0.1');
      const locations = [
        `${canary.origin}/`,
        `http://localhost:${canary.port}/`,
        `http://[::ffff:127.0.0.1]:${canary.port}/`,
        `//127.1:${canary.port}/`,
      ];
      for (const location of locations) {
        const server = await startHttp(redirectTo(location));
        await expectJobError(
          read(openOutbound([server]), server.origin, { redirects }),
          redirects === 'same-host' ? 'redirect' : 'refused_address',
        );
      }
      for (const location of ['file:///etc/passwd', 'gopher://127.0.0.2/', 'data:text/plain,a']) {
        const server = await startHttp(redirectTo(location));
        await expectJobError(
          read(openOutbound([server]), server.origin, { redirects }),
          redirects === 'same-host' ? 'redirect' : 'bad_url',
        );
      }
      expect(canary.connections()).toBe(0);
    },
  );

  it('to another origin carry no credentials', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const other = await startHttp((request, response) => {
      seen.push(request.headers);
      response.end('there');
    });
    const server = await startHttp(redirectTo(`http://user:pass@${other.host}/x`));
    const outbound = openOutbound([server, other]);
    const headers = {
      Authorization: 'Bearer secret',
      Cookie: 'a=secret',
      'X-Signature': 'secret',
      Accept: 'text/html',
    };
    const { body, url } = await read(outbound, server.origin, { redirects: 'follow', headers });
    expect(body.toString()).toBe('there');
    expect(url.href).toBe(`http://${other.host}/x`);
    expect(seen).toHaveLength(1);
    expect(JSON.stringify(seen)).not.toContain('secret');
    expect(seen[0]).toMatchObject({ accept: 'text/html', host: other.host });
    await expectJobError(read(outbound, server.origin, { redirects: 'same-host', headers }), 'redirect');
  });

  it('of a POST send the body again', async () => {
    const server = await startHttp((request, response) => {
      if (request.url === '/old') return redirectTo('/new', 307)(request, response);
      request.pipe(response);
    });
    const body = Buffer.from('want 123');
    const response = await read(openOutbound([server]), `${server.origin}/old`, {
      method: 'POST',
      body,
      redirects: 'same-host',
    });
    expect(response.body.toString()).toBe('want 123');
    const openable = { sizeBytes: 8, open: () => oneChunk(body) };
    const opened = await read(openOutbound([server]), `${server.origin}/old`, {
      method: 'POST',
      body: openable,
      redirects: 'same-host',
    });
    expect(opened.body.toString()).toBe('want 123');
  });
});

async function* oneChunk(chunk: Uint8Array) {
  yield chunk;
}
