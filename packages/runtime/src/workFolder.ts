import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isRunning, ownIdentity } from './processes.ts';

/** What folders are made for; part of their names. */
export const workFolderPurposes = ['git', 'import', 'child'] as const;
export type WorkFolderPurpose = (typeof workFolderPurposes)[number];

/** A new folder for one run of a job, named after this process. */
export async function createWorkFolder(purpose: WorkFolderPurpose): Promise<string> {
  return mkdtemp(prefixOf(purpose));
}

/** A new folder for the temporary files of one process, named after the process that starts it. */
export function createScratchFolder(): string {
  return mkdtempSync(prefixOf('child'));
}

function prefixOf(purpose: WorkFolderPurpose): string {
  const { pid, startedAt = '' } = ownIdentity();
  return join(tmpdir(), `bindery-${purpose}-${pid}-${startedAt}-`);
}

/** Never fails, since the work in it is done: a folder that cannot be removed is told as a warning of the process. */
export async function removeWorkFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true }).catch(async () => {
      // Node names each file by its whole path, and strangers' folders can be nested deeper than a path may be long.
      await promisify(execFile)('rm', ['-rf', '--', folder]);
    });
  } catch {
    process.emitWarning(`The folder ${folder} could not be removed. Remove it by hand.`);
  }
}

/** Removes what workers left that were killed: the folders of processes that are not there any more. */
export async function removeLeftFolders(): Promise<void> {
  const pattern = new RegExp(`^bindery-(?:${workFolderPurposes.join('|')})-(\\d+)-(?:(\\d*)-)?`);
  for (const name of await readdir(tmpdir())) {
    const [, pid, startedAt] = pattern.exec(name) ?? [];
    if (pid === undefined || isRunning({ pid: Number(pid), ...(startedAt && { startedAt }) })) continue;
    const path = join(tmpdir(), name);
    const userId = process.getuid?.() ?? 0;
    // Those of another user may stay; root's children have users of their own.
    if (userId === 0 || (await lstat(path).catch(() => undefined))?.uid === userId) await removeWorkFolder(path);
  }
}
