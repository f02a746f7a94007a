import { resolve } from 'node:path';
import type { Manifest } from '../../backup/manifest.ts';
import { abortOn } from '../../launcher/stopSignal.ts';
import type { Usage } from '../../options.ts';
import { Refusal } from '../../refusal.ts';

/** Returns the folder of the backup. @throws Refusal unless exactly one is named */
export function folderOf(operands: readonly string[], { command }: Usage): string {
  const [folder] = operands;
  if (!folder || operands.length > 1)
    throw new Refusal(`\`bindery ${command}\` needs the name of one folder.`, [
      `See \`bindery ${command} --help\`.`,
    ]);
  return resolve(folder);
}

/** Describes a backup in a line: size, time and version. */
export function describe({ takenAt, parts, bindery }: Manifest): string {
  const sum = (of: 'records' | 'sizeBytes') => parts.reduce((total, part) => total + part[of], 0);
  const megabytes = (sum('sizeBytes') / 1_000_000).toFixed(1);
  return `${sum('records')} records, ${megabytes} MB, the state at ${takenAt}, Bindery ${bindery}`;
}

/** Progress goes to standard error: standard output has the result. */
export function tell(line: string): void {
  console.error(line);
}

/**
 * Aborts on SIGINT, SIGTERM and SIGHUP; a second signal ends the process at once. Unlike the launcher, a
 * backup goes on when the shell that started it has ended.
 */
export function listenForStop(): AbortSignal {
  return abortOn(['SIGINT', 'SIGTERM', 'SIGHUP']);
}
