import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SpaceRecord } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { editContent, setFields, storeSource } from '../../support/content/editContent.ts';
import { startGitPlatform, type GitPlatform } from '../../support/git/gitPlatform.ts';
import type { GitRepository } from '../../support/git/gitRepository.ts';
import { otherGitServers, type OtherGitServer } from '../../support/git/otherGitServers.ts';

// A server in Java takes its time to start on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const login = { username: 'x-access-token', password: 'c4n4ry-of-0ther-servers' };
const servers = await otherGitServers();
const files = {
  'README.md': '# Home\n\n![](.gitbook/assets/logo.png)\n',
  'SUMMARY.md':
    '# Table of contents\n\n* [Home](README.md)\n* [Guide](guide/README.md)\n  * [Start](guide/start.md)\n',
  'guide/README.md': '# Guide\n',
  'guide/start.md': `# Start\n\n${'One line of many.\n'.repeat(300)}`,
  '.gitbook/assets/logo.png': Buffer.alloc(90_000, 'logo'),
  'other/README.md': '# Other project\n',
};

for (const { name, missing, start } of servers)
  describe.skipIf(missing)(name, () => {
    let open: OtherGitServer;
    let guarded: OtherGitServer;
    let platform: GitPlatform;
    let repository: GitRepository & { url: string };
    let closed: GitRepository & { url: string };
    beforeAll(async () => {
      [open, guarded] = await Promise.all([start(), start(login)]);
      [repository, closed] = await Promise.all([
        open.createRepository('team/docs.git', files),
        guarded.createRepository('docs.git', files),
      ]);
      platform = await startGitPlatform({ BINDERY_OUTBOUND_ALLOW: `${open.hostPort},${guarded.hostPort}` });
    });
    afterAll(async () => {
      await platform.close();
      await Promise.all([open.close(), guarded.close()]);
    });
    const withLogin = (url: string, { username, password } = login) =>
      url.replace('//', `//${username}:${password}@`);

    it('is read without a login', async () => {
      const space = await platform.newSpace();
      const job = await platform.import(space, repository.url);
      expect(job).toMatchObject({
        state: 'succeeded',
        result: { commit: await repository.oid('main'), unchanged: false },
      });
      const { outline, textOf, files: stored, revision } = await platform.contentOf(space);
      expect(outline).toEqual([
        'document Home /readme',
        'document Guide /guide',
        '  document Start /guide/start',
      ]);
      expect(textOf('Start')).toBe(files['guide/start.md']);
      expect(stored.map(({ name, sizeBytes }) => [name, sizeBytes])).toEqual([['logo.png', 90_000]]);
      expect(revision.git).toMatchObject({
        oid: await repository.oid('main'),
        message: 'Change the documentation',
      });
    });

    it('is read again after a commit, a rename and a forced push', async () => {
      const { url, commit, oid } = await open.createRepository('moving.git', files);
      const space = await platform.newSpace();
      await platform.import(space, url);
      expect(await platform.import(space, url)).toMatchObject({
        state: 'succeeded',
        result: { unchanged: true },
      });
      const { page } = await platform.contentOf(space);
      await commit({
        'guide/start.md': null,
        'guide/begin.md': files['guide/start.md'],
        'SUMMARY.md': files['SUMMARY.md'].replace('guide/start.md', 'guide/begin.md'),
      });
      expect(await platform.import(space, url)).toMatchObject({
        state: 'succeeded',
        result: { commit: await oid('main') },
      });
      const renamed = (await platform.contentOf(space)).page('Start');
      expect(renamed).toMatchObject({ id: page('Start').id, path: 'guide/begin' });
      await commit({ 'README.md': '# A new start\n' }, { isForced: true });
      expect(await platform.import(space, url)).toMatchObject({ state: 'succeeded' });
      expect((await platform.contentOf(space)).outline).toEqual(['document A new start /readme']);
    });

    it('is read with one folder, from another branch, and from a packed repository with history', async () => {
      const { url, commit, git } = await open.createRepository('packed.git', files);
      for (let n = 0; n < 5; n++)
        await commit({ 'guide/start.md': `${files['guide/start.md']}Version ${n}.\n` }, { branch: 'topic' });
      await commit({ ...files, 'other/README.md': '# Project of the branch\n' }, { branch: 'topic' });
      await git(['repack', '-adfq', '--depth=50', '--window=50']);
      const space = await platform.newSpace();
      const job = await platform.import(space, url, {
        ref: 'refs/heads/topic',
        repoProjectDirectory: 'other',
      });
      expect(job).toMatchObject({ state: 'succeeded' });
      expect((await platform.contentOf(space)).outline).toEqual(['document Project of the branch /readme']);
    });

    it('is read at a tag, annotated or not', async () => {
      const { url, git, commit, oid } = await open.createRepository('tagged.git', files);
      const released = await oid('main');
      await git(['tag', 'light']);
      await git([
        '-c',
        'user.name=Ada',
        '-c',
        'user.email=ada@example.org',
        'tag',
        '-a',
        '-m',
        'First',
        'v1',
      ]);
      await commit({ 'README.md': '# Later\n' });
      const space = await platform.newSpace();
      for (const tag of ['light', 'v1']) {
        const ref = `refs/tags/${tag}`;
        const job = await platform.import(space, url, { ref });
        expect(job).toMatchObject({ state: 'succeeded', result: { commit: released } });
      }
    });

    it('is read with the right login, which leaks nowhere', async () => {
      const space = await platform.newSpace();
      expect(await platform.import(space, withLogin(closed.url))).toMatchObject({ state: 'succeeded' });
      expect((await platform.contentOf(space)).outline.length).toBe(3);
      expect(
        await platform.findSecrets(space, [
          login.password,
          Buffer.from(`${login.username}:${login.password}`).toString('base64'),
        ]),
      ).toEqual([]);
    });

    it.each([
      ['without a login', (url: string) => url],
      ['with a wrong password', (url: string) => withLogin(url, { ...login, password: 'c4n4ry-wrong' })],
      ['with a wrong user', (url: string) => withLogin(url, { ...login, username: 'c4n4ry-user' })],
      ['with a token that stands for the user', (url: string) => url.replace('//', `//${login.password}@`)],
    ])('is not read %s, and the space stays unchanged', async (_, urlOf) => {
      const space = await platform.newSpace();
      await platform.import(space, repository.url);
      const before = await platform.stateOf(space);
      const job = await platform.import(space, urlOf(closed.url));
      expect(job).toMatchObject({
        state: 'failed',
        attempts: [expect.anything()],
        error: { code: 'auth', class: 'auth', action: expect.stringContaining('credentials') },
      });
      expect(await platform.stateOf(space)).toEqual(before);
      expect(await platform.findSecrets(space, [login.password, 'c4n4ry-wrong', 'c4n4ry-user'])).toEqual([]);
    });

    it('reports a repository or a branch that does not exist', async () => {
      const empty = await open.createRepository('empty.git', {});
      const space = await platform.newSpace();
      for (const [url, ref] of [
        [`${open.url}/none.git`, 'refs/heads/main'],
        [repository.url, 'refs/heads/none'],
        [empty.url, 'refs/heads/main'],
        [withLogin(`${guarded.url}/none.git`), 'refs/heads/main'],
      ] as const) {
        const job = await platform.import(space, url, { ref });
        expect(job).toMatchObject({ state: 'failed', error: { code: 'not_found', class: 'not_found' } });
      }
      expect((await platform.contentOf(space)).revision._id).toBe(space.revision);
    });

    describe('is written to', () => {
      const page = (words: string) => `# Start\n\n${words}\n`;
      const edit = async (space: SpaceRecord, words: string) => {
        const document = await storeSource(space.organization, page(words));
        const { id } = (await platform.contentOf(space)).page('Start');
        await editContent(space, (tree) => setFields(tree, id, { document }));
      };
      /** Clones a repository and returns the text of each file by its path. */
      const clone = async ({ git }: GitRepository, url: string) => {
        const folder = await mkdtemp(join(tmpdir(), 'bindery-clone-'));
        try {
          await git(['clone', '--quiet', url, folder]);
          const names = (await git(['-C', folder, 'ls-files', '-z'])).toString().split('\0').filter(Boolean);
          return Object.fromEntries(
            await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
          );
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      };
      const fsck = ({ git }: GitRepository) => git(['fsck', '--full', '--strict']);

      it('with the first commit of an empty repository, and then without a further commit', async () => {
        const empty = await guarded.createRepository('first.git', {});
        const space = await platform.newSpace();
        await platform.import(space, repository.url);
        const job = await platform.export(space, withLogin(empty.url), { commitMessage: 'Begin' });
        expect(job).toMatchObject({ state: 'succeeded', result: { commit: await empty.oid('main') } });
        const { 'other/README.md': _other, ...expected } = files;
        const bytes = Object.fromEntries(
          Object.entries(expected).map(([path, content]) => [path, Buffer.from(content as string)]),
        );
        expect(await clone(empty, withLogin(empty.url))).toEqual(bytes);
        await fsck(empty);
        expect(await platform.export(space, withLogin(empty.url))).toMatchObject({ state: 'succeeded' });
        expect((await empty.git(['rev-list', '--count', 'main'])).toString().trim()).toBe('1');
        expect(await platform.findSecrets(space, [login.password])).toEqual([]);
      });

      it('with one file when one page has changed, and is read back unchanged', async () => {
        const target = await open.createRepository('change.git', files);
        const before = await target.oid('main');
        const space = await platform.newSpace();
        await platform.import(space, target.url);
        expect(await platform.export(space, target.url)).toMatchObject({ state: 'succeeded' });
        expect(await target.oid('main')).toBe(before);
        await edit(space, 'Rewritten.');
        const job = await platform.export(space, target.url, { commitMessage: 'Rewrite' });
        expect(job).toMatchObject({ state: 'succeeded', result: { commit: await target.oid('main') } });
        expect(await target.oid('main^')).toBe(before);
        const changed = (await target.git(['diff-tree', '-r', '--name-only', `${before}..main`]))
          .toString()
          .trim();
        expect(changed).toBe('guide/start.md');
        expect((await clone(target, target.url))['guide/start.md']?.toString()).toBe(page('Rewritten.'));
        await fsck(target);
        expect(await platform.import(space, target.url)).toMatchObject({
          state: 'succeeded',
          result: { unchanged: true },
        });
      });

      it('only with the right login', async () => {
        const target = await guarded.createRepository('shut.git', files);
        const before = await target.oid('main');
        const space = await platform.newSpace();
        await platform.import(space, withLogin(target.url));
        await edit(space, 'Not to be seen.');
        const state = await platform.stateOf(space);
        for (const url of [target.url, withLogin(target.url, { ...login, password: 'c4n4ry-wrong' })]) {
          const job = await platform.export(space, url);
          expect(job).toMatchObject({
            state: 'failed',
            attempts: [expect.anything()],
            error: { code: 'auth', class: 'auth' },
          });
        }
        expect(await target.oid('main')).toBe(before);
        expect(await platform.stateOf(space)).toEqual(state);
        expect(await platform.findSecrets(space, [login.password, 'c4n4ry-wrong'])).toEqual([]);
      });

      it('on top of new commits of its branch, and in a conflict only by force', async () => {
        const target = await open.createRepository('moved.git', files);
        const space = await platform.newSpace();
        await platform.import(space, target.url);
        const theirs = await target.commit({ 'README.md': '# Home of others\n' });
        await edit(space, 'Ours.');
        expect(await platform.export(space, target.url)).toMatchObject({ state: 'succeeded' });
        expect(await target.oid('main^')).toBe(theirs);
        const merged = await clone(target, target.url);
        expect(merged['guide/start.md']?.toString()).toBe(page('Ours.'));
        expect(merged['README.md']?.toString()).toBe('# Home of others\n');

        const same = await target.commit({ 'guide/start.md': page('Theirs.') });
        await edit(space, 'Ours again.');
        const state = await platform.stateOf(space);
        expect(await platform.export(space, target.url)).toMatchObject({
          state: 'failed',
          error: { code: 'not_fast_forward', action: expect.any(String) },
        });
        expect(await target.oid('main')).toBe(same);
        expect(await platform.stateOf(space)).toEqual(state);
        expect(await platform.export(space, target.url, { force: true })).toMatchObject({
          state: 'succeeded',
        });
        expect(await target.oid('main^')).toBe(same);
        expect((await clone(target, target.url))['guide/start.md']?.toString()).toBe(page('Ours again.'));
        await fsck(target);
      });
    });
  });
