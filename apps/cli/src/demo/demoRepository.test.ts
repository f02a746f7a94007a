import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startGitHttpBackend } from './gitHttpBackend.ts';
import {
  canServeGit,
  demoBranch,
  docsRepository,
  ensureRepository,
  followFiles,
  guideRepository,
} from './demoRepository.ts';

const guide = join(import.meta.dirname, 'guide');
const environment = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' };

describe('the demo repository', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-guide-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', args, { env: environment })).stdout.trim();

  it('can be cloned with every file of the guide, and not pushed to', async () => {
    await ensureRepository(folder, guideRepository, environment);
    const server = await startGitHttpBackend({ root: folder });
    try {
      const clone = join(folder, 'clone');
      await git('clone', '--quiet', `${server.url}/${guideRepository.name}`, clone);
      expect(await git('-C', clone, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe(demoBranch);
      await git('-C', clone, 'fsck', '--strict');
      const files = (await readdir(guide, { recursive: true, withFileTypes: true })).filter((entry) =>
        entry.isFile(),
      );
      expect(files.length).toBeGreaterThan(15);
      for (const { parentPath, name } of files) {
        const path = join(parentPath, name);
        expect(await readFile(join(clone, path.slice(guide.length))), path).toEqual(await readFile(path));
      }
      await git(
        '-C',
        clone,
        '-c',
        'user.name=a',
        '-c',
        'user.email=a@b',
        'commit',
        '--quiet',
        '--allow-empty',
        '-m',
        'x',
      );
      await expect(git('-C', clone, 'push', '--quiet')).rejects.toThrow('403');
    } finally {
      await server.close();
    }
  });

  it('is made once: a later start keeps it unchanged', async () => {
    await ensureRepository(folder, guideRepository, environment);
    const head = await git('-C', join(folder, guideRepository.name), 'rev-parse', 'HEAD');
    await ensureRepository(folder, guideRepository, environment);
    expect(await git('-C', join(folder, guideRepository.name), 'rev-parse', 'HEAD')).toBe(head);
    expect(await readdir(folder)).toEqual([guideRepository.name]);
  });

  it.each([guide, docsRepository.source])(
    'lists exactly the pages of %s in its navigation',
    async (source) => {
      const summary = await readFile(join(source, 'SUMMARY.md'), 'utf8');
      const listed = [...summary.matchAll(/\]\(([^) ]+\.md)/g)].map(([, path = '']) => path);
      const pages = (await readdir(source, { recursive: true })).filter(
        (path) => path.endsWith('.md') && path !== 'SUMMARY.md' && !path.startsWith('.gitbook'),
      );
      expect(listed.toSorted()).toEqual(pages.toSorted());
    },
  );

  it('of the documentation gets a commit when the files changed, on top of commits of the user', async () => {
    const source = join(folder, 'docs');
    const docs = { name: 'docs.git', source, message: 'Write the documentation' };
    const path = join(folder, docs.name);
    await mkdir(source);
    await writeFile(join(source, 'README.md'), '# One\n');
    const first = await followFiles(folder, docs, environment);
    expect(await followFiles(folder, docs, environment)).toBe(first);
    const own = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
    const users = await git('-C', path, ...own, 'commit-tree', `${first}^{tree}`, '-p', first, '-m', 'Edit');
    await git('-C', path, 'update-ref', `refs/heads/${demoBranch}`, users);
    expect(await followFiles(folder, docs, environment)).toBe(first);

    await writeFile(join(source, 'README.md'), '# Two\n');
    const second = await followFiles(folder, docs, environment);
    expect(await git('-C', path, 'log', '--format=%H', demoBranch)).toBe([second, users, first].join('\n'));
    expect(await git('-C', path, 'show', `${demoBranch}:README.md`)).toBe('# Two');
  });

  it('is omitted without git', async () => {
    expect(await canServeGit(environment)).toBe(true);
    expect(await canServeGit({ PATH: folder })).toBe(false);
  });
});
