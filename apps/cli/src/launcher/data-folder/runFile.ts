import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Tells other programs how to find a running Bindery. `apiUrl` has no `/v1`; `pids` has all started
 * processes.
 */
export type RunFile = {
  apiUrl: string;
  adminUrl: string;
  /** Absent when the console does not run. */
  consoleUrl?: string | undefined;
  token: string;
  mongodbUri: string;
  redisUrl: string;
  pids: Record<string, number | number[]>;
};

function runFilePath(folder: string): string {
  return join(folder, 'run.json');
}

/**
 * Writes to a temporary file and renames it, so that a reader sees the whole file or none. Synchronous, so
 * that two simultaneous restarts cannot mix their writes.
 */
export function writeRunFile(folder: string, content: RunFile): void {
  const path = runFilePath(folder);
  writeFileSync(`${path}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function removeRunFile(folder: string): void {
  rmSync(runFilePath(folder), { force: true });
  rmSync(`${runFilePath(folder)}.new`, { force: true });
}

export function readRunFile(folder: string): RunFile | undefined {
  try {
    return JSON.parse(readFileSync(runFilePath(folder), 'utf8')) as RunFile;
  } catch {
    return undefined;
  }
}
