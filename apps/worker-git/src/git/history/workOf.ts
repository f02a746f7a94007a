import type { Person } from '../objects/identity.ts';
import type { CommitLine, FindCommit } from './commitLine.ts';
import type { HistoryCommit } from './historyCommit.ts';
import { HistoryEnd, type PageDifference, type PageDifferences } from './pageDifferences.ts';
import type { CommitWork } from './pageHistory.ts';
import type { HistoryPoint } from './historyPoint.ts';

type Reading = {
  line: CommitLine;
  /** The commits that each merge brings. */
  merged: ReadonlyMap<HistoryCommit, readonly HistoryCommit[]>;
  last: HistoryPoint | undefined;
  find: FindCommit;
  differences: PageDifferences;
  directory: string;
};

/**
 * Compares each commit of a line with its first parent.
 *
 * @returns the work of each, the last one first; the tree of the project directory in the head; the oldest
 *   commit, if others before it are missing or beyond the limits
 */
export function workOf(reading: Reading): { done: CommitWork[]; folder?: string; cutAt?: string } {
  const { line, merged, last, find, differences, directory } = reading;
  const folders = new Map<string, string | undefined>(last && [[last.commit, last.folder]]);
  const folderIn = (oid: string): string | undefined => {
    if (folders.has(oid)) return folders.get(oid);
    const commit = find(oid);
    if (!commit) throw new HistoryEnd();
    const folder = differences.folderAt(commit.tree, directory);
    folders.set(oid, folder);
    return folder;
  };
  const path = directory && `${directory}/`;
  const changesOf = ({ oid, parents: [parent] }: HistoryCommit): PageDifference[] =>
    differences.between({
      before: parent === undefined ? undefined : folderIn(parent),
      after: folderIn(oid),
      path,
    });

  const done: CommitWork[] = [];
  let cutAt: string | undefined;
  for (const commit of line.commits) {
    const found = unlessEnded(() => changesOf(commit));
    if (!found) {
      cutAt = (done.at(-1)?.commit ?? commit).oid;
      break;
    }
    const others = found.length > 0 ? (merged.get(commit) ?? []) : [];
    done.push({
      commit,
      differences: found,
      merged: others.length > 0 ? writersOf(others, found, changesOf) : undefined,
    });
  }
  const head = line.commits[0];
  const folder = head ? unlessEnded(() => ({ oid: folderIn(head.oid) }))?.oid : last?.folder;
  return { done, folder, cutAt };
}

/** The authors of merged commits by the pages that the merge changes, the last ones first. */
function writersOf(
  commits: readonly HistoryCommit[],
  differences: readonly PageDifference[],
  changesOf: (commit: HistoryCommit) => PageDifference[],
): Map<string, Person[]> {
  const writers = new Map(differences.map(({ path }): [string, Person[]] => [path, []]));
  for (const commit of commits) {
    // A merge on a side branch wrote nothing itself: its changes belong to the commits that it merges.
    if (commit.parents.length > 1) continue;
    for (const { path } of unlessEnded(() => changesOf(commit)) ?? [])
      writers.get(path)?.push(...commit.authors);
  }
  return writers;
}

function unlessEnded<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof HistoryEnd) return undefined;
    throw error;
  }
}
