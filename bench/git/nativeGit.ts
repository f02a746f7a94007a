import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const options = { maxBuffer: 2 ** 30, encoding: 'buffer' as const };

/**
 * The native alternative: clones one commit with git and reads its pages. @returns bytes of the pages, by
 * path
 */
export async function cloneAndRead(
  url: string,
): Promise<{ pages: Map<string, Buffer>; folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-bench-git-'));
  await run('git', ['clone', '--quiet', '--bare', '--depth', '1', '--branch', 'main', url, folder]);
  return {
    pages: await readPages(folder),
    folder,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The native alternative with a kept clone: fetches, compares, and reads the changed pages. */
export async function fetchAndReadChanged(folder: string): Promise<Map<string, Buffer>> {
  const before = (await run('git', ['-C', folder, 'rev-parse', 'main'], options)).stdout.toString().trim();
  await run('git', ['-C', folder, 'fetch', '--quiet', '--depth', '1', 'origin', '+main:main']);
  const changed = (await run('git', ['-C', folder, 'diff', '--name-only', before, 'main'], options)).stdout
    .toString()
    .trim()
    .split('\n');
  return catFiles(folder, changed);
}

async function readPages(folder: string): Promise<Map<string, Buffer>> {
  const names = (
    await run('git', ['-C', folder, 'ls-tree', '-r', '--name-only', '-z', 'main'], options)
  ).stdout
    .toString()
    .split('\0');
  return catFiles(
    folder,
    names.filter((name) => name.endsWith('.md')),
  );
}

/** Reads all files with one `git cat-file --batch`. */
async function catFiles(folder: string, paths: string[]): Promise<Map<string, Buffer>> {
  const child = spawn('git', ['-C', folder, 'cat-file', '--batch'], { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.end(paths.map((path) => `main:${path}\n`).join(''));
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  const output = Buffer.concat(chunks);
  const files = new Map<string, Buffer>();
  let at = 0;
  for (const path of paths) {
    const end = output.indexOf(10, at);
    const size = Number(output.subarray(at, end).toString().split(' ')[2]);
    files.set(path, output.subarray(end + 1, end + 1 + size));
    at = end + 1 + size + 1;
  }
  return files;
}

export async function listRemote(url: string): Promise<void> {
  await run('git', ['ls-remote', url, 'refs/heads/main']);
}
