import {
  createServer as createPlain,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecure, type ServerOptions } from 'node:https';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { runGitHttpBackend } from '../../../apps/cli/src/demo/gitHttpBackend.ts';
import { createAuthority, missingOpenssl } from '../../outbound/certificates.ts';
import { createGitRepository } from '../../support/git/gitRepository.ts';
import { startGitPlatform, type GitPlatform } from '../../support/git/gitPlatform.ts';
import { bound } from '../../support/machine.ts';
import { freePort } from '../../../apps/cli/src/launcher/freePort.ts';

// Some imports start a process, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const missing = missingOpenssl();
if (missing) console.warn(`Git over https not run: ${missing}`);
const authority = missing ? undefined : createAuthority();
const host = '127.0.0.1';
const elsewhere = '127.0.0.3';

let root: string;
let platform: GitPlatform;
let ports: { plain: number; secure: number; other: number };
const servers: Server[] = [];
/** Every request, with the scheme that it came by. */
let seen: { scheme: string; path: string; authorization: string | undefined }[] = [];
let login: string | undefined;
let redirect: ((path: string) => string | undefined) | undefined;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'bindery-remotes-'));
  await createGitRepository(join(root, 'team', 'docs.git'), {
    'README.md': '# Home\n',
    'guide/start.md': '# Start\n',
  });
  ports = { plain: await freePort(), secure: await freePort(), other: await freePort() };
  const allowed = [`${host}:${ports.plain}`, `${host}:${ports.secure}`, `${elsewhere}:${ports.other}`];
  platform = await startGitPlatform(
    { BINDERY_OUTBOUND_ALLOW: allowed.join(), ...(authority && { BINDERY_OUTBOUND_CA: authority.file }) },
    { hasProcesses: true },
  );
  await listen(
    createPlain((request, response) => serve('http', request, response)),
    ports.plain,
    host,
  );
  await listen(
    createPlain((request, response) => serve('elsewhere', request, response)),
    ports.other,
    elsewhere,
  );
});
afterEach(() => {
  seen = [];
  login = redirect = undefined;
});
afterAll(async () => {
  await platform.close();
  for (const server of servers) server.closeAllConnections();
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  authority?.remove();
  rmSync(root, { recursive: true, force: true });
});

async function listen(server: Server, port: number, address: string): Promise<Server> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  return server;
}

function serve(scheme: string, request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? '';
  seen.push({ scheme, path, authorization: request.headers.authorization });
  const location = redirect?.(scheme === 'http' ? path : `${scheme}:${path}`);
  if (location !== undefined) return void response.writeHead(301, { location }).end();
  if (
    login !== undefined &&
    request.headers.authorization !== `Basic ${Buffer.from(login).toString('base64')}`
  ) {
    return void response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
  }
  runGitHttpBackend(request, { root, config: { 'uploadpack.allowFilter': 'true' } }).then(
    (answer) => answer.body.pipe(response.writeHead(answer.status, answer.headers)),
    () => response.destroy(),
  );
}

async function secure(options: ServerOptions): Promise<Server> {
  const server = createSecure(options, (request, response) => serve('https', request, response));
  return listen(server as unknown as Server, ports.secure, host);
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

const plainUrl = (path = '/team/docs.git', user = '') => `http://${user}${host}:${ports.plain}${path}`;
const secureUrl = (path = '/team/docs.git', user = '') => `https://${user}${host}:${ports.secure}${path}`;

const certificates = authority && {
  valid: authority.issue('valid', `IP:${host}`),
  'of another name': authority.issue('other', 'DNS:git.example.org,IP:127.0.0.9'),
  'that has expired': authority.issue('expired', `IP:${host}`, {
    from: '20200101000000Z',
    to: '20210101000000Z',
  }),
  'that is not valid yet': authority.issue('early', `IP:${host}`, {
    from: '20900101000000Z',
    to: '20910101000000Z',
  }),
  'that nobody signed': authority.selfSigned('self', `IP:${host}`),
};

describe('the login of a URL', () => {
  it.each<[of: string, user: string, sent: string]>([
    ['a GitHub App', 'x-access-token:ghs_T0kenOfTheApp', 'x-access-token:ghs_T0kenOfTheApp'],
    ['a GitLab token', 'oauth2:glpat-T0ken_0f', 'oauth2:glpat-T0ken_0f'],
    ['a Bitbucket token', 'x-token-auth:ATCTT0ken=Fq', 'x-token-auth:ATCTT0ken=Fq'],
    ['a Gitea user', 'some.body:p4ss-w0rd', 'some.body:p4ss-w0rd'],
    ['a token in place of the user', 'ghp_T0kenAlone', 'ghp_T0kenAlone:'],
    ['a token in place of the user, with a colon', 'ghp_T0kenAl0ne:', 'ghp_T0kenAl0ne:'],
    ['a password without a user', ':T0kenOnly', ':T0kenOnly'],
    [
      'an e-mail address, and all that a URL has to encode',
      'ada%40example.org:a%2Fb%3Ac%40d%25%23%3F%C3%A9+%20',
      'ada@example.org:a/b:c@d%#?é+ ',
    ],
    ['a percent sign that encodes nothing', 'me:100%25%zz', 'me:100%25%zz'],
  ])('is sent decoded and stored nowhere: %s', async (_, user, sent) => {
    login = sent;
    const space = await platform.newSpace();
    expect(await platform.import(space, plainUrl(undefined, `${user}@`))).toMatchObject({
      state: 'succeeded',
    });
    expect(seen.map(({ authorization }) => authorization !== undefined)).toEqual([
      false,
      ...seen.slice(1).map(() => true),
    ]);
    const secret = sent.split(':').find((part) => /T0ken|p4ss|a\/b|100%/.test(part)) ?? '';
    expect(secret.length).toBeGreaterThan(2);
    expect(await platform.findSecrets(space, [secret, Buffer.from(sent).toString('base64')])).toEqual([]);
  });
});

describe.skipIf(missing)('git over https, by a process of its own', () => {
  it('trusts the certificate authority that the operator configures', async () => {
    const server = await secure(certificates!.valid);
    login = 'x-access-token:T0ken-over-tls';
    const space = await platform.newSpace();
    expect(await platform.import(space, secureUrl(undefined, `${login}@`))).toMatchObject({
      state: 'succeeded',
    });
    expect((await platform.contentOf(space)).outline[0]).toBe('document Home /readme');
    await close(server);
  });
});

// The bytes on the network do not depend on the process: it must only be given the login and the
// authority.
describe('the path of a URL', () => {
  beforeAll(() => platform.readHere());

  it.each([
    '/team/docs.git',
    '/team/docs.git/',
    '/team/docs.git//',
    '/team/../team/docs.git',
    '/team/%64ocs.git',
  ])('may be %s', async (path) => {
    const space = await platform.newSpace();
    expect(await platform.import(space, plainUrl(path))).toMatchObject({ state: 'succeeded' });
    expect((await platform.contentOf(space)).outline).toEqual([
      'document Home /readme',
      'document guide /guide',
      '  document Start /guide/start',
    ]);
  });

  it('may lack the .git suffix when the server redirects to it', async () => {
    redirect = (path) => (path.startsWith('/team/docs/') ? path.replace('/docs/', '/docs.git/') : undefined);
    for (const path of ['/team/docs', '/team/docs/']) {
      const space = await platform.newSpace();
      expect(await platform.import(space, plainUrl(path))).toMatchObject({ state: 'succeeded' });
      // Asked once, then all goes where it led.
      expect(
        seen.map((request) => request.path).filter((asked) => asked.startsWith('/team/docs/')).length,
      ).toBe(1);
      seen = [];
    }
  });
});

describe('a redirect to another host', () => {
  beforeAll(() => platform.readHere());

  it('is not followed, and gets no login', async () => {
    login = 'me:T0ken-of-here';
    for (const location of [
      `http://${elsewhere}:${ports.other}/team/docs.git/info/refs?service=git-upload-pack`,
      `//${elsewhere}:${ports.other}/x`,
      `http://me:T0ken@${elsewhere}:${ports.other}/x`,
      `http://${host}:${ports.other}/x`,
    ]) {
      redirect = () => location;
      const space = await platform.newSpace();
      const before = await platform.stateOf(space);
      const job = await platform.import(space, plainUrl(undefined, `${login}@`));
      expect(job).toMatchObject({
        state: 'failed',
        error: { code: 'redirect', message: expect.not.stringContaining(elsewhere) },
      });
      expect(await platform.stateOf(space)).toEqual(before);
    }
    expect(seen.filter(({ scheme, authorization }) => scheme === 'elsewhere' || authorization)).toEqual([]);
  });
});

describe.skipIf(missing)('git over https', () => {
  beforeAll(() => platform.readHere());

  it('may be the target of a redirect from http, and the login is sent only there', async () => {
    const server = await secure(certificates!.valid);
    login = 'x-access-token:T0ken-after-redirect';
    redirect = (path) => (path.startsWith('https:') ? undefined : secureUrl(path));
    const space = await platform.newSpace();
    expect(await platform.import(space, plainUrl(undefined, `${login}@`))).toMatchObject({
      state: 'succeeded',
    });
    expect(
      seen.filter(({ scheme, authorization }) => scheme === 'http' && authorization !== undefined),
    ).toEqual([]);
    expect(seen.filter(({ scheme }) => scheme === 'https').length).toBeGreaterThan(2);
    await close(server);
  });

  it('does not follow a redirect to http', async () => {
    const server = await secure(certificates!.valid);
    redirect = (path) => (path.startsWith('https:') ? plainUrl(path.slice('https:'.length)) : undefined);
    const space = await platform.newSpace();
    expect(await platform.import(space, secureUrl())).toMatchObject({
      state: 'failed',
      error: { code: 'redirect' },
    });
    expect(seen.some(({ scheme }) => scheme === 'http')).toBe(false);
    await close(server);
  });

  it.each(
    Object.keys(certificates ?? {}).filter((name) => name !== 'valid') as (keyof NonNullable<
      typeof certificates
    >)[],
  )('refuses a certificate %s', async (name) => {
    const server = await secure(certificates![name]);
    login = 'me:T0ken-that-nobody-gets';
    const space = await platform.newSpace();
    const before = await platform.stateOf(space);
    const job = await platform.import(space, secureUrl(undefined, `${login}@`));
    expect(job).toMatchObject({
      state: 'failed',
      attempts: [expect.anything()],
      error: { code: 'tls', class: 'invalid', action: expect.stringContaining('outbound CA file') },
    });
    expect(await platform.stateOf(space)).toEqual(before);
    expect(seen).toEqual([]);
    await close(server);
  });

  it('refuses TLS 1.0', async () => {
    const server = await secure({
      ...certificates!.valid,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const space = await platform.newSpace();
    expect(await platform.import(space, secureUrl())).toMatchObject({
      state: 'failed',
      error: { code: 'tls' },
    });
    await close(server);
  });

  it('gives up a stalled handshake within 15 seconds', async () => {
    const stalled = createTcp((socket) => socket.on('error', () => {}).resume());
    await new Promise<void>((resolve) => stalled.listen(ports.secure, host, resolve));
    const space = await platform.newSpace();
    const job = await platform.importOnce(space, secureUrl());
    expect(job.attempts[0]).toMatchObject({ error: { code: 'timeout', class: 'transient' } });
    const { startedAt, endedAt } = job.attempts[0]!;
    expect(endedAt!.getTime() - startedAt.getTime()).toBeLessThan(bound(15_000));
    await new Promise((resolve) => stalled.close(resolve));
  });
});

describe('a server that asks to wait', () => {
  beforeAll(() => platform.readHere());

  it('gets the next request after its Retry-After time, and the import succeeds', async () => {
    let refusals = 2;
    const server = createPlain((request, response) => {
      if (refusals-- > 0) response.writeHead(429, { 'retry-after': '2' }).end();
      else serve('http', request, response);
    });
    await listen(server, ports.secure, host);
    const space = await platform.newSpace();
    const job = await platform.import(space, `http://${host}:${ports.secure}/team/docs.git`);
    expect(job).toMatchObject({ state: 'succeeded' });
    const [first, second, third] = job.attempts;
    expect([first?.error?.code, second?.error?.code, third?.error]).toEqual([
      'throttled',
      'throttled',
      undefined,
    ]);
    expect(second!.startedAt.getTime() - first!.endedAt!.getTime()).toBeGreaterThanOrEqual(2_000);
    await close(server);
  });
});
