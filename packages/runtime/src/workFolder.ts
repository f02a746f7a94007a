import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { lstat, mkdtemp, opendir, readdir, rm, rmdir, unlink } from 'node:fs/promises';
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

/** The one folder in a work folder into which a process that was started for the work may write. */
export function ownFolder(workFolder: string): string {
  return join(workFolder, 'own');
}

/** A new folder, named after this process, for the temporary files of one that it starts: those go into its `ownFolder`. */
export function createScratchFolder(): string {
  const folder = mkdtempSync(prefixOf('child'));
  mkdirSync(ownFolder(folder), { mode: 0o700 });
  return folder;
}

function prefixOf(purpose: WorkFolderPurpose): string {
  const { pid, startedAt = '' } = ownIdentity();
  return join(tmpdir(), `bindery-${purpose}-${pid}-${startedAt}-`);
}

/** Never fails, since the work in it is done: a folder that cannot be removed is told as a warning of the process. */
export async function removeWorkFolder(folder: string): Promise<void> {
  for (const attempt of [removeFew, removeByProgram, allowAndRemove, removeByNode]) {
    try {
      return await attempt(folder);
    } catch {
      // The next one may do it.
    }
  }
  process.emitWarning(`The folder ${folder} could not be removed. Remove it by hand.`);
}

/**
 * What most works leave: a few files, without starting a program. No file is named through a folder that somebody else could exchange for a link.
 *
 * @throws for many files, and for any other folder
 */
async function removeFew(folder: string): Promise<void> {
  for (const path of [ownFolder(folder), folder]) {
    let count = 0;
    for await (const { name } of await opendir(path)) {
      count += 1;
      if (count > 100) throw new Error('There are too many files to remove one by one.');
      await unlink(join(path, name));
    }
    await rmdir(path);
  }
}

const run = promisify(execFile);

/**
 * Node's own `rm` names each file by its whole path: what is exchanged for a link meanwhile leads it elsewhere, and strangers' folders can be nested
 * deeper than a path may be long. It also holds all names of a folder.
 */
async function removeByProgram(folder: string): Promise<void> {
  await run('rm', ['-rf', '--', folder]);
}

/** For folders of which their owner may not read the names. */
async function allowAndRemove(folder: string): Promise<void> {
  await run('chmod', ['-R', 'u+rwX', '--', folder]);
  await removeByProgram(folder);
}

/** Where there is no such program. */
async function removeByNode(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** Removes what workers left that were killed: the folders of processes that are not there any more. */
export async function removeLeftFolders(): Promise<void> {
  const pattern = new RegExp(`^bindery-(?:${workFolderPurposes.join('|')})-(\\d+)-(?:(\\d*)-)?`);
  for (const name of await readdir(tmpdir())) {
    const [, pid, startedAt] = pattern.exec(name) ?? [];
    if (pid === undefined || isRunning({ pid: Number(pid), ...(startedAt && { startedAt }) })) continue;
    const path = join(tmpdir(), name);
    const found = await lstat(path).catch(() => undefined);
    // What another user made may stay.
    if (found && (process.getuid === undefined || found.uid === process.getuid())) await removeWorkFolder(path);
  }
}
