import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { GitRepository } from '../support/git/gitRepository.ts';
import { type GitServer, startGitServer } from '../support/git/gitServer.ts';
import { gitLimits } from '../support/git/readRemote.ts';
import { indexWithIsomorphicGit, listWithIsomorphicGit } from '../support/git/readWithIsomorphicGit.ts';
import {
  blobOid,
  createRemoteWriter,
  inStepWith,
  planOf,
  remove,
  type RemoteWriter,
  text,
  writtenAt,
} from '../support/git/writeRemote.ts';

const run = promisify(execFile);

let server: GitServer;
let writer: RemoteWriter;
let folder: string;
let names = 0;

beforeAll(async () => {
  server = await startGitServer({ config: { 'receive.fsckObjects': 'true' } });
  writer = createRemoteWriter();
  folder = mkdtempSync(join(tmpdir(), 'bindery-push-'));
});

afterEach(() => {
  server.requests.length = 0;
  server.options = { config: { 'receive.fsckObjects': 'true' } };
});

afterAll(async () => {
  writer.close();
  rmSync(folder, { recursive: true, force: true });
  await server.close();
});

type Repository = GitRepository & { url: string };

function newRepository(files: Parameters<GitServer['createRepository']>[1] = {}): Promise<Repository> {
  names += 1;
  return server.createRepository(`r${names}.git`, files);
}

/** Mode, kind, oid and path of everything in a commit. */
async function listed(repository: Repository, revision = 'main'): Promise<string[]> {
  return (await repository.git(['ls-tree', '-r', '-t', revision])).toString().trim().split('\n');
}

async function objectsOf(repository: Repository): Promise<Set<string>> {
  const lines = (
    await repository.git(['cat-file', '--batch-all-objects', '--batch-check=%(objectname) %(objecttype)'])
  ).toString();
  return new Set(lines.trim().split('\n').filter(Boolean));
}

async function fsck(repository: Repository): Promise<string> {
  return (await repository.git(['fsck', '--strict', '--full', '--no-dangling'])).toString();
}

const files = {
  'README.md': '# Home\n',
  'SUMMARY.md': '* [Home](README.md)\n',
  'guide/one.md': '# One\n',
  'guide/two.md': '# Two\n',
  'guide/deep/er/three.md': '# Three\n',
  'other/place.txt': 'untouched\n',
};

describe('an export to a repository', () => {
  it('makes the first commit in an empty repository', async () => {
    const repository = await newRepository();
    const { outcome, points, stages, ready } = await writer.write({
      url: repository.url,
      changes: [text('README.md', '# Home\r\n'), text('guide/one.md', 'ünï\n'), text('empty.md', '')],
    });
    const commit = await repository.oid('main');
    expect(outcome).toMatchObject({
      kind: 'pushed',
      commit,
      changes: [
        { kind: 'text', path: 'README.md' },
        { kind: 'text', path: 'guide/one.md' },
        { kind: 'text', path: 'empty.md' },
      ],
    });
    expect(ready).toMatchObject([{ commit }]);
    expect(ready[0]?.parent).toBeUndefined();
    expect(points).toEqual(['refs_read', 'trees_read', 'tree_built', 'committed', 'pushed']);
    expect(stages).toEqual(['repo_fetch', 'content_process', 'push']);
    expect(await fsck(repository)).toBe('');
    await run('git', ['clone', '--quiet', repository.url, join(folder, 'first')]);
    expect(readFileSync(join(folder, 'first/README.md'), 'utf8')).toBe('# Home\r\n');
    expect(readFileSync(join(folder, 'first/guide/one.md'), 'utf8')).toBe('ünï\n');
    expect(readFileSync(join(folder, 'first/empty.md'), 'utf8')).toBe('');
    expect((await repository.git(['rev-list', '--parents', 'main'])).toString().trim()).toBe(commit);
  });

  it('sends one file, its folders and the commit, and nothing else', async () => {
    const repository = await newRepository(files);
    const [before, objects, head] = [
      await listed(repository),
      await objectsOf(repository),
      await repository.oid('main'),
    ];
    const { outcome, ready } = await writer.write({
      url: repository.url,
      ...inStepWith(head),
      changes: [text('guide/deep/er/three.md', '# 3\n')],
    });
    expect(outcome).toMatchObject({ kind: 'pushed', commit: await repository.oid('main') });
    expect(ready).toMatchObject([{ parent: head }]);
    expect((await repository.git(['diff', '--name-status', head, 'main'])).toString()).toBe(
      'M\tguide/deep/er/three.md\n',
    );
    const added = [...(await objectsOf(repository))]
      .filter((object) => !objects.has(object))
      .map((object) => object.replace(/.* /, ''));
    expect(added.sort()).toEqual(['blob', 'commit', 'tree', 'tree', 'tree', 'tree']);
    const after = await listed(repository);
    expect(after.filter((line) => !before.includes(line)).map((line) => line.split('\t')[1])).toEqual([
      'guide',
      'guide/deep',
      'guide/deep/er',
      'guide/deep/er/three.md',
    ]);
    expect(await fsck(repository)).toBe('');
  });

  it('writes the commit with the given message, author and time', async () => {
    const repository = await newRepository(files);
    const head = await repository.oid('main');
    const message = 'Änderungen\r\n\r\n  mehr\u0000 davon\n\nBindery-Job: job_1\n';
    const author = { name: 'Grace <Brewster>\n Höpper\t', email: '<grace@ example.com>\n' };
    await writer.write({
      url: repository.url,
      ...inStepWith(head),
      changes: [text('README.md', 'x')],
      commit: { message, author, at: writtenAt },
    });
    expect((await repository.git(['cat-file', 'commit', 'main'])).toString()).toBe(
      [
        `tree ${await repository.oid('main^{tree}')}`,
        `parent ${head}`,
        `author Grace Brewster Höpper <grace@example.com> ${writtenAt} +0000`,
        `committer bindery-bot <bot@bindery.invalid> ${writtenAt} +0000`,
        '',
        'Änderungen\n\n  mehr davon\n\nBindery-Job: job_1\n',
      ].join('\n'),
    );
    expect(
      (await repository.git(['log', '-1', '--format=%(trailers:key=Bindery-Job,valueonly)']))
        .toString()
        .trim(),
    ).toBe('job_1');
    expect(await fsck(repository)).toBe('');
  });

  it('keeps modes, symbolic links, submodules and names in other encodings', async () => {
    const repository = await newRepository({
      ...files,
      'guide/run.sh': { mode: '100755', content: 'echo\n' },
      'guide/link': { mode: '120000', content: '../README.md' },
      'guide/module': { mode: '160000', oid: 'ab'.repeat(20) },
    });
    const lines = await repository.git(['ls-tree', '-z', 'main:guide']);
    const entries = lines.toString().split('\0').filter(Boolean);
    const tree = await repository.writeTree([
      ...entries.map((entry) => ({
        mode: entry.slice(0, 6).replace(/^0/, ''),
        oid: entry.split(/[ \t]/)[2]!,
        name: entry.split('\t')[1]!,
      })),
      {
        mode: '100644',
        name: Buffer.from('z\xfc.md', 'latin1'),
        oid: await repository.oid('main:README.md'),
      },
    ]);
    const root = await repository.writeTree([
      { mode: '100644', name: 'README.md', oid: await repository.oid('main:README.md') },
      { mode: '40000', name: 'guide', oid: tree },
    ]);
    const head = await repository.commitTree(root);
    const before = await listed(repository);
    const { outcome } = await writer.write({
      url: repository.url,
      ...inStepWith(head),
      changes: [
        text('guide/run.sh', 'echo 2\n'),
        text('guide/new.md', 'new'),
        text('guide.md', 'next to its folder'),
      ],
    });
    expect(outcome).toMatchObject({
      kind: 'pushed',
      skipped: [{ path: 'guide/link' }, { path: 'guide/module' }, { path: 'guide/z\ufffd.md' }],
    });
    const after = await listed(repository);
    expect(after).toContain(`100755 blob ${blobOid(Buffer.from('echo 2\n'))}\tguide/run.sh`);
    for (const line of before.filter((entry) => /guide\/(link|module|one|"?z)|README/.test(entry)))
      expect(after).toContain(line);
    expect(after).toHaveLength(before.length + 2);
    expect(await fsck(repository)).toBe('');
    // Names in other encodings are U+FFFD to isomorphic-git.
    const withoutNames = (lines: string[]) => lines.map((line) => line.split('\t', 1).join('')).toSorted();
    expect(withoutNames(await listWithIsomorphicGit(repository.path))).toEqual(withoutNames(after));
  });

  it('deletes folders with their last file, and replaces files by folders and folders by files', async () => {
    const repository = await newRepository({ ...files, place: 'a file', 'folder/only.md': 'x' });
    const head = await repository.oid('main');
    await writer.write({
      url: repository.url,
      ...inStepWith(head),
      changes: [
        remove('guide/deep/er/three.md'),
        remove('place'),
        text('place/README.md', 'a folder now'),
        text('folder', 'a file now'),
        remove('folder/only.md'),
      ],
    });
    const paths = (await listed(repository)).map((line) => line.split('\t')[1]);
    expect(paths).toEqual([
      'README.md',
      'SUMMARY.md',
      'folder',
      'guide',
      'guide/one.md',
      'guide/two.md',
      'other',
      'other/place.txt',
      'place',
      'place/README.md',
    ]);
    expect(await fsck(repository)).toBe('');
  });

  it('can delete every file', async () => {
    const repository = await newRepository({ 'a/README.md': 'x' });
    await writer.write({
      url: repository.url,
      ...inStepWith(await repository.oid('main')),
      changes: [remove('a/README.md')],
    });
    expect(await repository.oid('main^{tree}')).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904');
    expect(await fsck(repository)).toBe('');
  });

  it('moves a file without sending its bytes', async () => {
    const repository = await newRepository(files);
    const oid = await repository.oid('main:guide/one.md');
    const objects = await objectsOf(repository);
    await writer.write({
      url: repository.url,
      ...inStepWith(await repository.oid('main')),
      changes: [remove('guide/one.md'), { kind: 'copy', path: 'guide/one/README.md', oid }],
    });
    expect(await repository.oid('main:guide/one/README.md')).toBe(oid);
    expect(
      [...(await objectsOf(repository))].filter((object) => !objects.has(object) && object.endsWith('blob')),
    ).toEqual([]);
    expect(await fsck(repository)).toBe('');
  });

  it('writes thousands of files in deep folders', async () => {
    const repository = await newRepository();
    const changes = Array.from({ length: 4_000 }, (_, i) =>
      text(`d${i % 7}/e${i % 11}/f${i % 13}/page-${i}.md`, `# Page ${i}\n\n${'text '.repeat(i % 300)}\n`),
    );
    changes.push(text(`${Array.from({ length: 60 }, (_, i) => i).join('/')}/deep.md`, 'deep\n'));
    const { outcome } = await writer.write({ url: repository.url, changes });
    expect(outcome.kind).toBe('pushed');
    expect(
      (await repository.git(['ls-tree', '-r', '--name-only', 'main'])).toString().trim().split('\n'),
    ).toHaveLength(4_001);
    for (const change of changes.filter((_, i) => i % 500 === 0))
      expect(await repository.oid(`main:${change.path}`)).toBe(change.kind === 'text' && change.oid);
    expect(await fsck(repository)).toBe('');
  });

  it('writes only into its folder of the repository, also when the folder is new', async () => {
    const repository = await newRepository(files);
    for (const projectDirectory of ['guide', 'new/place']) {
      const head = await repository.oid('main');
      const seen: string[] = [];
      await writer.write({
        url: repository.url,
        ...inStepWith(head),
        projectDirectory,
        plan: async ({ target }) => {
          seen.push(...target.entries.keys());
          return planOf([text(`${target.projectDirectory}/one.md`, `${projectDirectory}\n`)]);
        },
      });
      expect(seen.every((path) => path.startsWith(`${projectDirectory}/`))).toBe(true);
      expect((await repository.git(['diff', '--name-only', head, 'main'])).toString()).toBe(
        `${projectDirectory}/one.md\n`,
      );
    }
  });

  it('streams a large file, and fetches each stored file once', async () => {
    const repository = await newRepository(files);
    const large = randomBytes(30 * 1024 * 1024);
    const spool = join(folder, 'spool');
    writeFileSync(spool, Buffer.concat([Buffer.from('before'), large]));
    const oid = blobOid(large);
    let asked = 0;
    globalThis.gc?.();
    const rss = process.memoryUsage().rss;
    const { outcome } = await writer.write({
      url: repository.url,
      ...inStepWith(await repository.oid('main')),
      plan: async ({ sources }) => {
        expect(await sources.fileOids(['hash'])).toEqual(new Map([['hash', oid]]));
        return planOf([
          { kind: 'file', path: '.gitbook/assets/large.bin', oid, blob: 'hash' },
          { kind: 'file', path: '.gitbook/assets/again.bin', oid, blob: 'hash' },
        ]);
      },
      files: async (blobs) => {
        asked += 1;
        return {
          spool,
          files: new Map(blobs.map((blob) => [blob, { oid, offset: 6, length: large.length }])),
        };
      },
    });
    expect(outcome.kind).toBe('pushed');
    expect(asked).toBe(1);
    // The server of this test keeps each request, in the same process.
    expect(process.memoryUsage().rss - rss).toBeLessThan(3.5 * large.length);
    for (const name of ['large', 'again']) {
      const written = await repository.git(['cat-file', 'blob', `main:.gitbook/assets/${name}.bin`]);
      expect(createHash('sha1').update(written).digest('hex')).toBe(
        createHash('sha1').update(large).digest('hex'),
      );
    }
    const push = server.requests.find(({ kind }) => kind === 'push')!;
    expect(push.body.length).toBeLessThan(31 * 1024 * 1024);
    expect(await fsck(repository)).toBe('');
  });

  it('refuses a pack beyond the limit, and a stored file whose bytes do not match', async () => {
    const repository = await newRepository(files);
    const head = await repository.oid('main');
    const spool = join(folder, 'other');
    writeFileSync(spool, randomBytes(100_000));
    const writing = { url: repository.url, ...inStepWith(head) };
    const changes = [
      { kind: 'file' as const, path: 'a.bin', oid: blobOid(readFileSync(spool)), blob: 'hash' },
    ];
    const handOver = (length: number) => async () => ({
      spool,
      files: new Map([['hash', { oid: changes[0]!.oid, offset: 0, length }]]),
    });
    await expect(
      writer.write({
        ...writing,
        changes,
        files: handOver(100_000),
        limits: { ...gitLimits, maxPackBytes: 50_000 },
      }),
    ).rejects.toMatchObject({ code: 'too_large' });
    await expect(writer.write({ ...writing, changes, files: handOver(99_999) })).rejects.toThrow(
      'other bytes',
    );
    await expect(writer.write({ ...writing, changes, files: handOver(100_001) })).rejects.toThrow('shorter');
    expect(await repository.oid('main')).toBe(head);
  });

  it('sends a valid pack, with the same bytes each time', async () => {
    const repository = await newRepository();
    const packs: Buffer[] = [];
    for (let round = 0; round < 2; round++) {
      server.requests.length = 0;
      await writer.write({
        url: repository.url,
        changes: [text('README.md', '# Home\n'.repeat(50)), text('a/b.md', 'x'), text('a/c.md', '')],
      });
      const { body } = server.requests.find(({ kind }) => kind === 'push')!;
      packs.push(body.subarray(body.indexOf('PACK')));
      await repository.git(['update-ref', '-d', 'refs/heads/main']);
    }
    expect(packs[0]!.equals(packs[1]!)).toBe(true);
    const path = join(folder, 'sent.pack');
    writeFileSync(path, packs[0]!);
    await run('git', ['index-pack', '--strict', path], { cwd: folder });
    const { stdout } = await run('git', ['verify-pack', '-v', path]);
    const objects = Array.from(stdout.matchAll(/^([0-9a-f]{40}) (\w+)/gm), ([, oid = '', kind = '']) => ({
      oid,
      kind,
    }));
    expect(objects.map(({ kind }) => kind).sort()).toEqual([
      'blob',
      'blob',
      'blob',
      'commit',
      'tree',
      'tree',
    ]);
    expect((await indexWithIsomorphicGit(path)).toSorted()).toEqual(objects.map(({ oid }) => oid).toSorted());
  });

  it('makes the same commit again on the same head', async () => {
    const repository = await newRepository(files);
    const head = await repository.oid('main');
    const writing = { url: repository.url, ...inStepWith(head), changes: [text('README.md', '# Anew\n')] };
    const first = await writer.write(writing);
    await repository.git(['update-ref', 'refs/heads/main', head]);
    expect((await writer.write(writing)).outcome).toEqual(first.outcome);
  });

  it('pushes nothing when nothing has changed', async () => {
    const repository = await newRepository(files);
    const head = await repository.oid('main');
    const none = await writer.write({ url: repository.url });
    expect(none.outcome).toMatchObject({ kind: 'unchanged', head });
    const same = await writer.write({
      url: repository.url,
      ...inStepWith(head),
      changes: [text('README.md', '# Home\n'), remove('no/such/file.md')],
    });
    expect(same.outcome).toMatchObject({ kind: 'unchanged', head });
    expect([...none.ready, ...same.ready]).toEqual([]);
    expect(server.requests.some(({ kind }) => kind === 'push')).toBe(false);
    const empty = await newRepository();
    const { outcome } = await writer.write({ url: empty.url });
    expect(outcome).toMatchObject({ kind: 'unchanged', head: undefined });
  });

  it('reads only the requested blobs, and each of them once', async () => {
    const repository = await newRepository({ ...files, 'large.bin': randomBytes(200_000) });
    await writer.write({
      url: repository.url,
      plan: async ({ target }) => {
        const oid = target.entries.get('guide/one.md')!.oid;
        expect(Buffer.from((await target.readBlobs([oid])).get(oid)!).toString()).toBe('# One\n');
        expect((await target.readBlobs([])).size).toBe(0);
        const summary = target.entries.get('SUMMARY.md')!.oid;
        server.requests.length = 0;
        expect((await target.readBlobs([summary])).size).toBe(1);
        expect(server.requests).toEqual([]);
        return planOf([]);
      },
    });
  });

  it('returns both versions of each file in a dry run, and writes nothing', async () => {
    const repository = await newRepository({ ...files, 'image.png': randomBytes(100) });
    const head = await repository.oid('main');
    const moved = await repository.oid('main:guide/two.md');
    server.options.allowPush = false;
    const { outcome, ready } = await writer.write({
      url: repository.url,
      dryRun: true,
      changes: [
        text('README.md', '# Anew\n'),
        text('new.md', '# New\n'),
        remove('guide/one.md'),
        remove('guide/two.md'),
        { kind: 'copy', path: 'two.md', oid: moved },
        remove('image.png'),
      ],
    });
    if (outcome.kind !== 'planned') throw new Error('This was no dry run.');
    expect(outcome).toMatchObject({
      head,
      changes: {
        needsForce: true,
        totals: { files: { added: 2, removed: 3, changed: 1, moved: 0 } },
        files: {
          added: [{ path: 'new.md', sizeBytes: 6 }, { path: 'two.md' }],
          removed: [{ path: 'guide/one.md' }, { path: 'guide/two.md' }, { path: 'image.png' }],
          changed: [
            {
              path: 'README.md',
              blocks: [{ kind: 'changed', before: { text: '# Home\n' }, after: { text: '# Anew\n' } }],
            },
          ],
        },
      },
    });
    expect(ready).toEqual([]);
    expect(await repository.oid('main')).toBe(head);
    expect(server.requests.some(({ kind }) => kind === 'push' || kind === 'pushInfo')).toBe(false);
  });
});
