import type { z } from 'zod';
import { gitJobs } from '../definitions/git.ts';
import type { WaitingJob } from '../state/waitingJobs.ts';

type ImportInput = z.output<(typeof gitJobs)['importRepository']['input']>;

/**
 * Selects the waiting git imports of a space that a newer import makes redundant: it reads the same folder of
 * the same branch into the same space.
 *
 * Other imports between the two do not matter, since the last one decides the content. An export does matter:
 * it writes the content that earlier imports left.
 *
 * @param waiting  jobs of the space's lane that have not started, newest first
 */
export function replacedImports(newer: ImportInput, waiting: readonly WaitingJob[]): readonly WaitingJob[] {
  if (newer.standalone || newer.dryRun) return [];
  const exportAt = waiting.findIndex(({ kind }) => kind === gitJobs.exportRepository.kind);
  const inReach = exportAt < 0 ? waiting : waiting.slice(0, exportAt);
  return inReach.filter(
    ({ kind, input }) => kind === gitJobs.importRepository.kind && doesAllOf(newer, input as ImportInput),
  );
}

function doesAllOf(newer: ImportInput, older: ImportInput): boolean {
  if (older.standalone || older.dryRun) return false;
  if (newer.url !== older.url || newer.ref !== older.ref || newer.projectDirectory !== older.projectDirectory)
    return false;
  // The newer import must not be refused or dropped where the older one would have run.
  return (
    (newer.force || !older.force) &&
    (newer.hasLogin || !older.hasLogin) &&
    // The older import would settle the conflicts for another side, and leave none to the newer one.
    (newer.force || newer.onConflict === older.onConflict) &&
    isInOrder(older.timestamp, newer.timestamp)
  );
}

function isInOrder(older: string | undefined, newer: string | undefined): boolean {
  if (older === undefined || newer === undefined) return older === newer;
  return Date.parse(newer) >= Date.parse(older);
}
