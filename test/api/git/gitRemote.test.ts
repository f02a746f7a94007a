import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { mongoDatabase } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildGrant, buildMember, buildSpace } from '../../support/factories.ts';
import { startGitServer, type GitServer } from '../../support/git/gitServer.ts';
import { packet, startLyingGitServer } from '../../support/git/lyingGitServer.ts';
import { it as base } from '../../support/it.ts';
import { bound } from '../../support/machine.ts';

const login = { username: 'x-access-token', password: 'c4n4ry-of-the-remote' };
const readme = { 'README.md': '# Home\n' };
const oid = 'ab'.repeat(20);

async function listen(listener: RequestListener): Promise<{ server: Server; hostPort: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, hostPort: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const it = base
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads there which fixtures are wanted: none.
  .extend('servers', { scope: 'file' }, async ({}, { onCleanup }) => {
    const [open, guarded, lying, web] = await Promise.all([
      startGitServer(),
      startGitServer({ login }),
      startLyingGitServer(),
      listen((request, response) => {
        if (request.url?.startsWith('/silent')) return;
        if (request.url?.startsWith('/away'))
          return void response.writeHead(302, { location: 'http://127.0.0.9:3000/r.git/info/refs' }).end();
        // A server of files answers with those of the repository, whatever the query asks for.
        const isDumb = request.url?.startsWith('/dumb');
        response.writeHead(200, { 'content-type': isDumb ? 'text/plain' : 'text/html' });
        response.end(isDumb ? `${oid}\trefs/heads/main\n` : '<h1>c4n4ry</h1>');
      }),
    ]);
    onCleanup(async () => {
      web.server.closeAllConnections();
      web.server.close();
      await Promise.all([open.close(), guarded.close(), lying.close()]);
    });
    return { open, guarded, lying, web: `http://${web.hostPort}`, hosts: [open, guarded, lying, web] };
  })
  .extend('environment', { scope: 'file' }, ({ servers: { hosts } }): Record<string, string> => ({
    BINDERY_OUTBOUND_ALLOW: hosts.map(({ hostPort }) => hostPort).join(),
  }))
  .extend(
    'describeRemote',
    ({ api, organization, creator }) =>
      (url: string, { token } = creator) =>
        api.call('POST', `/v1/orgs/${organization._id}/git/remote`, { token, json: { url } }),
  )
  .extend('repository', ({ servers: { open } }) => repositoryWithTags(open));

let made = 0;

/** Two branches, and tags of each kind: of a commit, annotated, annotated twice, of a folder. */
async function repositoryWithTags(server: GitServer) {
  made += 1;
  const repository = await server.createRepository(`tags-${made}.git`, readme);
  const { git } = repository;
  await git(['branch', 'topic/a', 'main']);
  await git(['tag', 'light', 'main']);
  const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  await git([...person, 'tag', '-a', '-m', 'First', 'v1', 'main']);
  await git([...person, 'tag', '-a', '-m', 'Twice', 'v1.0', 'v1']);
  await git(['tag', 'folder', 'main^{tree}']);
  await git(['update-ref', 'refs/pull/1/head', 'main']);
  return repository;
}

const withLogin = (url: string, { username, password } = login) =>
  url.replace('//', `//${username}:${password}@`);

const refuses = {
  canRead: false,
  canPush: false,
  branches: [],
  tags: [],
  truncated: { branches: false, tags: false },
};

describe('POST /v1/orgs/{organizationId}/git/remote', () => {
  it('lists the default branch, the branches and the tags, in both versions of the protocol', async ({
    servers: { open },
    repository,
    describeRemote,
  }) => {
    const commit = await repository.oid('main');
    const expected = {
      login: 'none',
      canRead: true,
      canPush: true,
      defaultBranch: { name: 'main', ref: 'refs/heads/main', oid: commit },
      branches: [
        { name: 'main', ref: 'refs/heads/main', oid: commit },
        { name: 'topic/a', ref: 'refs/heads/topic/a', oid: commit },
      ],
      tags: [
        { name: 'folder', ref: 'refs/tags/folder', oid: await repository.oid('main^{tree}') },
        { name: 'light', ref: 'refs/tags/light', oid: commit },
        { name: 'v1', ref: 'refs/tags/v1', oid: commit, tagOid: await repository.oid('v1') },
        { name: 'v1.0', ref: 'refs/tags/v1.0', oid: commit, tagOid: await repository.oid('v1.0') },
      ],
      truncated: { branches: false, tags: false },
    };
    for (const isFirstVersionOnly of [false, true]) {
      open.options.isFirstVersionOnly = isFirstVersionOnly;
      const { status, body } = await describeRemote(repository.url);
      expect([status, body]).toEqual([200, expected]);
    }
    open.options.isFirstVersionOnly = false;
  });

  it('shows symbolic refs as branches, and no default branch where HEAD names a commit', async ({
    repository: { git, url },
    describeRemote,
  }) => {
    await git(['symbolic-ref', 'refs/heads/alias', 'refs/heads/main']);
    await git(['symbolic-ref', 'HEAD', 'refs/heads/alias']);
    expect((await describeRemote(url)).body).toMatchObject({
      defaultBranch: { name: 'main' },
      branches: [{ name: 'alias' }, { name: 'main' }, { name: 'topic/a' }],
    });
    await git(['update-ref', '--no-deref', 'HEAD', 'main']);
    const { body } = await describeRemote(url);
    expect([body.canRead, body.defaultBranch, body.branches.length]).toEqual([true, undefined, 3]);
    await git(['symbolic-ref', 'HEAD', 'refs/heads/none']);
    expect((await describeRemote(url)).body.defaultBranch).toBeUndefined();
  });

  it('lists no refs of an empty repository', async ({ servers: { open }, describeRemote }) => {
    const { url } = await open.createRepository('empty.git', {});
    for (const isFirstVersionOnly of [false, true]) {
      open.options.isFirstVersionOnly = isFirstVersionOnly;
      const { status, body } = await describeRemote(url);
      expect([status, body]).toEqual([200, { ...refuses, login: 'none', canRead: true, canPush: true }]);
    }
    open.options.isFirstVersionOnly = false;
  });

  it('reports the access that the login has, and stores the login nowhere', async ({
    api,
    servers: { open, guarded },
    describeRemote,
  }) => {
    const { url } = await guarded.createRepository('closed.git', readme);
    const wrong = withLogin(url, { ...login, password: 'c4n4ry-wrong' });
    expect((await describeRemote(url)).body).toEqual({ ...refuses, login: 'required' });
    expect((await describeRemote(wrong)).body).toEqual({ ...refuses, login: 'refused' });
    const accepted = { login: 'accepted', canRead: true, canPush: true, branches: [{ name: 'main' }] };
    expect((await describeRemote(withLogin(url))).body).toMatchObject(accepted);
    guarded.options.allowPush = false;
    expect((await describeRemote(withLogin(url))).body).toMatchObject({ ...accepted, canPush: false });
    guarded.options.allowPush = true;

    const { url: readable } = await open.createRepository('public.git', readme);
    expect((await describeRemote(withLogin(readable))).body).toMatchObject({
      login: 'unused',
      canPush: true,
    });
    open.options.login = { ...login, onlyFor: 'pushInfo' };
    const canRead = { canRead: true, canPush: false };
    expect((await describeRemote(readable)).body).toMatchObject({ ...canRead, login: 'none' });
    expect(
      (await describeRemote(withLogin(readable, { ...login, password: 'c4n4ry-wrong' }))).body,
    ).toMatchObject({ ...canRead, login: 'refused' });
    expect((await describeRemote(withLogin(readable))).body).toMatchObject({
      ...{ login: 'accepted', canRead: true, canPush: true },
    });
    delete open.options.login;

    const encoded = Buffer.from(`${login.username}:${login.password}`).toString('base64');
    expect(api.logLines.join('\n')).not.toMatch(new RegExp(`c4n4ry|${encoded}`));
    for (const { name } of await mongoDatabase().listCollections().toArray())
      expect(JSON.stringify(await mongoDatabase().collection(name).find().toArray())).not.toContain('c4n4ry');
  });

  it.for<[what: string, path: string, message: RegExp]>([
    ['no repository', 'open:/none.git', /no repository at this URL/],
    ['a web page', 'web:/page', /not that of a git server/],
    ['a server of files', 'web:/dumb/r.git', /not that of a git server/],
    ['a redirect to another host', 'web:/away/r.git', /redirects to another host/],
  ])('answers 400 for %s', async ([, place, message], { servers, describeRemote }) => {
    const [server, path] = place.split(':');
    const { status, text, body } = await describeRemote(
      `${server === 'open' ? servers.open.url : servers.web}${path}`,
    );
    expect([status, body.error.type]).toEqual([400, 'invalid_request']);
    expect(body.error.message).toMatch(message);
    expect(text).not.toMatch(/c4n4ry|127\.0\.0/);
  });

  it('answers 503 for a server that does not answer within seconds', async ({
    servers: { web },
    describeRemote,
  }) => {
    const startedAt = performance.now();
    const { status, headers, body } = await describeRemote(`${web}/silent/r.git`);
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect(body.error.message).toMatch(/took too long/);
    expect(performance.now() - startedAt).toBeLessThan(bound(12_000));
  });

  it('refuses internal addresses, URLs with a query, and other protocols', async ({
    servers: { open },
    describeRemote,
  }) => {
    for (const url of [
      'http://127.0.0.1:1/r.git',
      'http://169.254.169.254/latest',
      `${open.url}/r.git?token=c4n4ry`,
      `http::${open.url}/r.git`,
      'ssh://git@example.org/r.git',
      'git@example.org:o/r.git',
    ]) {
      const { status, body, text } = await describeRemote(url);
      expect([status, body.error.type]).toEqual([400, 'invalid_request']);
      expect(text).not.toContain('c4n4ry');
    }
  });

  it('lists a thousand of a hundred thousand branches, in both versions of the protocol', async ({
    servers: { open },
    describeRemote,
  }) => {
    const { path, url, oid: oidOf } = await open.createRepository('crowded.git', readme);
    const commit = await oidOf('main');
    const lines = Array.from({ length: 100_000 }, (_, n) => `${commit} refs/heads/b${100_000 + n}\n`);
    writeFileSync(join(path, 'packed-refs'), `# pack-refs with: sorted\n${lines.join('')}`);
    for (const isFirstVersionOnly of [false, true]) {
      open.options.isFirstVersionOnly = isFirstVersionOnly;
      const { status, body } = await describeRemote(url);
      expect(status).toBe(200);
      expect(body.truncated).toEqual({ branches: true, tags: isFirstVersionOnly });
      expect(body.branches.length).toBe(1_000);
      expect(body.branches[999]).toEqual({
        ...{ name: 'b100999', ref: 'refs/heads/b100999', oid: commit },
      });
      expect(body.defaultBranch.name).toBe('main');
    }
    open.options.isFirstVersionOnly = false;
  });

  it('omits names that no import accepts', async ({ servers: { lying }, describeRemote }) => {
    const names = [
      ...['refs/heads/\u001b[31mred', 'refs/heads/a b', 'refs/heads/-x', 'refs/heads/a..b', 'refs/heads/'],
      ...[`refs/heads/${'long'.repeat(5_000)}`, 'refs/heads/\u0000', 'refs/heads/a\u00a0', 'refs/tags/@{'],
      ...[
        'refs/heads/__proto__',
        'refs/heads/constructor',
        'refs/tags/v1',
        'refs/notes/x',
        'refs/heads/日本語',
      ],
    ];
    const url = lying.tell({
      refs: [
        [oid, 'HEAD'],
        ...names.map((name): [string, string] => [oid, name.replace('\u0000', '\u0001')]),
      ],
      capabilities: 'side-band-64k symref=HEAD:refs/heads/\u001b[31mred agent=x',
    });
    const { status, body } = await describeRemote(url);
    expect(status).toBe(200);
    expect(body.branches.map(({ name }: { name: string }) => name)).toEqual([
      ...['__proto__', 'constructor', '日本語'],
    ]);
    expect(body.tags.map(({ name }: { name: string }) => name)).toEqual(['v1']);
    expect([body.defaultBranch, body.canPush]).toEqual([undefined, false]);
  });

  it('repeats no text of a server that sends invalid answers', async ({
    servers: { lying },
    describeRemote,
  }) => {
    const service = Buffer.concat([packet('# service=git-upload-pack\n'), Buffer.from('0000')]);
    const second = Buffer.concat([service, packet('version 2\n'), packet('ls-refs\n'), Buffer.from('0000')]);
    const lists = [
      packet('ERR c4n4ry: go to http://127.0.0.1/\n'),
      packet('c4n4ry'),
      Buffer.concat([packet(`${oid.slice(1)} refs/heads/main\n`), Buffer.from('0000')]),
      Buffer.from('<html>c4n4ry</html>'),
    ];
    for (const lie of [
      { advertisement: () => Buffer.concat([service, packet('ERR c4n4ry\n'), Buffer.from('0000')]) },
      { advertisement: () => Buffer.concat([service, Buffer.from('00zz')]) },
      ...lists.map((list) => ({ advertisement: () => second, answer: () => list })),
    ]) {
      const { status, text } = await describeRemote(lying.tell(lie));
      expect([400, 503]).toContain(status);
      expect(text).not.toMatch(/c4n4ry|127\.0/);
    }
  });

  it('is open to callers who may start an import in at least one space', async ({
    organization,
    admin,
    guest,
    outsider,
    repository: { url },
    describeRemote,
  }) => {
    const space = await buildSpace(organization);
    const reader = await buildMember(organization, 'read');
    const granted = await buildMember(organization, null);
    await buildGrant({ space }, granted, 'create');
    const lesser = await buildMember(organization, null);
    await buildGrant({ space }, lesser, 'review');
    for (const [caller, status] of [
      [admin, 200],
      [granted, 200],
      [lesser, 403],
      [reader, 403],
      [guest, 403],
      [outsider, 404],
    ] as const)
      expect((await describeRemote(url, caller)).status).toBe(status);

    const open = await buildSpace(organization, { defaultLevel: 'create' });
    expect((await describeRemote(url, reader)).status).toBe(200);
    await buildGrant({ space: open }, reader, 'read');
    expect((await describeRemote(url, reader)).status).toBe(403);
    expect((await describeRemote(url, guest)).status).toBe(403);
  });
});
