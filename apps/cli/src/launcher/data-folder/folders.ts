import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Refusal } from '../../refusal.ts';
import { awaitLeftovers } from '../awaitLeftovers.ts';
import { lockFolder } from './folderLock.ts';
import { removeRunFile } from './runFile.ts';
import { createTemporaryFolder, removeFolder } from './temporaryFolder.ts';

/** The folder of the project. */
export const projectFolder = resolve(import.meta.dirname, '../../../../..');

/** Installed programs, shared by all data folders. */
export const cacheFolder = join(projectFolder, '.bindery', 'cache');

const standardFolder = join(projectFolder, '.bindery');

/** Returns the folder of the installation that `--data` names; without it, `.bindery` of the project. */
export function homeFolder(data: string | undefined): string {
  return data === undefined ? standardFolder : resolve(data);
}

export type Folders = {
  /** Contains `run.json` and the lock. */
  home: string;
  /** Contains the stores' data, the secret key and the token. */
  data: string;
};

const ephemeralMark = 'ephemeral';

/**
 * Creates and locks the folders of a run: `--data DIR` for everything, else `.bindery`; with `--ephemeral`
 * the data is in a temporary folder.
 *
 * @param undo  collects the steps for the end, in the right order
 * @throws Refusal when another launcher runs in the folder, or when `--ephemeral` would empty a folder with
 *   other files
 */
export async function prepareFolders(
  options: { data?: string; ephemeral: boolean },
  undo: AsyncDisposableStack,
): Promise<Folders> {
  const home = homeFolder(options.data);
  const isEmptied = options.ephemeral && options.data !== undefined;
  if (isEmptied) await refuseToEmpty(home);

  const unlock = await lockFolder(home);
  undo.defer(unlock);
  await awaitLeftovers(home);
  removeRunFile(home);
  if (!options.ephemeral) return { home, data: home };

  if (isEmptied) {
    await emptyFolder(home);
    await writeFile(join(home, ephemeralMark), 'Bindery empties this folder when it stops.\n');
    undo.defer(() => emptyFolder(home));
    return { home, data: home };
  }
  const data = await createTemporaryFolder('bindery-ephemeral-');
  undo.defer(() => removeFolder(data));
  return { home, data };
}

async function refuseToEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = await readdir(folder);
  // A lock alone belongs to a launcher that is starting, or that died early; its owner is checked next.
  if (names.every((name) => name.startsWith('lock')) || names.includes(ephemeralMark)) return;
  throw new Refusal(`${folder} is not empty, and --ephemeral with --data empties it at the end.`, [
    'Give an empty or a new folder, or leave out --ephemeral to keep the data.',
  ]);
}

/** Keeps the lock, which is removed last by its own undo step. */
async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name !== 'lock') await removeFolder(join(folder, name));
  }
}
