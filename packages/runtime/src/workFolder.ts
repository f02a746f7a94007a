import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What folders are made for; part of their names. */
export type WorkFolderPurpose = 'git' | 'import';

/** A new folder for one run of a job, named after this process. */
export async function createWorkFolder(purpose: WorkFolderPurpose): Promise<string> {
  return mkdtemp(join(tmpdir(), `bindery-${purpose}-${process.pid}-`));
}

export async function removeWorkFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** Removes what workers left that were killed: the folders of processes that are not there any more. */
export async function removeLeftFolders(purpose: WorkFolderPurpose): Promise<void> {
  const prefix = `bindery-${purpose}-`;
  for (const name of await readdir(tmpdir())) {
    const owner = name.startsWith(prefix) ? /^(\d+)-/.exec(name.slice(prefix.length))?.[1] : undefined;
    if (owner && !isAlive(Number(owner))) await removeWorkFolder(join(tmpdir(), name));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
