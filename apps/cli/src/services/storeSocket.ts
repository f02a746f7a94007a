import { createHash } from 'node:crypto';
import { lstat, mkdir, mkdtemp, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Refusal } from '../refusal.ts';

/** File names of the sockets. MongoDB's driver recognizes a socket by `.sock`. */
const names = { mongodb: 'mongod.sock', redis: 'redis.sock' } as const;

/** Name of the folder inside the data folder. */
const inData = 'sockets';

/** The limit is 107 bytes on Linux, 103 on macOS. */
const longestPath = 100;

/**
 * Characters that need no escaping in command lines, URLs and MongoDB's host lists. No capital letters: the
 * driver lowercases the hosts of a replica set and would look for another file.
 */
const plainPath = /^[a-z0-9/._-]+$/;

/**
 * Returns the path of a store's socket for this data folder, in a folder closed to other users, because the
 * store has no password.
 *
 * @throws Refusal when another user could access the existing folder, or none can be created
 */
export async function prepareSocket(dataFolder: string, store: keyof typeof names): Promise<string> {
  const folder = socketFolder(dataFolder);
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw notMade(folder, error);
  });
  await refuseOthers(folder);
  return join(folder, names[store]);
}

/**
 * Removes the socket of a store that has ended, which a killed store leaves behind, and then the folder if it
 * is empty.
 */
export async function removeSocket(socket: string): Promise<void> {
  await rm(socket, { force: true });
  await rmdir(dirname(socket)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'ENOENT') throw error;
  });
}

/**
 * Returns a folder beside the data, or in a temporary folder with a short name if the path does not suit a
 * socket.
 */
function socketFolder(dataFolder: string): string {
  const owner = `${process.getuid?.()} ${dataFolder}`;
  const short = `bindery-sockets-${createHash('sha256').update(owner).digest('hex').slice(0, 16)}`;
  const folders = [join(dataFolder, inData), join(tmpdir(), short)];
  return folders.find(canHoldSockets) ?? join('/tmp', short);
}

function canHoldSockets(folder: string): boolean {
  return (
    Object.values(names).every((name) => join(folder, name).length <= longestPath) && plainPath.test(folder)
  );
}

/** Checked at each start, not only on creation: the temporary folder is shared, and modes change. */
async function refuseOthers(folder: string): Promise<void> {
  // Of a link itself, not of its target.
  const entry = await lstat(folder);
  if (!entry.isDirectory()) throw refusal(folder, 'is not a folder', removeIt(folder));
  if (entry.uid !== process.getuid?.())
    throw refusal(
      folder,
      `belongs to another user (${entry.uid})`,
      'Have that user or an administrator remove it: nobody else can.',
    );
  if ((entry.mode & 0o077) === 0) return;
  const mode = `is open to other users (mode ${(entry.mode & 0o777).toString(8)})`;
  if (await keepsModes(dirname(folder))) throw refusal(folder, mode, removeIt(folder));
  throw refusal(
    folder,
    `${mode}: the file system keeps no modes`,
    'Put the data folder on a file system of Linux or macOS, not on a share or a disk of Windows.',
  );
}

/** Whether a folder created in this one keeps its mode. */
async function keepsModes(folder: string): Promise<boolean> {
  const probe = await mkdtemp(join(folder, 'modes-')).catch(() => undefined);
  // Nothing can be created there, which says nothing about modes.
  if (probe === undefined) return true;
  try {
    return ((await lstat(probe)).mode & 0o077) === 0;
  } finally {
    await rmdir(probe);
  }
}

function removeIt(folder: string): string {
  return `Remove it, and it is made anew: \`rm -r ${folder}\`.`;
}

function refusal(folder: string, problem: string, fix: string): Refusal {
  return new Refusal(`MongoDB and Redis listen in ${folder}, without passwords, and it ${problem}.`, [
    fix,
    elsewhere(folder),
  ]);
}

const reasons: Record<string, string> = {
  EROFS: 'the file system is read-only',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota of this user is used up',
  ENOTDIR: 'a part of the path is no folder',
  ENOENT: 'a part of the path does not exist',
};

function notMade(folder: string, cause: NodeJS.ErrnoException): Refusal {
  const reason = reasons[cause.code ?? ''] ?? cause.code ?? cause.message;
  const fixes = [`Make ${dirname(folder)} a folder that this user can write to.`, elsewhere(folder)];
  return new Refusal(`MongoDB and Redis listen in ${folder}, which cannot be made: ${reason}.`, fixes, {
    cause,
  });
}

/** Advises against the temporary folder, the second choice, if another data folder helps. */
function elsewhere(folder: string): string {
  return basename(folder) === inData
    ? 'Or start with another data folder: `--data DIR`.'
    : 'Or start with another temporary folder (`TMPDIR=DIR`), or with a data folder of a short path in small letters: `--data DIR`.';
}
