import { createHash } from 'node:crypto';
import { lstat, mkdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Refusal } from '../refusal.ts';

/** File names of the sockets. MongoDB's driver knows a socket by `.sock`. */
const names = { mongodb: 'mongod.sock', redis: 'redis.sock' } as const;

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
 * @throws Refusal  when somebody else could look into the folder that is there
 */
export async function prepareSocket(dataFolder: string, store: keyof typeof names): Promise<string> {
  const folder = socketFolder(dataFolder);
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
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
  const folders = [join(dataFolder, 'sockets'), join(tmpdir(), short)];
  return folders.find(canHoldSockets) ?? join('/tmp', short);
}

function canHoldSockets(folder: string): boolean {
  return Object.values(names).every((name) => join(folder, name).length <= longestPath) && plainPath.test(folder);
}

/** At each start, not only when the folder is made: the temporary folder is open to everybody, and modes change. */
async function refuseOthers(folder: string): Promise<void> {
  // Of a link, not of what it points to.
  const entry = await lstat(folder);
  const problem = !entry.isDirectory()
    ? 'is not a folder'
    : entry.uid !== process.getuid?.()
      ? `belongs to another user (${entry.uid})`
      : (entry.mode & 0o077) !== 0
        ? `is open to other users (mode ${(entry.mode & 0o777).toString(8)})`
        : undefined;
  if (!problem) return;
  throw new Refusal(`MongoDB and Redis listen in ${folder}, without passwords, and it ${problem}.`, [
    `Remove it, and it is made anew: \`rm -r ${folder}\`.`,
    'Or start with another data folder: `--data DIR`.',
  ]);
}
