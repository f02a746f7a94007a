import type { z } from 'zod';
import { gitJobs } from '../definitions/git.ts';
import type { WaitingJob } from '../state/waitingJobs.ts';

type ImportInput = z.output<(typeof gitJobs)['importRepository']['input']>;

/**
 * The waiting git imports of a space that need not run, because a newer one reads the same folder of the same branch into the same space.
 *
 * Another import between the two does not matter, since the last one decides the content. An export does: it writes what the imports before it left.
 *
 * @param waiting  jobs of the space's lane that have not started, from the newest on
 */
export function replacedImports(newer: ImportInput, waiting: readonly WaitingJob[]): readonly WaitingJob[] {
  if (newer.standalone || newer.dryRun) return [];
  const exportAt = waiting.findIndex(({ kind }) => kind === gitJobs.exportRepository.kind);
  const inReach = exportAt < 0 ? waiting : waiting.slice(0, exportAt);
  return inReach.filter(({ kind, input }) => kind === gitJobs.importRepository.kind && doesAllOf(newer, input as ImportInput));
}

function doesAllOf(newer: ImportInput, older: ImportInput): boolean {
  if (older.standalone || older.dryRun) return false;
  if (newer.url !== older.url || newer.ref !== older.ref || newer.projectDirectory !== older.projectDirectory) return false;
  // It must not be refused or dropped where the older one would have been imported.
  return (newer.force || !older.force) && (newer.hasLogin || !older.hasLogin) && isInOrder(older.timestamp, newer.timestamp);
}

function isInOrder(older: string | undefined, newer: string | undefined): boolean {
  if (older === undefined || newer === undefined) return older === newer;
  return Date.parse(newer) >= Date.parse(older);
}
