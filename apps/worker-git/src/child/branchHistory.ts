import { join } from 'node:path';

import { JobError } from '@bindery/contract/jobErrors';

import type { Branch } from '../git/history/fetchCommits.ts';
import { readHistory, type HistoryPoint, type HistoryReading } from '../git/history/readHistory.ts';
import { openKeptTrees } from '../git/objects/keptTrees.ts';
import type { ObjectStore } from '../git/objects/objectStore.ts';
import type { LastReading } from './repositoryReading.ts';

/** Asks for the history of the pages. `last` is the point up to which it is known, if any. */
export type HistoryAsked = { last?: HistoryPoint };

/**
 * The history of the pages up to a commit. `unsupported` if the server would send all files of all times with
 * it, `failed` if it could not be read now.
 */
export type BranchHistory =
  | ({ kind: 'read' } & HistoryReading)
  | { kind: 'unsupported'; commit: string }
  | { kind: 'failed'; message: string };

/**
 * Reads the history of the pages, if it is asked for and not known up to the commit of the branch. What goes
 * wrong with it fails no import and no export.
 *
 * @param known.objects  the commit of the branch and its trees
 * @param known.last     the reading last made, with the trees of its folder
 */
export async function readBranchHistory(
  asked: { history?: HistoryAsked | undefined; projectDirectory: string; workFolder: string },
  branch: Branch,
  known: { objects?: ObjectStore; last?: LastReading | undefined } = {},
): Promise<BranchHistory | undefined> {
  const { history, projectDirectory, workFolder } = asked;
  const commit = branch.ref.oid;
  if (!history || history.last?.commit === commit) return undefined;
  try {
    const reading = await readHistory({
      branch,
      directory: projectDirectory,
      last: history.last,
      known: {
        ...(known.objects && { objects: known.objects }),
        ...(known.last && { trees: openKeptTrees(known.last.trees) }),
      },
      spoolPath: join(workFolder, 'history'),
    });
    return reading ? { kind: 'read', ...reading } : { kind: 'unsupported', commit };
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    return { kind: 'failed', message: error.message };
  }
}
