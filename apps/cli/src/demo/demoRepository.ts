import { execFile } from 'node:child_process';
import { access, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A repository of the demo, made of the files in `source`. */
export type DemoRepository = { name: string; source: string; message: string };

export const demoBranch = 'main';

export const guideRepository: DemoRepository = {
  name: 'bindery-guide.git',
  source: join(import.meta.dirname, 'guide'),
  message: 'Write the guide',
};

/** The documentation of this version. */
export const docsRepository: DemoRepository = {
  name: 'bindery-docs.git',
  source: join(import.meta.dirname, '../../../../docs'),
  message: 'Write the documentation',
};

/** The last commit made here, which tells whether a commit of the user followed. */
const writtenRef = 'refs/bindery/written';

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
 * Commits the files into a bare repository below `folder`, unless it exists already: changes by the user are
 * kept.
 */
export async function ensureRepository(
  folder: string,
  repository: DemoRepository,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const path = join(folder, repository.name);
  if (await exists(path)) return;
  const unfinished = `${path}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await promisify(execFile)(
    'git',
    ['init', '--quiet', '--bare', `--initial-branch=${demoBranch}`, unfinished],
    { env: environment },
  );
  await commitFiles(unfinished, repository, environment);
  await rename(unfinished, path);
}

/**
 * Makes the repository as `ensureRepository` does, and commits the files again when they are others than at
 * the last time, on top of commits of the user.
 *
 * @returns the last commit made here
 */
export async function followFiles(
  folder: string,
  repository: DemoRepository,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  await ensureRepository(folder, repository, environment);
  return commitFiles(join(folder, repository.name), repository, environment);
}

async function commitFiles(
  path: string,
  { source, message }: DemoRepository,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const git = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)('git', ['--git-dir', path, '--work-tree', source, ...args], {
      env: { ...environment, ...ownIdentity },
    });
    return stdout.trim();
  };
  const commitAt = (ref: string) => git('rev-parse', '--quiet', '--verify', ref).catch(() => undefined);
  await git('add', '--all', '--force', '.');
  const tree = await git('write-tree');
  // The index is useless in a served repository.
  await rm(join(path, 'index'));
  const written = await commitAt(writtenRef);
  if (written !== undefined && (await git('rev-parse', `${written}^{tree}`)) === tree) return written;
  const head = await commitAt(`refs/heads/${demoBranch}`);
  const commit = await git('commit-tree', tree, '-m', message, ...(head === undefined ? [] : ['-p', head]));
  await git('update-ref', `refs/heads/${demoBranch}`, commit);
  await git('update-ref', writtenRef, commit);
  return commit;
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
