import { appendFile, chmod, chown, lchown, lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { JobError } from '@bindery/contract/jobErrors';
import { ownFolder } from '../workFolder.ts';

/**
 * A work folder of the worker, in which the process gets its own folder; `lent` are names in it that the
 * process may read. `isRemoved` if it is removed at the end of a successful run, because nothing in it is
 * of use then.
 */
export type HandedFolder = { path: string; lent?: readonly string[]; isRemoved?: true };

/**
 * Creates the process's own folder, and gives it to the process's user.
 *
 * The work folder still belongs to the worker: a link in the process's own folder cannot mislead the worker,
 * which does not look into that folder before `takeBack`.
 */
export async function handOver({ path, lent = [] }: HandedFolder, uid: number | undefined): Promise<void> {
  const own = ownFolder(path);
  await mkdir(own, { mode: 0o700 });
  // A missing file is created here, and filled when the process asks for it.
  for (const name of lent) await appendFile(join(path, name), '', { mode: 0o600 }).catch(unlessFolder);
  if (uid === undefined) return;
  await chown(own, uid, uid);
  await lend(path, uid, 0o710);
  for (const name of lent) await lendAll(join(path, name), uid);
}

function unlessFolder(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EISDIR') throw error;
}

/** Lets the process read the file through its group; the worker remains the owner. */
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
 * Gives the files in a process's own folder to the worker. Call it when nothing of the process runs any more
 * and no file can change.
 *
 * @throws JobError bad_content for anything but plain files and folders: a link could point to a file of the
 *   worker
 */
export async function takeBack(workFolder: string): Promise<void> {
  await takeBackAll(ownFolder(workFolder), { left: mostEntries });
}

/** No work needs more than a few files, and each is checked separately. */
const mostEntries = 10_000;

async function takeBackAll(path: string, entries: { left: number }): Promise<void> {
  entries.left -= 1;
  if (entries.left < 0)
    throw new JobError(
      'bad_content',
      `The process that read the content left more than ${mostEntries} files.`,
    );
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENAMETOOLONG') throw error;
    throw new JobError(
      'bad_content',
      'The process that read the content left folders that are nested too deeply.',
    );
  });
  const isFolder = found.isDirectory();
  if (!isFolder && !(found.isFile() && found.nlink === 1)) {
    throw new JobError('bad_content', 'The process that read the content left something that is not a file.');
  }
  const userId = process.getuid?.();
  if (userId !== undefined && found.uid !== userId)
    await lchown(path, userId, process.getgid?.() ?? found.gid);
  await chmod(path, isFolder ? 0o700 : 0o600);
  if (isFolder) for (const name of await readdir(path)) await takeBackAll(join(path, name), entries);
}
