import { join } from 'node:path';
import { JobError } from '@bindery/contract/jobErrors';
import type { GitLimits } from '../git/gitLimits.ts';
import { historyLimits } from '../git/history/historyLimits.ts';
import type { Branch } from '../git/history/fetchCommits.ts';
import { readHistory, type HistoryReading, type OwnCommit } from '../git/history/readHistory.ts';
import type { HistoryPoint } from '../git/history/historyPoint.ts';
import { openKeptTrees } from '../git/objects/keptTrees.ts';
import type { ObjectStore } from '../git/objects/objectStore.ts';

/**
 * Asks for the history of the pages. `last` is the commit up to which it is known, or at which the server did
 * not support it, if any.
 */
export type HistoryAsked = { last?: HistoryPoint & { isUnsupported?: boolean } };

/**
 * The history of the pages up to a commit. `unsupported` if the server would send all files of all times with
 * it, `failed` if it could not be read now.
 */
export type BranchHistory =
  | ({ kind: 'read' } & HistoryReading)
  | { kind: 'unsupported'; commit: string }
  | { kind: 'failed'; message: string };

/**
 * Reads the history of the pages, if it is asked for and not known up to the commit of the branch. An
 * error in the history fails no import and no export.
 *
 * @param known.objects  the commit of the branch and its trees
 * @param known.last     the reading last made, with the trees of its folder
 * @param known.own      a commit that an export has put on top of it
 */
export async function readBranchHistory(
  asked: {
    history?: HistoryAsked | undefined;
    projectDirectory: string;
    workFolder: string;
    limits: GitLimits;
  },
  branch: Branch | undefined,
  known: {
    objects?: ObjectStore;
    last?: { trees: Uint8Array } | undefined;
    own?: OwnCommit | undefined;
  } = {},
): Promise<BranchHistory | undefined> {
  const { history, projectDirectory, workFolder } = asked;
  const { objects, last: trees, own } = known;
  const commit = own?.commit.oid ?? branch?.ref.oid;
  if (!history || commit === undefined || history.last?.commit === commit) return undefined;
  try {
    const reading = await readHistory({
      branch,
      directory: projectDirectory,
      last: history.last?.isUnsupported ? undefined : history.last,
      known: { objects, trees: trees && openKeptTrees(trees.trees) },
      own,
      spoolPath: join(workFolder, 'history'),
      // Together with the objects of the commit, within the limit of a job.
      spoolBytes: Math.min(historyLimits.storedBytes, objects?.leftBytes ?? asked.limits.maxTotalBytes),
    });
    return reading ? { kind: 'read', ...reading } : { kind: 'unsupported', commit };
  } catch (error) {
    // Of any kind: an export may have pushed its commit already.
    return {
      kind: 'failed',
      message: error instanceof JobError ? error.message : 'An unexpected error occurred.',
    };
  }
}
