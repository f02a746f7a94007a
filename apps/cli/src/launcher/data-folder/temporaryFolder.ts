import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning, ownIdentity, type ProcessIdentity } from '@bindery/runtime';

const ownerFile = 'owner.json';

/**
 * Creates a folder that exists as long as this process. First removes the folders of earlier, killed runs.
 */
export async function createTemporaryFolder(prefix: string): Promise<string> {
  await sweepTemporaryFolders(prefix);
  // Not by mkdtemp, whose names have capital letters: the stores' sockets are in this folder only if its path
  // has none (storeSocket.ts).
  const folder = join(tmpdir(), `${prefix}${randomBytes(6).toString('hex')}`);
  await mkdir(folder, { mode: 0o700 });
  await writeFile(join(folder, ownerFile), JSON.stringify(ownIdentity()));
  return folder;
}

/** Removes a folder and its content; a store that is just ending may still write to it. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

async function sweepTemporaryFolders(prefix: string): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix));
  for (const name of names) {
    const folder = join(tmpdir(), name);
    // Folders of other users are unreadable and not ours.
    const text = await readFile(join(folder, ownerFile), 'utf8').catch(() => undefined);
    const isAbandoned =
      text === undefined ? await isOld(folder) : !isRunning(JSON.parse(text) as ProcessIdentity);
    if (isAbandoned) await removeFolder(folder).catch(() => {});
  }
}

/** A folder without an owner was just created, or its creator died at that moment. */
async function isOld(folder: string): Promise<boolean> {
  const entry = await stat(folder).catch(() => undefined);
  return entry !== undefined && Date.now() - entry.mtimeMs > 3_600_000;
}
