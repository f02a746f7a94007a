import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { GitRepository } from '../support/git/gitRepository.ts';
import { type GitServer, startGitServer } from '../support/git/gitServer.ts';
import {
  createRemoteReader,
  gitLimits,
  knownOf,
  readingProcesses,
  type RemoteReader,
} from '../support/git/readRemote.ts';

// Random bytes do not compress: sizes on the wire are known.
const image = randomBytes(200_000);
const files = {
  'README.md': '# Welcome\n\nSee [the guide](guide/first.md) and ![](.gitbook/assets/image.png).\n',
  'SUMMARY.md':
    '# Table of contents\n\n* [Welcome](README.md)\n\n## Guide\n\n* [First steps](guide/first.md)\n* [Second](guide/second.md)\n',
  'guide/first.md': '---\ndescription: Begin here\n---\n\n# First steps\r\n\r\nCRLF and \u00fcmlauts.\r\n',
  'guide/second.md': `# Second\n\n${'The same paragraph again and again.\n'.repeat(500)}`,
  'guide/third.md': `# Third\n\n${'The same paragraph again and again.\n'.repeat(501)}`,
  '.gitbook/assets/image.png': image,
  '.gitbook/includes/note.md': '---\ntitle: Note\n---\n\nReused.\n',
  '.gitbook/vars.yaml': 'product: Bindery\n',
  'unrelated/large.bin': Buffer.alloc(300_000, 'x'),
};

let server: GitServer;
let repository: GitRepository & { url: string };
let reader: RemoteReader;
/** For what comes of a reading, whatever process does it. */
let readerHere: RemoteReader;

beforeAll(async () => {
  server = await startGitServer();
  repository = await server.createRepository('docs.git', files);
  reader = createRemoteReader();
  readerHere = createRemoteReader({ hasProcesses: false });
});

afterEach(() => {
  server.requests.length = 0;
  server.options.allowFilter = true;
  delete server.options.login;
  delete server.options.latencyMs;
  delete server.options.isFirstVersionOnly;
});

afterAll(async () => {
  await reader.close();
  await readerHere.close();
  await server.close();
});

describe('reading a repository', () => {
  it.each([true, false])('returns the same bytes as git (filter offered: %s)', async (allowFilter) => {
    server.options.allowFilter = allowFilter;
    const stages: string[] = [];
    const { commit, content, facts, skipped, spool, blobs } = await reader.readAll(
      { url: repository.url },
      { onStage: (stage) => stages.push(stage) },
    );

    expect(commit).toEqual({
      oid: await repository.oid('main'),
      message: 'Change the documentation',
      authorName: 'Ada Example',
      committedAt: '2023-11-14T22:13:20.000Z',
    });
    expect(content.pages.map((page) => page.title)).toEqual(['Welcome', 'Guide']);
    expect(content.files.map(({ git }) => git.path)).toEqual(['.gitbook/assets/image.png']);
    expect(content.includes.map(({ title }) => title)).toEqual(['Note']);
    expect(content.variables).toEqual([{ name: 'product', value: 'Bindery' }]);
    expect(skipped).toEqual([]);

    const paths = [
      'README.md',
      'guide/first.md',
      'guide/second.md',
      '.gitbook/assets/image.png',
      '.gitbook/includes/note.md',
    ];
    const oids = await Promise.all(paths.map((path) => repository.oid(`main:${path}`)));
    expect([...blobs.keys()].sort()).toEqual([...oids].sort());
    for (const oid of oids) {
      const expected = await repository.git(['cat-file', 'blob', oid]);
      expect(blobs.get(oid)!.equals(expected)).toBe(true);
      expect(spool.blobs.get(oid)!.sha256).toBe(createHash('sha256').update(expected).digest('hex'));
    }
    expect(facts.map(([oid]) => oid).sort()).toEqual(oids.filter((_, i) => paths[i]!.endsWith('.md')).sort());
    expect([...new Set(stages)]).toEqual(['repo_fetch', 'config_check', 'content_process']);
  });

  it('requests only refs, trees, texts and files', async () => {
    await readerHere.readAll({ url: repository.url });
    expect(server.requests.map(({ kind }) => kind)).toEqual(['info', 'fetch', 'fetch', 'fetch']);
    const received = server.requests.reduce((sum, { sentBytes }) => sum + sentBytes, 0);
    expect(received).toBeLessThan(image.length + 20_000);
  });

  it('fetches nothing when the commit is known', async () => {
    const oid = await repository.oid('main');
    expect(await readerHere.read({ url: repository.url, known: { commit: oid } })).toEqual({
      unchanged: true,
      commit: { oid },
    });
    expect(server.requests.map(({ kind }) => kind)).toEqual(['info']);
  });

  it('fetches only objects that an earlier reading did not fetch', async () => {
    const first = await reader.readAll({ url: repository.url });
    await repository.commit({ 'guide/first.md': '# First steps\n\nRewritten.\n' }, { branch: 'later' });
    const later = await repository.commit(
      { ...files, 'guide/first.md': '# First steps\n\nRewritten.\n' },
      { branch: 'later' },
    );
    server.requests.length = 0;
    const second = await reader.readAll(
      { url: repository.url, ref: 'refs/heads/later', known: { commit: first.commit.oid } },
      { loadKnown: async () => ({ ...knownOf(first), last: undefined }) },
    );
    expect(second.commit.oid).toBe(later);
    expect([...second.blobs.values()].map(String)).toEqual(['# First steps\n\nRewritten.\n']);
    expect(second.content.pages).toEqual(
      first.content.pages.map((page) => ({
        ...page,
        ...(page.type === 'group' && { pages: expect.anything() }),
      })),
    );
    expect(server.requests.reduce((sum, { sentBytes }) => sum + sentBytes, 0)).toBeLessThan(5_000);
  });

  it('reads pull requests, follows a forced push and a packed, deltified history', async () => {
    await repository.commit({ 'README.md': '# Proposal\n' }, { branch: 'topic' });
    await repository.git(['update-ref', 'refs/pull/1/head', await repository.oid('topic')]);
    await repository.git(['update-ref', 'refs/merge-requests/2/head', await repository.oid('topic')]);
    await repository.git(['repack', '-adfq', '--depth=50', '--window=50']);
    for (const ref of ['refs/heads/topic', 'refs/pull/1/head', 'refs/merge-requests/2/head']) {
      expect((await readerHere.readAll({ url: repository.url, ref })).content.pages[0]!.title).toBe(
        'Proposal',
      );
    }
    await repository.commit({ 'README.md': '# Another\n' }, { branch: 'topic', isForced: true });
    expect(
      (await readerHere.readAll({ url: repository.url, ref: 'refs/heads/topic' })).content.pages[0]!.title,
    ).toBe('Another');
  });

  it('reads only the given folder of the repository', async () => {
    const { content } = await readerHere.readAll({ url: repository.url, projectDirectory: 'guide' });
    expect(content.pages.map((page) => page.title)).toEqual(['First steps', 'Second', 'Third']);
    await expect(readerHere.read({ url: repository.url, projectDirectory: 'guides' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(
      readerHere.read({ url: repository.url, projectDirectory: 'README.md' }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it('reads from an old server without filters or protocol version 2', async () => {
    server.options.isFirstVersionOnly = true;
    const filtered = await readerHere.readAll({ url: repository.url });
    server.options.allowFilter = false;
    const whole = await readerHere.readAll({ url: repository.url });
    expect(filtered.content).toEqual(whole.content);
    expect(filtered.blobs).toEqual(whole.blobs);
  });

  it('finds a ref in a list of refs that exceeds 5 MB', async () => {
    const crowded = await server.createRepository('crowded.git', { 'README.md': '# Many refs\n' });
    const oid = await crowded.oid('main');
    const lines = Array.from({ length: 90_000 }, (_, i) => `${oid} refs/pull/${10_000 + i}/head\n`);
    writeFileSync(join(crowded.path, 'packed-refs'), `# pack-refs with: sorted\n${lines.join('')}`);
    for (const ref of ['refs/heads/main', 'refs/pull/99999/head'])
      expect((await readerHere.readAll({ url: crowded.url, ref })).commit.oid).toBe(oid);
    await expect(readerHere.read({ url: crowded.url, ref: 'refs/pull/100000/head' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('reports that a branch or a repository does not exist', async () => {
    const missing = readerHere.read({ url: repository.url, ref: 'refs/heads/mian' });
    await expect(missing).rejects.toMatchObject({
      code: 'not_found',
      class: 'not_found',
      message: expect.stringContaining('Branch refs/heads/mian does not exist'),
    });
    await expect(readerHere.read({ url: `${server.url}/none.git` })).rejects.toMatchObject({
      code: 'not_found',
    });
    const empty = await server.createRepository('empty.git', {});
    await expect(readerHere.read({ url: empty.url })).rejects.toMatchObject({ code: 'not_found' });
    for (const ref of ['main', 'refs/tags/v1', 'refs/heads/a\n0000', 'refs/pull/x/head']) {
      await expect(readerHere.read({ url: repository.url, ref })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
    expect(server.requests.every(({ kind }) => kind === 'info')).toBe(true);
  });
});

describe('credentials', () => {
  const login = { username: 'x-access-token', password: 'canary-Zq8/:@é' };

  it('are sent when the server asks for them, and not before', async () => {
    server.options.login = login;
    const { content } = await reader.readAll({ url: repository.url, ...login });
    expect(content.pages.length).toBe(2);
    expect(server.requests.map(({ authorization }) => authorization !== undefined)).toEqual([
      false,
      true,
      true,
      true,
      true,
    ]);
    delete server.options.login;
    server.requests.length = 0;
    await reader.readAll({ url: repository.url, ...login });
    expect(server.requests.some(({ authorization }) => authorization !== undefined)).toBe(false);
  });

  it('end the reading without a retry when they are wrong or missing', async () => {
    server.options.login = login;
    await expect(reader.read({ url: repository.url })).rejects.toMatchObject({ code: 'auth', class: 'auth' });
    expect(server.requests.length).toBe(1);
    server.requests.length = 0;
    const error: Error = await reader
      .read({ url: repository.url, username: 'me', password: 'canary-wrong' })
      .then(
        () => new Error('not refused'),
        (reason) => reason,
      );
    expect(error).toMatchObject({ code: 'auth', class: 'auth' });
    expect(server.requests.length).toBe(2);
    expect(`${JSON.stringify(error)} ${error.stack} ${String(error.cause)}`).not.toContain('canary');
  });

  it('appear in no argument, variable or file of the reading process', async () => {
    server.options.login = login;
    server.options.latencyMs = 300;
    const running = reader.readAll({ url: repository.url, ...login });
    await expect.poll(() => server.requests.length, { timeout: 10_000 }).toBeGreaterThan(1);
    // The first request went without credentials: by now the process has them.
    const processes = readingProcesses();
    expect(processes.length).toBeGreaterThan(0);
    for (const { commandLine, environment } of processes) {
      expect(commandLine + environment).not.toContain('canary');
      expect(environment).not.toMatch(/MONGODB|REDIS|SECRET/);
    }
    const { spool } = await running;
    expect(readFileSync(spool.path).includes('canary')).toBe(false);
  });
});

describe('limits', () => {
  it.each([true, false])(
    'skips and lists a file that is too large; refuses such a page (filter offered: %s)',
    async (allowFilter) => {
      server.options.allowFilter = allowFilter;
      const limits = { ...gitLimits, maxFileBytes: 100_000 };
      const { content, skipped, blobs } = await reader.readAll({ url: repository.url, limits });
      expect(skipped).toEqual([
        { path: '.gitbook/assets/image.png', message: expect.stringContaining('larger') },
      ]);
      expect(content.files).toEqual([]);
      expect(blobs.size).toBe(4);
      const page = reader.read({ url: repository.url, limits: { ...gitLimits, maxPageBytes: 10_000 } });
      await expect(page).rejects.toMatchObject({
        code: 'too_large',
        message: expect.stringContaining('guide/second.md'),
      });
    },
  );

  it('apply to entries, bytes of the pack and bytes of the files', async () => {
    const read = (limits: Partial<typeof gitLimits>) =>
      readerHere.read({ url: repository.url, limits: { ...gitLimits, ...limits } });
    await expect(read({ maxEntries: 5 })).rejects.toMatchObject({ code: 'limit' });
    await expect(read({ maxPackBytes: 50_000 })).rejects.toMatchObject({ code: 'too_large' });
    await expect(read({ maxTotalBytes: 50_000 })).rejects.toMatchObject({ code: 'limit' });
  });
});
