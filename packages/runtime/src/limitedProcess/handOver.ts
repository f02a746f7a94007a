import { appendFile, chmod, chown, lchown, lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { JobError } from '@bindery/contract/jobErrors';
import { ownFolder } from '../workFolder.ts';

/** A work folder of the worker's, in which the process gets a folder of its own; `lent` are names in it that the process may read. */
export type HandedFolder = { path: string; lent?: readonly string[] };

/**
 * Makes the process's own folder, and gives it to its user.
 *
 * The work folder itself stays the worker's: a link that the process puts in its own folder leads the worker nowhere, because the worker does
 * not look into it before `takeBack`.
 */
export async function handOver({ path, lent = [] }: HandedFolder, uid: number | undefined): Promise<void> {
  const own = ownFolder(path);
  await mkdir(own, { mode: 0o700 });
  // One that is not there yet is filled when the process asks for it.
  for (const name of lent) await appendFile(join(path, name), '', { mode: 0o600 }).catch(unlessFolder);
  if (uid === undefined) return;
  await chown(own, uid, uid);
  await lend(path, uid, 0o710);
  for (const name of lent) await lendAll(join(path, name), uid);
}

function unlessFolder(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EISDIR') throw error;
}

/** Lets the process read it, as its group; it stays the worker's. */
async function lend(path: string, gid: number, mode: number): Promise<void> {
  await chown(path, process.getuid?.() ?? 0, gid);
  await chmod(path, mode);
}

async function lendAll(path: string, gid: number): Promise<void> {
  const isFolder = (await lstat(path)).isDirectory();
  await lend(path, gid, isFolder ? 0o750 : 0o640);
  if (isFolder) for (const name of await readdir(path)) await lendAll(join(path, name), gid);
}

/**
 * Makes what a process has left in its own folder the worker's, once nothing of the process runs: only then does nobody change it any more.
 *
 * @throws JobError bad_content for anything but plain files and folders: a link could lead the worker to a file of its own
 */
export async function takeBack(workFolder: string): Promise<void> {
  await takeBackAll(ownFolder(workFolder), { left: mostEntries });
}

/** No work needs more than a few files, and each is looked at one by one. */
const mostEntries = 10_000;

async function takeBackAll(path: string, entries: { left: number }): Promise<void> {
  entries.left -= 1;
  if (entries.left < 0) throw new JobError('bad_content', `The process that read the content left more than ${mostEntries} files.`);
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENAMETOOLONG') throw error;
    throw new JobError('bad_content', 'The process that read the content left folders that are nested too deeply.');
  });
  const isFolder = found.isDirectory();
  if (!isFolder && !(found.isFile() && found.nlink === 1)) {
    throw new JobError('bad_content', 'The process that read the content left something that is not a file.');
  }
  const userId = process.getuid?.();
  if (userId !== undefined && found.uid !== userId) await lchown(path, userId, process.getgid?.() ?? found.gid);
  await chmod(path, isFolder ? 0o700 : 0o600);
  if (isFolder) for (const name of await readdir(path)) await takeBackAll(join(path, name), entries);
}
