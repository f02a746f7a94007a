import { join } from 'node:path';
import { JobError } from '@bindery/contract/jobErrors';
import type { ExportPlan, FileChange } from '@bindery/content/export';
import type { findPushTarget, GitHttp } from '@bindery/git-remote';
import { commitBytes } from '../git/objects/commitObject.ts';
import { openVerifiedTrees, packTrees } from '../git/objects/keptTrees.ts';
import { listTree, type SkippedEntry } from '../git/objects/tree.ts';
import { writeTrees, type NewTrees } from '../git/objects/treeWriter.ts';
import { pushCommit, treeChange } from './pushCommit.ts';
import type {
  ExportOutcome,
  ExportPlans,
  ExportProgress,
  ExportRequest,
  TextEdits,
} from './repositoryExport.ts';
import { SpooledFiles } from './spooledFiles.ts';
import { writePack } from './writePack.ts';

type Talk = ExportProgress & Pick<ExportPlans, 'planTexts'>;

/**
 * Writes an export in which only texts of pages have changed since the last sync, if the branch has not moved
 * since then: the commit is made of the kept trees while the server names its branch, and nothing is fetched.
 *
 * @param server.offer  the server's answer to a push, which names the commit of the branch
 * @returns undefined if the branch has moved, or if the plan needs the whole content or the repository;
 *   nothing was written then
 */
export async function writeTexts(
  asked: ExportRequest,
  talk: Talk,
  { http, offer }: { http: GitHttp; offer: ReturnType<typeof findPushTarget> },
): Promise<ExportOutcome | undefined> {
  const prepared = await prepare(asked, talk);
  if (!prepared) return undefined;
  const { edits, plan, trees, skipped, bytes, pack } = prepared;
  // After a failure, the whole export finds out what the server answers to a reader.
  const target = await offer.catch(() => undefined);
  if (target?.oid !== edits.commit) return undefined;
  for (const point of ['refs_read', 'trees_read', 'tree_built', 'committed'] as const) talk.onPoint(point);
  talk.onStage('push');
  const { capabilities } = target;
  const before = new Map(edits.pages.map(({ git }) => [git.path, git.oid]));
  return pushCommit(asked, talk, {
    http,
    bytes,
    parent: edits.commit,
    trees,
    pack,
    capabilities,
    plan,
    differences: plan.changes.map((change) => ({
      path: change.path,
      before: before.get(change.path)!,
      after: treeChange(change).oid,
    })),
    branch: { http, ref: { oid: edits.commit, capabilities } },
    warnings: [],
    skipped,
    kept: { root: trees.root, kept: packTrees(trees.objects), isWhole: false },
  });
}

type Prepared = {
  edits: TextEdits;
  plan: ExportPlan;
  trees: NewTrees;
  skipped: SkippedEntry[];
  /** The commit object. */
  bytes: Buffer;
  pack: { path: string; sizeBytes: number };
};

async function prepare(asked: ExportRequest, talk: Talk): Promise<Prepared | undefined> {
  // A later run of a job, and a dry run, look at the branch itself.
  if (asked.earlier || asked.dryRun) return undefined;
  const edits = await talk.texts();
  if (!edits || !isHistoryKnown(asked, edits.commit)) return undefined;
  talk.onStage('content_process');
  const plan = await talk.planTexts(edits.pages, {
    documents: (hashes) => talk.documents([...hashes]),
  });
  if (!plan || plan.changes.length === 0) return undefined;
  const result = treesOf(edits, { asked, changes: plan.changes });
  if (!result || result.trees.root === edits.root) return undefined;
  const { trees, skipped } = result;
  const bytes = commitBytes({ tree: trees.root, parent: edits.commit, ...asked.commit });
  const pack = await writePack(
    { commit: bytes, trees, changes: plan.changes, known: new Set() },
    {
      path: join(asked.workFolder, 'pack-of-texts'),
      limits: asked.limits,
      spooled: new SpooledFiles(talk.files),
    },
  );
  return { edits, plan, trees, skipped, bytes, pack };
}

/** Whether the history of the pages goes on from the commit of the branch, so that nothing has to be read. */
function isHistoryKnown({ history }: ExportRequest, commit: string): boolean {
  return !history || (history.last?.commit === commit && !history.last.isUnsupported);
}

/** The trees of the commit, and the entries of the branch that an export leaves as they are. */
function treesOf(
  { root: treeOid, trees }: TextEdits,
  { asked, changes }: { asked: ExportRequest; changes: readonly FileChange[] },
): { trees: NewTrees; skipped: SkippedEntry[] } | undefined {
  const store = openVerifiedTrees(trees);
  const { projectDirectory: directory, limits } = asked;
  try {
    const { skipped } = listTree(store, { treeOid, directory, maxEntries: limits.maxEntries });
    return { trees: writeTrees({ store, treeOid }, changes.map(treeChange)), skipped };
  } catch (error) {
    // Kept trees are a cache: those of the branch itself decide.
    if (error instanceof JobError) return undefined;
    throw error;
  }
}
