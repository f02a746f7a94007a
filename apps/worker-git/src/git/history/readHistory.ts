import { JobError } from '@bindery/contract/jobErrors';
import type { Person } from '../objects/identity.ts';
import { ObjectStore } from '../objects/objectStore.ts';
import type { TreeSource } from '../objects/tree.ts';
import { depthOf, lineOf, mergedCommits, type CommitLine, type FindCommit } from './commitLine.ts';
import { fetchCommits, type Branch } from './fetchCommits.ts';
import { readHistoryCommit, type HistoryCommit } from './historyCommit.ts';
import { historyLimits } from './historyLimits.ts';
import type { HistoryPoint } from './historyPoint.ts';
import { PageDifferences } from './pageDifferences.ts';
import { PageHistory, type CommitWork, type PageTouch } from './pageHistory.ts';
import { workOf } from './workOf.ts';

/** The changes that the commits of a branch made to its pages. */
export type HistoryReading = HistoryPoint & {
  /** Whether it goes on from the point last read. Otherwise it begins anew. */
  isContinued: boolean;
  /** Oid of the oldest commit that was read, if the branch has older ones that were left out. */
  cutAt?: string;
  people: Person[];
  touches: PageTouch[];
};

/** A commit that an export puts on top of the head; `folder` is the tree of the project directory in it. */
export type OwnCommit = CommitWork & { folder?: string | undefined };

export type HistoryRequest = {
  /** Absent if an export begins it. */
  branch: Branch | undefined;
  /** Folder of the space, without slashes at its ends; empty for the whole repository. */
  directory: string;
  last: HistoryPoint | undefined;
  /** Objects that are there already: of the head of the branch, and of the folder last read. */
  known: { objects?: ObjectStore; trees?: TreeSource };
  own?: OwnCommit | undefined;
  /** Creates the file for the fetched objects, which must not exist. */
  spoolPath: string;
  /** How large it may become. */
  spoolBytes: number;
};

/**
 * Reads what the commits of a branch did to its pages since the point last read, along the first parents:
 * commits and trees, no files. The commits that a merge brings tell who wrote what it changes.
 *
 * Fetches nothing when the head is the first commit, or the only one since the last reading whose objects are
 * known. Otherwise it asks for the commits, and then for the trees of those that matter.
 *
 * @returns undefined when the server does not support filters: it would send all files of all times
 * @throws JobError as a fetch does
 */
export async function readHistory(request: HistoryRequest): Promise<HistoryReading | undefined> {
  const { branch, last, known } = request;
  const stores = known.objects ? [known.objects] : [];
  const find = commitFinder(stores);
  const line = branch ? lineOf(find, { head: branch.ref.oid, last: last?.commit }) : noLine;
  if (isEnough(line, request)) {
    const reading = readingOf(line, { request, stores, find });
    if (reading.cutAt === undefined) return reading;
  }
  if (!branch?.ref.capabilities.has('filter')) return undefined;
  const store = new ObjectStore(request.spoolPath, request.spoolBytes);
  stores.push(store);
  return readingOf(await fetchLine({ branch, last, store, find }), { request, stores, find });
}

const noLine: CommitLine = { commits: [], hasLast: false, hasStart: true };

function readingOf(
  line: CommitLine,
  { request, stores, find }: { request: HistoryRequest; stores: readonly ObjectStore[]; find: FindCommit },
): HistoryReading {
  const { branch, last, known, directory, own } = request;
  const merged = mergedCommits(find, { commits: line.commits, last: last?.commit });
  const differences = new PageDifferences((oid) => treeIn([...stores, known.trees], oid), {
    maxBytes: historyLimits.comparedBytes,
    maxFiles: historyLimits.differences,
  });
  const work = workOf({ line, merged, last, find, differences, directory });
  const history = new PageHistory();
  for (const each of work.done.toReversed()) history.add(each);
  if (own) history.add(own);
  const { folder } = own ?? work;
  return {
    commit: own?.commit.oid ?? branch?.ref.oid ?? '',
    folder,
    isContinued: line.hasLast,
    cutAt: work.cutAt,
    people: history.people,
    touches: history.touches,
  };
}

/** Whether the commits of the line are known with the trees to compare. */
function isEnough({ commits, hasLast, hasStart }: CommitLine, { last, known }: HistoryRequest): boolean {
  if (hasStart) return true;
  if (!hasLast || !last || commits.some(({ parents }) => parents.length > 1)) return false;
  return commits.length === 0 || last.folder === undefined || known.trees?.find(last.folder) !== undefined;
}

/** The first look at a branch that was read before: most syncs bring few commits. */
const fewCommits = 64;

/** Fetches the commits since the last reading, or all of them, with the trees of those that matter. */
async function fetchLine({
  branch,
  last,
  store,
  find,
}: {
  branch: Branch;
  last: HistoryPoint | undefined;
  store: ObjectStore;
  find: FindCommit;
}): Promise<CommitLine> {
  const from = { head: branch.ref.oid, last: last?.commit };
  let line = lineOf(find, from);
  for (const depth of last ? [fewCommits, historyLimits.depth] : [historyLimits.depth]) {
    try {
      await fetchCommits(branch, store, { depth, filter: 'tree:0' });
    } catch (error) {
      if (!(error instanceof JobError) || error.code !== 'http_status') throw error;
      // The server knows no filter of trees.
      await fetchCommits(branch, store, { depth: historyLimits.depth, filter: 'blob:none' });
      return lineOf(find, from);
    }
    line = lineOf(find, from);
    if (line.hasLast || line.hasStart) break;
  }
  const merged = mergedCommits(find, { commits: line.commits, last: last?.commit });
  const wanted = new Set([...line.commits, ...[...merged.values()].flat()].map(({ oid }) => oid));
  const depth = Math.min(depthOf(find, from.head, wanted), historyLimits.depth);
  await fetchCommits(branch, store, { depth, filter: 'blob:none' });
  return line;
}

function commitFinder(stores: readonly ObjectStore[]): FindCommit {
  const found = new Map<string, HistoryCommit>();
  return (oid) => {
    const known = found.get(oid);
    if (known) return known;
    for (const store of stores) {
      const commit = readHistoryCommit(store, oid);
      if (!commit) continue;
      found.set(oid, commit);
      return commit;
    }
    return undefined;
  };
}

function treeIn(sources: readonly (TreeSource | undefined)[], oid: string): Buffer | undefined {
  for (const source of sources) {
    const object = source?.find(oid);
    if (object?.type === 'tree') return source!.read(object);
  }
  return undefined;
}
