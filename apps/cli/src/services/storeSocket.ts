import { createHash } from 'node:crypto';
import { lstat, mkdir, mkdtemp, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Refusal } from '../refusal.ts';

/** File names of the sockets. MongoDB's driver knows a socket by `.sock`. */
const names = { mongodb: 'mongod.sock', redis: 'redis.sock' } as const;

/** Name of the folder where it is in the data folder. */
const inData = 'sockets';

/** The kernel permits 107 bytes, that of macOS 103. */
const longestPath = 100;

/**
 * What passes through command lines, URLs and MongoDB's lists of hosts as it is. No capital letters: the driver writes the hosts of a replica
 * set in small ones and would then look for another file.
 */
const plainPath = /^[a-z0-9/._-]+$/;

/**
 * The path where a store of this data folder is to listen, in a folder that no other user can look into: what the store holds has no password.
 *
 * @throws Refusal  when somebody else could look into the folder that is there, or none can be made
 */
export async function prepareSocket(dataFolder: string, store: keyof typeof names): Promise<string> {
  const folder = socketFolder(dataFolder);
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw notMade(folder, error);
  });
  await refuseOthers(folder);
  return join(folder, names[store]);
}

/** Removes a socket of a store that has ended, which leaves it when it is killed, and the folder once no other store has one there. */
export async function removeSocket(socket: string): Promise<void> {
  await rm(socket, { force: true });
  await rmdir(dirname(socket)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'ENOENT') throw error;
  });
}

/** Beside the data, or in a temporary folder of a short name where the path cannot be that of a socket. */
function socketFolder(dataFolder: string): string {
  const owner = `${process.getuid?.()} ${dataFolder}`;
  const short = `bindery-sockets-${createHash('sha256').update(owner).digest('hex').slice(0, 16)}`;
  const folders = [join(dataFolder, inData), join(tmpdir(), short)];
  return folders.find(canHoldSockets) ?? join('/tmp', short);
}

function canHoldSockets(folder: string): boolean {
  return Object.values(names).every((name) => join(folder, name).length <= longestPath) && plainPath.test(folder);
}

/** At each start, not only when the folder is made: the temporary folder is open to everybody, and modes change. */
async function refuseOthers(folder: string): Promise<void> {
  // Of a link, not of what it points to.
  const entry = await lstat(folder);
  if (!entry.isDirectory()) throw refusal(folder, 'is not a folder', removeIt(folder));
  if (entry.uid !== process.getuid?.())
    throw refusal(folder, `belongs to another user (${entry.uid})`, 'Have that user or an administrator remove it: nobody else can.');
  if ((entry.mode & 0o077) === 0) return;
  const mode = `is open to other users (mode ${(entry.mode & 0o777).toString(8)})`;
  if (await keepsModes(dirname(folder))) throw refusal(folder, mode, removeIt(folder));
  throw refusal(
    folder,
    `${mode}: the file system keeps no modes`,
    'Put the data folder on a file system of Linux or macOS, not on a share or a disk of Windows.',
  );
}

/** Whether a folder that is made in this one gets the mode that it is made with. */
async function keepsModes(folder: string): Promise<boolean> {
  const probe = await mkdtemp(join(folder, 'modes-')).catch(() => undefined);
  // Nothing can be made there: that says nothing about modes.
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
  return new Refusal(`MongoDB and Redis listen in ${folder}, without passwords, and it ${problem}.`, [fix, elsewhere(folder)]);
}

const reasons: Record<string, string> = {
  EROFS: 'the file system is read-only',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota of this user is used up',
  ENOTDIR: 'a part of the path is no folder',
  ENOENT: 'a part of the path is not there',
};

function notMade(folder: string, cause: NodeJS.ErrnoException): Refusal {
  const reason = reasons[cause.code ?? ''] ?? cause.code ?? cause.message;
  const fixes = [`Make ${dirname(folder)} a folder that this user can write to.`, elsewhere(folder)];
  return new Refusal(`MongoDB and Redis listen in ${folder}, which cannot be made: ${reason}.`, fixes, { cause });
}

/** The temporary folder is the second choice, which another data folder need not change. */
function elsewhere(folder: string): string {
  return basename(folder) === inData
    ? 'Or start with another data folder: `--data DIR`.'
    : 'Or start with another temporary folder (`TMPDIR=DIR`), or with a data folder of a short path in small letters: `--data DIR`.';
}
