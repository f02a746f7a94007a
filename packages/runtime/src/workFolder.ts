import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning, ownIdentity } from './processes.ts';

/** What folders are made for; part of their names. */
export const workFolderPurposes = ['git', 'import'] as const;
export type WorkFolderPurpose = (typeof workFolderPurposes)[number];

/** A new folder for one run of a job, named after this process. */
export async function createWorkFolder(purpose: WorkFolderPurpose): Promise<string> {
  const { pid, startedAt = '' } = ownIdentity();
  return mkdtemp(join(tmpdir(), `bindery-${purpose}-${pid}-${startedAt}-`));
}

export async function removeWorkFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** Removes what workers left that were killed: the folders of processes that are not there any more. */
export async function removeLeftFolders(): Promise<void> {
  const pattern = new RegExp(`^bindery-(?:${workFolderPurposes.join('|')})-(\\d+)-(?:(\\d*)-)?`);
  for (const name of await readdir(tmpdir())) {
    const [, pid, startedAt] = pattern.exec(name) ?? [];
    if (pid === undefined || isRunning({ pid: Number(pid), ...(startedAt && { startedAt }) })) continue;
    // That of another user may stay.
    await removeWorkFolder(join(tmpdir(), name)).catch(() => {});
  }
}
