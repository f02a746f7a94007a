import { join } from 'node:path';
import { findRevision, loadDocuments } from '@bindery/content';
import { User, type RevisionRecord, type UserRecord } from '@bindery/models';
import { createWorkFolder, faultPoint, removeWorkFolder } from '@bindery/runtime';
import {
  lentSpool,
  type ExportAsks,
  type ExportContents,
  type ExportOutcome,
} from '../../child/repositoryExport.ts';
import { jobTrailer } from '../../child/unrecordedPush.ts';
import type { Exporting } from './exporting.ts';
import { contentOfPush, findUnrecordedPush, type PushCheckpoint } from './pushCheckpoint.ts';
import { loadTextEdits } from './loadTextEdits.ts';
import { findPushedMerge, type PushedMerge } from './pushedMerge.ts';
import { remoteRequest } from '../remoteRequest.ts';
import { spoolFiles } from './spoolFiles.ts';
import { commonState } from '../syncing.ts';
import {
  loadContent,
  loadContents,
  placeContent,
  storeLocations,
  type PlacedContent,
} from '../syncedContent.ts';

/**
 * Writes the differences to the branch, in a process of its own. The commit is recorded before its push.
 *
 * @returns the outcome, and the data of the commit: of this run's, or of the one recorded by an earlier run;
 *   `pushedMerge` if the head of the branch is the merge of an export that ended before recording it
 */
export async function writeBranch(
  exporting: Exporting,
): Promise<{ outcome: ExportOutcome; noted: Noted | undefined; pushedMerge: PushedMerge | undefined }> {
  const { run, exported, merge, resumption } = exporting;
  const content = merge?.merged ?? exported;
  let noted: Noted | undefined = resumption.state === 'resumed' ? resumption.checkpoint : undefined;
  const onReady: ExportAsks['ready'] = async (ready) => {
    const checkpoint = checkpointOf(
      exporting,
      ready,
      await placeContent(content, await storeLocations(content.organization, ready)),
    );
    noted = checkpoint;
    await run.checkpoint(checkpoint);
    run.log('info', `Pushing commit ${ready.commit}.`);
    await faultPoint('git_export.noted');
  };
  const workFolder = await createWorkFolder('git');
  const { outcome, pushedMerge } = await writeRepository(exporting, { workFolder, onReady }).catch(
    async (error: unknown) => {
      await removeWorkFolder(workFolder);
      throw error;
    },
  );
  if ('warnings' in outcome) {
    for (const { level, message, path } of outcome.warnings) run.log(level, message, path);
    for (const { path, message } of outcome.skipped) run.log('warning', `Left as it is. ${message}`, path);
  }
  return { outcome, noted, pushedMerge };
}

/**
 * The data of a new commit: the exported content with its places in the commit, and the tree of the project
 * directory.
 */
export type Noted = Pick<PushCheckpoint, 'placed' | 'folder'>;

function checkpointOf(
  { space, exported, merge, point }: Exporting,
  { commit, parent, folder }: { commit: string; parent?: string; folder?: string },
  placed: PlacedContent,
): PushCheckpoint {
  return {
    exported: exported._id,
    placed,
    organization: exported.organization,
    commit,
    parent,
    folder,
    since: point?.commit,
    syncedWith: space.syncedWith,
    merge,
  };
}

async function writeRepository(
  exporting: Exporting,
  { workFolder, onReady }: { workFolder: string; onReady: ExportAsks['ready'] },
): Promise<{ outcome: ExportOutcome; pushedMerge: PushedMerge | undefined }> {
  const { reader, blobs, input, run, space, resumption } = exporting;
  const earlier = resumption.state === 'fresh' ? undefined : resumption.checkpoint;
  const { organization } = space;
  const [remote, author] = await Promise.all([
    remoteRequest({ ...exporting, workFolder }),
    authorOf(run.job.startedBy),
  ]);
  const spool = join(workFolder, lentSpool);
  let pushedMerge: PushedMerge | undefined;
  const loadSynced = syncedRevision(exporting);
  const outcome = await reader.write(
    {
      ...remote,
      canMerge: commonState(exporting) !== undefined,
      force: input.force,
      dryRun: input.dryRun,
      history: exporting.known.asked,
      commit: {
        message: `${input.commitMessage}\n\n${jobTrailer(run.job._id)}\n`,
        author,
        at: Math.floor(run.job.createdAt.getTime() / 1_000),
      },
      earlier: earlier && { commit: earlier.commit, parent: earlier.parent },
    },
    {
      signal: run.signal,
      onStage: (stage, done, total) => run.progress(stage, done, total),
      onPoint: (at) => faultPoint(`git_export.${at}`),
      texts: async () => loadTextEdits(exporting, loadSynced),
      contents: async () => loadBoth(exporting, loadSynced),
      documents: (hashes) => loadDocuments(organization, hashes),
      files: async (hashes) => ({
        spool,
        files: await spoolFiles(hashes, { path: spool, organization, blobs, signal: run.signal }),
      }),
      unrecorded: async (found) => {
        const push = await findUnrecordedPush(found, exporting);
        if (!push) pushedMerge = await findPushedMerge(found, exporting);
        const revision = push && (await contentOfPush(space, push));
        return revision && loadContent(revision);
      },
      ready: onReady,
    },
  );
  return { outcome, pushedMerge };
}

/** Loads the revision last in sync between space and branch, once for all that ask. */
function syncedRevision({ space, point }: Exporting): () => Promise<RevisionRecord | undefined> {
  let loading: Promise<RevisionRecord | undefined> | undefined;
  return async () => (loading ??= point && findRevision(space._id, point.revision));
}

/**
 * Loads the content to export, and the last state in sync between space and branch, with the places of all
 * items in it: the head of the branch, if its content is merged.
 */
async function loadBoth(
  { exported, point, merge }: Exporting,
  loadSynced: () => Promise<RevisionRecord | undefined>,
): Promise<ExportContents> {
  const { organization } = exported;
  const last = merge
    ? { commit: merge.commit, folder: merge.folder, revision: merge.branch }
    : point && { ...point, revision: await loadSynced() };
  const now = merge?.merged ?? exported;
  if (!last?.revision) return { content: await loadContent(now) };
  const [content, synced] = await loadContents(organization, [now, last.revision]);
  return { content: content!, synced: { commit: last.commit, folder: last.folder, content: synced! } };
}

/** The acting user, in the form of a git author. */
async function authorOf(id: string): Promise<{ name: string; email: string }> {
  const user = await User.findById(id).lean<UserRecord>();
  return { name: user?.displayName ?? 'Unknown', email: user?.email ?? `${id}@users.invalid` };
}
