import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from '../processes.ts';
import { removeLeftFolders } from '../workFolder.ts';
import { findRecordFolder } from './groupRecord.ts';
import { findIsolation } from './isolation.ts';
import { killGroup, parseEntry } from './listedGroup.ts';

/**
 * Ends the processes and removes the temporary folders that workers of this machine and user left which are gone; those of a worker that runs stay.
 * Every worker does so when it starts, before it takes a job.
 *
 * @param firstUid  as for `findIsolation`
 * @returns how many groups of processes were looked for; usually the worker's reaper has ended them long before
 */
export async function reapOrphans(firstUid?: number): Promise<number> {
  const reaped = await endLeftGroups(firstUid);
  await removeLeftFolders();
  return reaped;
}

async function endLeftGroups(firstUid?: number): Promise<number> {
  const folder = findRecordFolder();
  if (!folder) return 0;
  const isolation = findIsolation(firstUid);
  const setpriv = isolation.kind === 'own-user' ? isolation.setpriv : undefined;
  let reaped = 0;
  for (const name of await readdir(folder)) {
    const [, pid, startedAt] = /^(\d+)-(\d*)(?:\.new)?$/.exec(name) ?? [];
    if (pid === undefined || isRunning({ pid: Number(pid), ...(startedAt && { startedAt }) })) continue;
    const path = join(folder, name);
    const lines = await readFile(path, 'utf8').catch(() => '');
    for (const group of lines.split('\n').flatMap((line) => parseEntry(line) ?? [])) {
      killGroup(group, setpriv);
      reaped += 1;
    }
    await rm(path, { force: true });
  }
  return reaped;
}
