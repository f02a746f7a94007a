import type { ExportPlan, FileChange } from '@bindery/content/export';
import type { GitHttp } from '@bindery/git-remote';
import { parseHistoryCommit } from '../git/history/historyCommit.ts';
import { isPageFile, type PageDifference } from '../git/history/pageDifferences.ts';
import { oidOf } from '../git/objects/gitObject.ts';
import type { NewTrees, TreeChange } from '../git/objects/treeWriter.ts';
import { push } from '../git/wire/receivePack.ts';
import { readBranchHistory } from './branchHistory.ts';
import type { CommitTrees, ExportOutcome, ExportProgress, ExportRequest } from './repositoryExport.ts';

/** The change of a path as a tree states it. */
export function treeChange(change: FileChange): TreeChange {
  return { path: change.path, oid: change.kind === 'remove' ? undefined : change.oid };
}

type Pushed = Extract<ExportOutcome, { kind: 'pushed' }>;

/** A commit that is written into a pack, and all that its outcome states. */
type CommitToPush = Pick<Pushed, 'warnings' | 'skipped'> & {
  http: GitHttp;
  /** The commit object. */
  bytes: Buffer;
  parent: string | undefined;
  trees: NewTrees;
  pack: { path: string; sizeBytes: number };
  /** The server's capabilities for pushes. */
  capabilities: ReadonlySet<string>;
  plan: ExportPlan;
  /** The work of the commit, for the history of the pages, which `branch` and `objects` are read for. */
  differences: PageDifference[];
  branch: Parameters<typeof readBranchHistory>[1];
  objects?: NonNullable<Parameters<typeof readBranchHistory>[2]>['objects'];
  kept: CommitTrees | undefined;
};

/** Has the worker record a commit, then moves the branch to it. @throws JobError as `push` does */
export async function pushCommit(
  asked: ExportRequest,
  talk: Pick<ExportProgress, 'onPoint' | 'ready'>,
  commit: CommitToPush,
): Promise<Pushed> {
  const { http, bytes, parent, trees, pack, capabilities, plan, branch, objects, kept } = commit;
  const oid = oidOf('commit', bytes);
  const folder = trees.folders.get(asked.projectDirectory && `${asked.projectDirectory}/`);
  const { pages, files, reusableContents, rewritten } = plan;
  await talk.ready({ commit: oid, parent, folder, places: { pages, files, reusableContents }, rewritten });
  await push(http, { ref: asked.ref, from: parent, to: oid, pack, capabilities });
  talk.onPoint('pushed');
  const differences = commit.differences
    .filter(({ path, before, after }) => isPageFile(path) && before !== after)
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return {
    kind: 'pushed',
    commit: oid,
    changes: plan.changes.map(({ kind, path }) => ({ kind, path })),
    warnings: commit.warnings,
    skipped: commit.skipped,
    history: await readBranchHistory(asked, branch, {
      objects,
      own: { commit: parseHistoryCommit(oid, bytes)!, differences, folder },
    }),
    trees: kept,
  };
}
