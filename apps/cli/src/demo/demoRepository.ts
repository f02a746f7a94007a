import { execFile } from 'node:child_process';
import { access, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const guideName = 'bindery-guide.git';
export const guideBranch = 'main';

const guideFolder = join(import.meta.dirname, 'guide');

/** Whether git with its server is installed; some distributions package `git http-backend` separately. */
export async function canServeGit(environment: NodeJS.ProcessEnv): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--exec-path'], { env: environment });
    await access(join(stdout.trim(), 'git-http-backend'));
    return true;
  } catch {
    return false;
  }
}

/**
 * Commits the guide into a bare repository below `folder`, unless it exists already: changes by the user are
 * kept.
 */
export async function ensureGuideRepository(folder: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const path = join(folder, guideName);
  if (await exists(path)) return;
  const unfinished = `${path}.new`;
  await rm(unfinished, { recursive: true, force: true });
  const git = (...args: string[]) =>
    promisify(execFile)('git', ['--git-dir', unfinished, '--work-tree', guideFolder, ...args], {
      env: { ...environment, ...ownIdentity },
    });
  await promisify(execFile)(
    'git',
    ['init', '--quiet', '--bare', `--initial-branch=${guideBranch}`, unfinished],
    { env: environment },
  );
  await git('add', '--all', '--force', '.');
  await git('commit', '--quiet', '--message', 'Write the guide');
  // The index is useless in a served repository.
  await rm(join(unfinished, 'index'));
  await rename(unfinished, path);
}

/** Shields the commit from the user's git configuration: no signing, no hooks, no line ending conversion. */
const ownIdentity = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Bindery',
  GIT_AUTHOR_EMAIL: 'demo@bindery.localhost',
  GIT_COMMITTER_NAME: 'Bindery',
  GIT_COMMITTER_EMAIL: 'demo@bindery.localhost',
};

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
