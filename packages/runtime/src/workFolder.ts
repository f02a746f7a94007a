import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { lstat, mkdtemp, opendir, readdir, rm, rmdir, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isRunning, ownIdentity } from './processes.ts';

/** The purposes of work folders; part of their names. */
export const workFolderPurposes = ['git', 'import', 'child', 'openapi', 'pdf', 'apertium'] as const;
export type WorkFolderPurpose = (typeof workFolderPurposes)[number];

/** Creates a folder for one run of a job, named after this process. */
export async function createWorkFolder(purpose: WorkFolderPurpose): Promise<string> {
  return mkdtemp(prefixOf(purpose));
}

/** Does work in a folder of its own, which is removed at its end. */
export async function inWorkFolder<Result>(
  purpose: WorkFolderPurpose,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await createWorkFolder(purpose);
  try {
    return await work(folder);
  } finally {
    await removeWorkFolder(folder);
  }
}

/** The only folder in a work folder that a process started for the work may write to. */
export function ownFolder(workFolder: string): string {
  return join(workFolder, 'own');
}

/**
 * Creates a folder for the temporary files of a child process, which go into its `ownFolder`; named after
 * this process.
 */
export function createScratchFolder(): string {
  const folder = mkdtempSync(prefixOf('child'));
  mkdirSync(ownFolder(folder), { mode: 0o700 });
  return folder;
}

function prefixOf(purpose: WorkFolderPurpose): string {
  const { pid, startedAt = '' } = ownIdentity();
  return join(tmpdir(), `bindery-${purpose}-${pid}-${startedAt}-`);
}

/**
 * Removes a work folder. Never fails, since the work in it is done: a folder that cannot be removed causes a
 * process warning.
 */
export async function removeWorkFolder(folder: string): Promise<void> {
  for (const attempt of [removeFew, removeByProgram, allowAndRemove, removeByNode]) {
    try {
      return await attempt(folder);
    } catch {
      // Try the next way.
    }
  }
  process.emitWarning(`The folder ${folder} could not be removed. Remove it by hand.`);
}

/**
 * Removes the leftovers of most works: a few files, without starting a program. No path leads through a
 * folder that another user could replace with a link.
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
 * Node's own `rm` uses the full path of each file: a folder replaced by a link leads it elsewhere, and
 * untrusted folders can be nested deeper than the longest path. It also holds all names of a folder in
 * memory.
 */
async function removeByProgram(folder: string): Promise<void> {
  await run('rm', ['-rf', '--', folder]);
}

/** For folders that their owner may not list. */
async function allowAndRemove(folder: string): Promise<void> {
  await run('chmod', ['-R', 'u+rwX', '--', folder]);
  await removeByProgram(folder);
}

/** If the program is missing. */
async function removeByNode(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** Removes the folders of processes that have ended, left by killed workers. */
export async function removeLeftFolders(): Promise<void> {
  const pattern = new RegExp(`^bindery-(?:${workFolderPurposes.join('|')})-(\\d+)-(?:(\\d*)-)?`);
  for (const name of await readdir(tmpdir())) {
    const [, pid, startedAt] = pattern.exec(name) ?? [];
    if (pid === undefined || isRunning({ pid: Number(pid), startedAt: startedAt || undefined })) continue;
    const path = join(tmpdir(), name);
    const found = await lstat(path).catch(() => undefined);
    // Folders of other users stay.
    if (found && (process.getuid === undefined || found.uid === process.getuid()))
      await removeWorkFolder(path);
  }
}
