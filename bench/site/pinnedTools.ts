import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The tools for the comparison. Only this benchmark needs them, so the lockfile does not list them. */
export const versions = { vitepress: '1.6.4', lighthouse: '13.5.0' };
const installMs = 300_000;

/** A folder with the packages in `node_modules`. */
export type PinnedTools = { folder: string; remove(): Promise<void> };

/** Installs the tools into a temporary folder. @returns the reason when they cannot be installed */
export async function installPinnedTools(): Promise<PinnedTools | string> {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-bench-tools-'));
  const remove = async () => rm(folder, { recursive: true, force: true });
  const names = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  const options = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await promisify(execFile)('npm', ['install', ...options, ...names], { cwd: folder, timeout: installMs });
    return { folder, remove };
  } catch (error) {
    await remove();
    return `npm cannot install ${names.join(' and ')}: ${String(error).split('\n').slice(0, 3).join(' ')}`;
  }
}
