import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createGitRepository } from '../gitRepository.ts';
import { firstLineOf } from './firstLineOf.ts';
import type { GitServerKind } from './gitServerKind.ts';

const version = '1.2.21';
const folder = resolve(import.meta.dirname, `../../../../.bindery/dulwich-${version}`);
const program = join(import.meta.dirname, 'dulwichServer.py');
const run = promisify(execFile);

/** Dulwich, git in Python: an independent implementation that shares no code with git. */
export const dulwich: GitServerKind = {
  name: `dulwich ${version}`,
  prepare: async () => {
    try {
      if (!(await isInstalled())) await install();
      return undefined;
    } catch (error) {
      return `dulwich ${version} cannot be used; it needs python3 (3.10 or newer) with pip, and the package index: ${(error as Error).message}`;
    }
  },
  start: async (login) => {
    const root = await mkdtemp(join(tmpdir(), 'bindery-dulwich-'));
    const args = [program, root, ...(login ? [login.username, login.password] : [])];
    const child = spawn('python3', args, { env: environment(), stdio: ['pipe', 'pipe', 'ignore'] });
    const hostPort = `127.0.0.1:${await firstLineOf(child)}`;
    return {
      url: `http://${hostPort}`,
      hostPort,
      createRepository: async (name, files) => ({
        ...(await createGitRepository(join(root, name), files)),
        url: `http://${hostPort}/${name}`,
      }),
      close: async () => {
        const ended = once(child, 'exit');
        child.stdin.end();
        await ended;
        await rm(root, { recursive: true, force: true });
      },
    };
  },
};

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
}

async function isInstalled(): Promise<boolean> {
  return run('python3', ['-c', 'import dulwich.web'], { env: environment() }).then(
    () => true,
    () => false,
  );
}

/** Installs to a temporary folder first, then renames it, so that an aborted installation is never used. */
async function install(): Promise<void> {
  const unfinished = `${folder}.${process.pid}`;
  const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--target', unfinished];
  try {
    await run('python3', ['-m', 'pip', 'install', ...options, `dulwich==${version}`]);
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!(await isInstalled())) throw error;
  }
}
