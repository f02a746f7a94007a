import type { HistoryCommit } from './historyCommit.ts';

export type FindCommit = (oid: string) => HistoryCommit | undefined;

/**
 * The first-parent line of a branch, its head first, up to the commit last read (which it does not have), its
 * first commit, or the last one that is there. `hasLast` tells whether it leads to the commit last read,
 * `hasStart` whether to the first commit.
 */
export type CommitLine = { commits: HistoryCommit[]; hasLast: boolean; hasStart: boolean };

export function lineOf(
  find: FindCommit,
  { head, last }: { head: string; last: string | undefined },
): CommitLine {
  const commits: HistoryCommit[] = [];
  const seen = new Set<string>();
  for (let oid: string | undefined = head; oid !== undefined && !seen.has(oid);) {
    if (oid === last) return { commits, hasLast: true, hasStart: false };
    const commit = find(oid);
    if (!commit) return { commits, hasLast: false, hasStart: false };
    seen.add(oid);
    commits.push(commit);
    oid = commit.parents[0];
  }
  return { commits, hasLast: false, hasStart: true };
}

/**
 * The commits that each merge of a line brings: those of its other parents that are not in the branch before
 * it. The last ones first.
 */
export function mergedCommits(
  find: FindCommit,
  { commits, last }: { commits: readonly HistoryCommit[]; last: string | undefined },
): Map<HistoryCommit, HistoryCommit[]> {
  const before = last === undefined ? [] : reachable(find, [last], new Set());
  const seen = new Set([...before, ...commits].map(({ oid }) => oid));
  const merged = new Map<HistoryCommit, HistoryCommit[]>();
  for (const merge of commits.toReversed()) {
    const found = reachable(find, merge.parents.slice(1), seen);
    for (const { oid } of found) seen.add(oid);
    if (found.length > 0)
      merged.set(
        merge,
        found.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0)),
      );
  }
  return merged;
}

function reachable(find: FindCommit, from: readonly string[], seen: ReadonlySet<string>): HistoryCommit[] {
  const found = new Map<string, HistoryCommit>();
  const pending = from.toReversed();
  for (let oid = pending.pop(); oid !== undefined; oid = pending.pop()) {
    if (seen.has(oid) || found.has(oid)) continue;
    const commit = find(oid);
    if (!commit) continue;
    found.set(oid, commit);
    pending.push(...commit.parents.toReversed());
  }
  return [...found.values()];
}

/** How many commits deep a branch has to be fetched for these commits and their parents. */
export function depthOf(find: FindCommit, head: string, wanted: ReadonlySet<string>): number {
  const seen = new Set([head]);
  let left = wanted.size;
  let level = [head];
  for (let depth = 1; level.length > 0; depth += 1) {
    left -= level.filter((oid) => wanted.has(oid)).length;
    if (left <= 0) return depth + 1;
    level = level.flatMap((oid) => find(oid)?.parents ?? []).filter((oid) => !seen.has(oid) && seen.add(oid));
  }
  return seen.size + 1;
}
