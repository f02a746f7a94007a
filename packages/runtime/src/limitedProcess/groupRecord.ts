import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownIdentity } from '../processes.ts';
import { toEntry, type ListedGroup } from './listedGroup.ts';

/**
 * Finds the folder in which each worker process records the process groups it must end, in a file
 * `<pid>-<start>` with one entry per line. The next worker uses it if the worker and its reaper die at the
 * same time.
 *
 * @returns undefined if another user could write into the folder
 */
export function findRecordFolder(): string | undefined {
  const userId = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `bindery-processes-${userId}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { mode, uid } = lstatSync(folder);
    return (mode & 0o170777) === 0o040700 && (process.getuid === undefined || uid === userId)
      ? folder
      : undefined;
  } catch {
    return undefined;
  }
}

/** Records the groups that this process must end; without any, the file is removed. */
export function writeRecord(groups: Iterable<ListedGroup>): void {
  const folder = findRecordFolder();
  if (!folder) return;
  const { pid, startedAt = '' } = ownIdentity();
  const path = join(folder, `${pid}-${startedAt}`);
  const lines = Array.from(groups, (group) => `${toEntry(group)}\n`);
  try {
    if (lines.length === 0) return rmSync(path, { force: true });
    // Atomic: a reader finds the old list or the new one.
    writeFileSync(`${path}.new`, lines.join(''), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch {
    // The disk is full; the reaper has the list too.
  }
}
