import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownIdentity } from '../processes.ts';
import { toEntry, type ListedGroup } from './listedGroup.ts';

/**
 * The folder in which each worker process notes the groups that it has to end: `<pid>-<start>`, one entry to a line. It is there for the next
 * worker, should a machine lose the worker and its reaper at once.
 *
 * @returns undefined where another user could write into it
 */
export function findRecordFolder(): string | undefined {
  const userId = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `bindery-processes-${userId}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { mode, uid } = lstatSync(folder);
    return (mode & 0o170777) === 0o040700 && (process.getuid === undefined || uid === userId) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Writes down what this process has to end; the file is there as long as there is something. */
export function writeRecord(groups: Iterable<ListedGroup>): void {
  const folder = findRecordFolder();
  if (!folder) return;
  const { pid, startedAt = '' } = ownIdentity();
  const path = join(folder, `${pid}-${startedAt}`);
  const lines = Array.from(groups, (group) => `${toEntry(group)}\n`);
  try {
    if (lines.length === 0) return rmSync(path, { force: true });
    // In one step: whoever reads it finds the old list or the new one.
    writeFileSync(`${path}.new`, lines.join(''), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch {
    // A full disk. The reaper knows them too.
  }
}
