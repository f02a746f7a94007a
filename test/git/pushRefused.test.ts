import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { GitRepository } from '../support/git/gitRepository.ts';
import {
  type GitFault,
  type GitRequestKind,
  type GitServer,
  startGitServer,
} from '../support/git/gitServer.ts';
import {
  createRemoteWriter,
  inStepWith,
  type RemoteWriter,
  text,
  type Writing,
  type Written,
} from '../support/git/writeRemote.ts';

let server: GitServer;
let writer: RemoteWriter;
let repository: GitRepository & { url: string };
let head: string;
let names = 0;

beforeAll(async () => {
  server = await startGitServer();
  writer = createRemoteWriter();
});

afterEach(() => {
  server.requests.length = 0;
  server.options = {};
  server.faults.clear();
  delete server.beforeAnswer;
  delete server.moved;
});

afterAll(async () => {
  writer.close();
  await server.close();
});

async function newRepository(
  files: Parameters<GitServer['createRepository']>[1] = { 'README.md': '# Home\n' },
): Promise<void> {
  names += 1;
  repository = await server.createRepository(`r${names}.git`, files);
  head = await repository.oid('main').catch(() => '');
}

/** One change on the head that the space knows. */
function edit(writing: Partial<Writing> = {}): Promise<Written> {
  return writer.write({
    url: repository.url,
    ...(head && inStepWith(head)),
    changes: [text('README.md', '# Edited\n')],
    ...writing,
  });
}

async function refusalOf(written: Promise<Written>): Promise<Error> {
  return written.then(
    ({ outcome }) => {
      throw new Error(`It was not refused: ${outcome.kind}`);
    },
    (error: Error) => error,
  );
}

describe('a branch that has moved', () => {
  it('is not overwritten without force, and keeps its history with force', async () => {
    await newRepository();
    const known = head;
    const theirs = await repository.commit({ 'theirs.md': 'theirs\n' });
    for (const synced of [inStepWith(known), {}]) {
      const error = await refusalOf(edit({ synced: undefined, ...synced }));
      expect(error).toMatchObject({
        code: 'not_fast_forward',
        class: 'invalid',
        action: expect.stringContaining('force'),
      });
    }
    expect(server.requests.some(({ kind }) => kind === 'push')).toBe(false);
    const { outcome } = await edit({ ...inStepWith(known), force: true });
    expect(outcome.kind).toBe('pushed');
    expect(await repository.oid('main^')).toBe(theirs);
    expect(await repository.oid('main:theirs.md')).toBeTruthy();
  });

  it('does not matter when there is nothing to write', async () => {
    await newRepository();
    const { outcome } = await edit({ ...inStepWith('1'.repeat(40)), changes: [] });
    expect(outcome).toMatchObject({ kind: 'unchanged', head });
  });

  it('is detected when it was deleted', async () => {
    await newRepository({});
    const gone = inStepWith('1'.repeat(40));
    const error = await refusalOf(edit(gone));
    expect(error).toMatchObject({
      code: 'not_fast_forward',
      message: expect.stringContaining('does not exist'),
    });
    expect(error).toMatchObject({
      message: expect.stringContaining(`in sync with its commit ${'1'.repeat(40)}.`),
    });
    expect((await edit({ ...gone, force: true })).outcome.kind).toBe('pushed');
  });

  it.each([false, true])(
    'is detected when it moves between the reading and the push (force: %s)',
    async (force) => {
      await newRepository();
      let theirs = '';
      server.beforeAnswer = async (kind) => {
        if (kind === 'push') theirs = await repository.commit({ 'theirs.md': 'theirs\n' });
      };
      expect(await refusalOf(edit({ force }))).toMatchObject({ code: 'not_fast_forward' });
      expect(await repository.oid('main')).toBe(theirs);
    },
  );

  it('is detected when it appears meanwhile', async () => {
    await newRepository({});
    server.beforeAnswer = async (kind) =>
      void (kind === 'push' && (await repository.commit({ 'theirs.md': 'theirs\n' })));
    expect(await refusalOf(edit())).toMatchObject({ code: 'not_fast_forward' });
    expect(await repository.oid('main:theirs.md')).toBeTruthy();
  });
});

describe('an earlier run of the same job', () => {
  it('is recognised by its commit, at the head and in the history', async () => {
    await newRepository();
    const first = await edit();
    const { commit, parent } = first.ready[0]!;
    const earlier = { commit, ...(parent !== undefined && { parent }) };
    expect((await edit({ earlier })).outcome).toEqual({ kind: 'pushed-before', commit });
    for (let n = 0; n < 40; n++) await repository.commit({ [`${n}.md`]: `${n}\n` });
    for (const allowFilter of [true, false]) {
      server.options.allowFilter = allowFilter;
      expect((await edit({ earlier })).outcome).toEqual({ kind: 'pushed-before', commit });
    }
  });

  it('is repeated with the same commit when it did not push', async () => {
    await newRepository();
    const interrupted = edit({
      ready: async () => {
        throw new Error('killed');
      },
    });
    await expect(interrupted).rejects.toThrow('killed');
    expect(await repository.oid('main')).toBe(head);
    let noted = '';
    await edit({
      ready: async ({ commit }) => {
        noted = commit;
        throw new Error('killed again');
      },
    }).catch(() => {});
    const { outcome } = await edit({ earlier: { commit: noted, parent: head } });
    expect(outcome).toMatchObject({ kind: 'pushed', commit: noted });
    expect((await repository.git(['rev-list', '--count', 'main'])).toString().trim()).toBe('2');
  });

  it('is not assumed on a branch with another history', async () => {
    await newRepository();
    await repository.commit({ 'theirs.md': 'x' });
    const error = await refusalOf(edit({ earlier: { commit: '2'.repeat(40), parent: head } }));
    expect(error).toMatchObject({ code: 'not_fast_forward' });
  });
});

describe('rules of the repository', () => {
  it.each(['pre-receive', 'update'])('in a hook (%s) decline the push permanently', async (hook) => {
    await newRepository();
    const path = join(repository.path, 'hooks', hook);
    await writeFile(path, '#!/bin/sh\necho "canary: our rules are secret" >&2\nexit 1\n', { mode: 0o755 });
    const error = await refusalOf(edit());
    expect(error).toMatchObject({
      code: 'push_declined',
      class: 'invalid',
      action: expect.stringContaining('push to the branch'),
    });
    expect(textOf(error)).not.toContain('canary');
    expect(await repository.oid('main')).toBe(head);
  });

  it('on hidden branches decline the push too', async () => {
    await newRepository();
    server.options.config = { 'receive.hideRefs': 'refs/heads/main' };
    expect(await refusalOf(edit())).toMatchObject({ code: 'push_declined' });
  });

  it('on the size of a push cause a retry', async () => {
    await newRepository();
    server.options.config = { 'receive.maxInputSize': '100' };
    expect(await refusalOf(edit())).toMatchObject({ class: 'transient' });
    expect(await repository.oid('main')).toBe(head);
  });
});

describe('a server that reports little about a push', () => {
  it.each([[['report-status']], [['side-band-64k']], [['report-status', 'side-band-64k']]])(
    'is trusted when the branch points to the commit (without %j)',
    async (withoutPushCapabilities) => {
      await newRepository();
      server.options.withoutPushCapabilities = withoutPushCapabilities;
      const { outcome } = await edit();
      expect(outcome).toMatchObject({ kind: 'pushed', commit: await repository.oid('main') });
      const hook = join(repository.path, 'hooks', 'pre-receive');
      await writeFile(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
      const again = edit({
        ...inStepWith(await repository.oid('main')),
        changes: [text('README.md', '# Again\n')],
      });
      expect(await refusalOf(again)).toMatchObject(
        withoutPushCapabilities.includes('report-status')
          ? { class: 'transient' }
          : { code: 'push_declined' },
      );
    },
  );

  it('causes a retry when the branch points to another commit', async () => {
    await newRepository();
    server.options.withoutPushCapabilities = ['report-status'];
    server.beforeAnswer = async (kind) =>
      void (kind === 'push' && (await repository.commit({ 'theirs.md': 'theirs\n' })));
    expect(await refusalOf(edit())).toMatchObject({ class: 'transient' });
  });
});

describe('credentials', () => {
  const login = { username: 'x-access-token', password: 'canary-Zq8/:@é' };

  it('are sent when the server asks for them, and not before', async () => {
    await newRepository();
    server.options.login = login;
    expect((await edit(login)).outcome.kind).toBe('pushed');
    const unsigned = server.requests
      .filter(({ authorization }) => authorization === undefined)
      .map(({ kind }) => kind);
    expect(unsigned.sort()).toEqual(['info', 'pushInfo']);
    await newRepository();
    server.options.login = undefined;
    server.requests.length = 0;
    await edit(login);
    expect(server.requests.some(({ authorization }) => authorization !== undefined)).toBe(false);
  });

  it.each<GitRequestKind>(['pushInfo', 'push'])(
    'are sent when only one service is protected: %s',
    async (onlyFor) => {
      await newRepository();
      server.options.login = { ...login, onlyFor };
      expect((await edit(login)).outcome.kind).toBe('pushed');
      const pushes = server.requests.filter(({ kind }) => kind === 'push');
      expect(pushes.filter(({ body }) => body.includes('PACK'))).toHaveLength(1);
    },
  );

  it('end the export when they are wrong or missing', async () => {
    await newRepository();
    server.options.login = login;
    expect(await refusalOf(edit())).toMatchObject({ code: 'auth', class: 'auth' });
    const error = await refusalOf(edit({ username: 'me', password: 'canary-wrong' }));
    expect(error).toMatchObject({ code: 'auth', class: 'auth' });
    expect(textOf(error)).not.toContain('canary');
    server.options.login = { ...login, onlyFor: 'pushInfo' };
    for (const wrong of [{}, { username: 'me', password: 'canary-wrong' }])
      expect(await refusalOf(edit(wrong))).toMatchObject({
        code: 'auth',
        action: expect.stringContaining('allowed to write'),
      });
    expect(await repository.oid('main')).toBe(head);
  });

  it('are refused for read access only when there is something to write', async () => {
    await newRepository();
    const mayWrite = { code: 'auth', class: 'auth', action: expect.stringContaining('allowed to write') };
    server.options.allowPush = false;
    expect(await refusalOf(edit())).toMatchObject(mayWrite);
    expect((await edit({ changes: [] })).outcome.kind).toBe('unchanged');
    server.options.allowPush = true;
    for (const kind of ['pushInfo', 'push'] as const) {
      server.faults.set(kind, { status: 403, body: 'canary' });
      const error = await refusalOf(edit());
      expect(error).toMatchObject(mayWrite);
      expect(textOf(error)).not.toContain('canary');
      server.faults.clear();
    }
  });
});

describe('a server that accepts no pushes', () => {
  it.each<[string, GitRequestKind, GitFault, object]>([
    ['it knows none', 'pushInfo', { status: 404 }, { code: 'not_found' }],
    [
      'it hands out files',
      'pushInfo',
      { status: 200, headers: { 'content-type': 'text/plain' }, body: 'x' },
      { code: 'bad_content', class: 'invalid' },
    ],
    ['it is out of order', 'pushInfo', { status: 500 }, { code: 'http_status', class: 'transient' }],
    [
      'it asks to wait',
      'push',
      { status: 429, headers: { 'retry-after': '3' } },
      { code: 'throttled', retryAfterMs: 3_000 },
    ],
    ['it breaks over it', 'push', { status: 502 }, { code: 'http_status', class: 'transient' }],
    ['it is too much', 'push', { status: 413 }, { code: 'limit', class: 'invalid' }],
    [
      'it answers something else',
      'push',
      { status: 200, headers: { 'content-type': 'text/html' }, body: 'hi' },
      { class: 'transient' },
    ],
    [
      'it sends elsewhere',
      'push',
      { status: 302, headers: { location: 'http://127.0.0.9:9/x' } },
      { code: 'redirect' },
    ],
  ])('fails the export when %s (%s)', async (_, kind, fault, expected) => {
    await newRepository();
    server.faults.set(kind, fault);
    expect(await refusalOf(edit({ username: 'me', password: 'canary' }))).toMatchObject(expected);
    expect(await repository.oid('main')).toBe(head);
  });

  it('is refused when its repository uses SHA-256', async () => {
    await newRepository({});
    await rm(repository.path, { recursive: true });
    await promisify(execFile)('git', [
      'init',
      '--quiet',
      '--bare',
      '--object-format=sha256',
      repository.path,
    ]);
    expect(await refusalOf(edit())).toMatchObject({
      code: 'bad_content',
      message: expect.stringContaining('SHA-256'),
    });
  });

  it('is followed to another path on the same host', async () => {
    await newRepository();
    server.moved = new URL(repository.url).pathname;
    expect((await edit({ url: `${server.url}/old/place` })).outcome.kind).toBe('pushed');
    expect(await repository.oid('main^')).toBe(head);
  });

  it('gets no request at an address that is not allowed', async () => {
    await newRepository();
    server.requests.length = 0;
    expect(await refusalOf(edit({ outbound: { allow: [], refused: [] } }))).toMatchObject({
      code: 'refused_address',
    });
    expect(server.requests).toEqual([]);
  });
});

function textOf(error: Error): string {
  return `${JSON.stringify(error)} ${error.message} ${error.stack} ${String(error.cause)}`;
}
