import { join } from 'node:path';

import type { ExportPlan, ExportTarget } from '@bindery/content/export';
import { findPushTarget, findRefIfAny, GitHttp, loginOf } from '@bindery/git-remote';
import { createOutbound } from '@bindery/outbound';

import { commitBytes } from '../git/objects/commitObject.ts';
import { isInHistory } from '../git/objects/commitHistory.ts';
import { readBranchHistory } from './branchHistory.ts';
import { movedPages, pathsOfPages } from './pagePaths.ts';
import type { PageDifference } from '../git/history/pageDifferences.ts';
import { commitTrees } from './commitTrees.ts';
import { pushCommit, treeChange } from './pushCommit.ts';
import { unrecordedPush } from './unrecordedPush.ts';
import { ObjectStore } from '../git/objects/objectStore.ts';
import { readBranch, type RemoteBranch } from './remoteBranch.ts';
import type {
  ExportContents,
  ExportOutcome,
  ExportPlans,
  ExportProgress,
  ExportRequest,
} from './repositoryExport.ts';
import { SpooledFiles } from './spooledFiles.ts';
import { writeTrees } from '../git/objects/treeWriter.ts';
import { writePack } from './writePack.ts';
import { writeTexts } from './writeTexts.ts';

type Talk = ExportProgress & ExportPlans;
type Request = ExportRequest & ExportContents;

/**
 * Writes the content of a space to a branch: the trees of the head, the differences, one commit, one push.
 * Nothing else in the repository changes.
 *
 * Writes nothing if the branch is not at the commit last in sync with the space, unless `force` is given. The
 * server compares again when it moves the branch.
 *
 * Runs in a process of its own (`repositoryChild.ts`), because much of what it reads is untrusted.
 *
 * @throws JobError not_fast_forward, push_declined, auth; the errors of reading
 */
export async function writeRepository(asked: ExportRequest, talk: Talk): Promise<ExportOutcome> {
  const { limits, workFolder, earlier } = asked;
  talk.onStage('repo_fetch');
  const http = new GitHttp(createOutbound(asked.outbound), { url: asked.url, login: loginOf(asked), limits });
  // Requested at once. A failure matters only if there turns out to be something to push.
  const offer = asked.dryRun ? undefined : findPushTarget(http, asked.ref);
  offer?.catch(() => {});
  const written = offer && (await writeTexts(asked, talk, { http, offer }));
  if (written) return written;
  talk.onStage('repo_fetch');
  const given = talk.contents();
  given.catch(() => {});
  const ref = await findRefIfAny(http, asked.ref);
  talk.onPoint('refs_read');

  const store = new ObjectStore(join(workFolder, 'objects'), limits.maxTotalBytes);
  if (earlier && ref.oid !== undefined && ref.oid !== earlier.parent) {
    const remote = { http, ref: { oid: ref.oid, capabilities: ref.capabilities }, store };
    if (ref.oid === earlier.commit || (await isInHistory(remote, earlier.commit)))
      return { kind: 'pushed-before', commit: earlier.commit };
  }
  const branch = await readBranch(ref, {
    http,
    store,
    limits,
    directory: asked.projectDirectory,
    onProgress: (done, total) => talk.onStage('repo_fetch', done, total),
  });
  const { head } = branch;
  talk.onPoint('trees_read');
  const contents = await given;
  const synced = await findCommonGround(branch, contents, talk);
  const request = { ...asked, content: contents.content, synced };

  talk.onStage('content_process');
  const spooled = new SpooledFiles(talk.files);
  const target = targetOf(branch, request);
  // A commit that did not touch the folder, of code or of another space, need not be imported first.
  const isFastForward =
    head?.oid === synced?.commit || (head?.folder !== undefined && head.folder === synced?.folder);
  // New files and redirects of the branch are nothing to write, but the space does not have them yet.
  const hasMore = !isFastForward && synced !== undefined && request.canMerge;
  const plan = await planFor(target, { request, talk, spooled, isInSync: isFastForward });
  const { changes, warnings, pages, files, reusableContents, rewritten } = plan;
  const remarks = { warnings: [...warnings], skipped: branch.skipped };
  const placed = { places: { pages, files, reusableContents }, rewritten };
  if (request.dryRun) {
    const { describeExport } = await import('@bindery/content/export');
    const needsForce = hasMore || (changes.length > 0 && !isFastForward);
    const described = describeExport(plan, {
      content: request.content,
      synced: synced?.content,
      target,
      needsForce,
    });
    return { kind: 'planned', head: head?.oid, changes: await described, ...remarks };
  }
  const unchanged = {
    kind: 'unchanged' as const,
    head: head?.oid,
    folder: head?.folder,
    ...placed,
    ...remarks,
  };
  const remote = ref.oid === undefined ? undefined : { http, ref: { ...ref, oid: ref.oid } };
  const asItIs = async (): Promise<ExportOutcome> => ({
    ...unchanged,
    history: await readBranchHistory(asked, remote, { objects: store }),
    trees: commitTrees(branch),
  });
  if (changes.length === 0 && !hasMore) return asItIs();
  if (!isFastForward && !request.force)
    return {
      kind: 'diverged',
      head: head?.oid,
      message: conflict(branch, request),
      hasAll: changes.length === 0,
    };
  const { capabilities } = await offer!;
  const trees = writeTrees({ store, treeOid: head?.treeOid }, changes.map(treeChange));
  if (trees.root === head?.treeOid) return asItIs();
  talk.onPoint('tree_built');

  talk.onStage('push');
  const parent = head?.oid;
  const bytes = commitBytes({ tree: trees.root, parent, ...request.commit });
  const known = new Set(Array.from(branch.files.values(), (file) => file.oid));
  const path = join(workFolder, 'pack');
  const pack = await writePack({ commit: bytes, trees, changes, known }, { path, limits, spooled });
  talk.onPoint('committed');
  return pushCommit(asked, talk, {
    http,
    bytes,
    parent,
    trees,
    pack,
    capabilities,
    plan,
    differences: differencesOf(plan, { branch, request }),
    branch: remote,
    objects: store,
    ...remarks,
    kept: commitTrees(branch, trees),
  });
}

/**
 * Returns the last state in sync between the space and the branch: as recorded, or the head itself if an
 * export of the space wrote it and ended before recording it.
 */
async function findCommonGround(
  { head, store }: RemoteBranch,
  { synced }: ExportContents,
  talk: Talk,
): Promise<ExportContents['synced']> {
  const push = head && head.oid !== synced?.commit ? unrecordedPush(store, head.oid) : undefined;
  const content = push && (await talk.unrecorded(push));
  return content ? { commit: push.commit, content } : synced;
}

function targetOf({ files, skipped, readBlobs }: RemoteBranch, { projectDirectory }: Request): ExportTarget {
  return { entries: files, occupied: skipped.map(({ path }) => path), projectDirectory, readBlobs };
}

function planFor(
  target: ExportTarget,
  {
    request,
    talk,
    spooled,
    isInSync,
  }: { request: Request; talk: Talk; spooled: SpooledFiles; isInSync: boolean },
): Promise<ExportPlan> {
  const { content, synced } = request;
  return talk.plan({
    content,
    synced: synced?.content,
    isInSync: synced && isInSync,
    target,
    sources: {
      documents: (hashes) => talk.documents([...hashes]),
      fileOids: async (blobs) =>
        new Map(Array.from(await spooled.find(blobs), ([blob, { oid }]) => [blob, oid])),
    },
  });
}

/** Explains, naming commits, why the branch cannot simply follow the space. */
function conflict({ head }: RemoteBranch, { synced }: Request): string {
  if (!head)
    return `The branch does not exist any more; the space was last in sync with its commit ${synced?.commit}.`;
  return synced
    ? `The branch is at commit ${head.oid}, and the space was last in sync with commit ${synced.commit}: the branch has commits that the space does not have.`
    : `The branch is at commit ${head.oid}, which has content that the space never had.`;
}

/** The work of the commit on the pages. A page that it moves goes on with its history. */
function differencesOf(
  { changes, pages }: ExportPlan,
  { branch, request }: { branch: RemoteBranch; request: Request },
): PageDifference[] {
  const paths = new Map(Array.from(pages, ([id, { path }]) => [id, path]));
  const moved = movedPages(pathsOfPages(request.content.pages), paths);
  const removed = new Set(changes.filter(({ kind }) => kind === 'remove').map(({ path }) => path));
  return changes.map((change): PageDifference => {
    const before = branch.files.get(change.path)?.oid;
    const after = treeChange(change).oid;
    const from = before === undefined ? moved.get(change.path) : undefined;
    return { path: change.path, before, after, from: from && removed.has(from) ? from : undefined };
  });
}
