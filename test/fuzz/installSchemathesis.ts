import { execFile } from 'node:child_process';
import { access, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const version = '4.32.5';
const folder = resolve(import.meta.dirname, `../../.bindery/schemathesis-${version}`);
const run = promisify(execFile);

/**
 * Installs the fuzzer in an environment of its own below .bindery, once.
 *
 * @returns its program
 * @throws Error which says what is missing: Python, its venv module, or the package index
 */
export async function installSchemathesis(): Promise<string> {
  const program = join(folder, 'bin', 'st');
  if (await isInstalled(program)) return program;
  const python = await findPython();
  console.log(`installing schemathesis ${version} into ${folder}`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await run(python, ['-m', 'venv', folder]).catch((error: Error) => {
    throw new Error(
      `Python cannot make an environment (Debian: \`apt-get install python3-venv\`): ${error.message}`,
    );
  });
  await run(join(folder, 'bin', 'python'), [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    `schemathesis==${version}`,
  ]).catch((error: Error) => {
    throw new Error(
      `schemathesis ${version} could not be installed; is Python's package index reachable? ${error.message}`,
    );
  });
  return program;
}

/** An installation that broke off leaves a program that does not start. */
async function isInstalled(program: string): Promise<boolean> {
  try {
    await access(program);
    const { stdout } = await run(program, ['--version']);
    return stdout.includes(version);
  } catch {
    return false;
  }
}

async function findPython(): Promise<string> {
  // Newer ones first: 3.11 now and then fails in the fuzzer's own generator.
  for (const name of ['python3.13', 'python3.12', 'python3', 'python']) {
    try {
      const { stdout } = await run(name, ['-c', 'import sys; print(sys.version_info >= (3, 10))']);
      if (stdout.trim() === 'True') return name;
    } catch {
      // Not there.
    }
  }
  throw new Error('The fuzzer needs Python 3.10 or newer on PATH.');
}
