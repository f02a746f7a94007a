import { removeLeftFolders } from '@bindery/runtime';

/** Removes what workers on this machine left that were killed. */
export async function removeLeftovers(): Promise<void> {
  await removeLeftFolders('git');
  await removeLeftFolders('import');
}
