import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from '../processes.ts';
import { removeLeftFolders } from '../workFolder.ts';
import { findRecordFolder } from './groupRecord.ts';
import { findIsolation } from './isolation.ts';
import { killUser } from './killUser.ts';
import { killGroup, parseEntry, type ListedGroup } from './listedGroup.ts';

/**
 * Ends leftover processes and removes leftover temporary folders of workers of this machine and user that
 * have ended; those of running workers stay. Every worker does so when it starts, before it takes a job.
 *
 * @param firstUid  as for `findIsolation`
 * @returns the number of process groups checked; usually the worker's reaper has ended them long before
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
  const records = await Promise.all((await readdir(folder)).map(async (name) => readRecord(folder, name)));
  const left = records.flatMap((record) => (record && !record.isOfRunning ? [record] : []));
  // A child's user is derived from its process number, which a child of a running worker may have by now.
  const usersOfRunning = new Set(
    records.flatMap((record) => (record?.isOfRunning ? record.groups.map(({ uid }) => uid) : [])),
  );
  for (const { groups, path } of left) {
    for (const group of groups) {
      killGroup(group);
      const { uid } = group;
      if (isolation.kind === 'own-user' && uid !== undefined && !usersOfRunning.has(uid))
        await killUser(uid, isolation);
    }
    await rm(path, { force: true });
  }
  return left.reduce((count, { groups }) => count + groups.length, 0);
}

type WorkerRecord = { path: string; groups: ListedGroup[]; isOfRunning: boolean };

/** @returns undefined for a file that is not a record */
async function readRecord(folder: string, name: string): Promise<WorkerRecord | undefined> {
  const [, pid, startedAt] = /^(\d+)-(\d*)(?:\.new)?$/.exec(name) ?? [];
  if (pid === undefined) return undefined;
  const path = join(folder, name);
  const lines = await readFile(path, 'utf8').catch(() => '');
  return {
    path,
    groups: lines.split('\n').flatMap((line) => parseEntry(line) ?? []),
    isOfRunning: isRunning({ pid: Number(pid), startedAt: startedAt || undefined }),
  };
}
