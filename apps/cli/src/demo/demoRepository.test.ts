import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startGitHttpBackend } from './gitHttpBackend.ts';
import { canServeGit, ensureGuideRepository, guideBranch, guideName } from './guideRepository.ts';

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
    await ensureGuideRepository(folder, environment);
    const server = await startGitHttpBackend({ root: folder });
    try {
      const clone = join(folder, 'clone');
      await git('clone', '--quiet', `${server.url}/${guideName}`, clone);
      expect(await git('-C', clone, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe(guideBranch);
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
    await ensureGuideRepository(folder, environment);
    const head = await git('-C', join(folder, guideName), 'rev-parse', 'HEAD');
    await ensureGuideRepository(folder, environment);
    expect(await git('-C', join(folder, guideName), 'rev-parse', 'HEAD')).toBe(head);
    expect(await readdir(folder)).toEqual([guideName]);
  });

  it('lists exactly the existing pages in its navigation', async () => {
    const summary = await readFile(join(guide, 'SUMMARY.md'), 'utf8');
    const listed = [...summary.matchAll(/\]\(([^) ]+\.md)/g)].map(([, path = '']) => path);
    const pages = (await readdir(guide, { recursive: true })).filter(
      (path) => path.endsWith('.md') && path !== 'SUMMARY.md' && !path.startsWith('.gitbook'),
    );
    expect(listed.toSorted()).toEqual(pages.toSorted());
  });

  it('is omitted without git', async () => {
    expect(await canServeGit(environment)).toBe(true);
    expect(await canServeGit({ PATH: folder })).toBe(false);
  });
});
