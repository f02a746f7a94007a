import { join } from 'node:path';
import { findRevision, loadRevision, insertRevision, loadDocuments, newRevision } from '@bindery/content';
import type { gitJobs, Outcome, Processor, Run } from '@bindery/jobs';
import {
  Revision,
  User,
  type ClientSession,
  type GitSyncPointRecord,
  type RevisionGitRecord,
  type RevisionRecord,
  type SpaceRecord,
  type UserRecord,
} from '@bindery/models';
import { createWorkFolder, faultPoint, removeWorkFolder, type Config } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import { findSpace } from './findSpace.ts';
import { publishSync, refuseStale } from './publishSync.ts';
import { contentOfPush, findUnrecordedPush, isOvertaken, type PushCheckpoint } from './pushCheckpoint.ts';
import { remoteRequest } from './remoteRequest.ts';
import { jobTrailer } from '../child/unrecordedPush.ts';
import { lentSpool, type ExportAsks, type ExportOutcome, type ExportRequest } from '../child/repositoryExport.ts';
import type { RepositoryReader } from '../child/repositoryReader.ts';
import { revisionGit } from './revisionGit.ts';
import { spoolFiles } from './spoolFiles.ts';
import { loadSyncPoint, syncPointId } from './syncPoint.ts';
import { loadContent, placeContent, locationsFor, storeLocations, type PlacedContent } from './syncedContent.ts';

type Export = Processor<typeof gitJobs.exportRepository>;
type Input = Parameters<Export>[0];
type Result = Extract<Awaited<ReturnType<Export>>, { result: unknown }>['result'];
type Parts = { config: Config; reader: RepositoryReader; blobs: BlobStore };

/**
 * Writes the content of a space to a branch, as one commit of what differs.
 *
 * A process of its own talks to the repository. The commit follows from the job alone (content, message, author, time of acceptance), so that a
 * second run makes the same one, and what is about to be pushed is noted before: however a run ends, the branch gets the commit once.
 */
export function createExportRepository(parts: Parts): Export {
  return async (input, run) => {
    const space = await findSpace(input.spaceId);
    refuseStale(input, space);
    const pointId = syncPointId(parts.config, space, input);
    const point = await loadSyncPoint(pointId);
    const earlier = run.job.checkpoint as PushCheckpoint | undefined;
    const checkpoint = earlier && !isOvertaken(earlier, { space, point }) ? earlier : undefined;
    const exported = await loadRevision(space._id, checkpoint?.exported ?? space.revision);
    const workFolder = await createWorkFolder('git');
    try {
      return await exportFrom({ ...parts, input, run, space, exported, earlier, checkpoint, pointId, point, workFolder });
    } finally {
      await removeWorkFolder(workFolder);
    }
  };
}

type Exporting = Parts & {
  input: Input;
  run: Run;
  space: SpaceRecord;
  /** The revision that is written. */
  exported: RevisionRecord;
  /** What an earlier run was about to push. */
  earlier: PushCheckpoint | undefined;
  /** The same, as long as nothing was brought in sync since: what has to be ended as that run would have. */
  checkpoint: PushCheckpoint | undefined;
  pointId: string;
  point: GitSyncPointRecord | undefined;
  workFolder: string;
};

async function exportFrom(exporting: Exporting): Promise<Outcome<Result>> {
  const { run, exported, checkpoint } = exporting;
  let noted: Noted | undefined = checkpoint;
  const outcome = await writeRepository(exporting, async (ready) => {
    noted = checkpointOf(exporting, ready, await placeContent(exported, await storeLocations(exported.organization, ready)));
    await run.checkpoint(noted);
    run.log('info', `Pushing commit ${ready.commit}.`);
    await faultPoint('git_export.noted');
  });
  if (outcome.kind !== 'pushed-before') {
    for (const { level, message, path } of outcome.warnings) run.log(level, message, path);
    for (const { path, message } of outcome.skipped) run.log('warning', `Left as it is. ${message}`, path);
  }
  run.progress('finalize');
  if (outcome.kind === 'planned') return planned(exporting, outcome);
  if (outcome.kind === 'unchanged') return unchanged(exporting, outcome);
  run.log('info', `The branch has commit ${outcome.commit}.`);
  if (outcome.kind === 'pushed-before' && !checkpoint) return settledBefore(exporting, outcome);
  if (!noted) throw new Error('A commit was pushed before it was noted.');
  return pushed(exporting, outcome, noted);
}

/** What is known of a commit once it is made: the exported content with its places in it, and the tree of the project directory. */
type Noted = Pick<PushCheckpoint, 'placed' | 'folder'>;

function checkpointOf(
  { space, exported, point }: Exporting,
  { commit, parent, folder }: { commit: string; parent?: string; folder?: string },
  placed: PlacedContent,
): PushCheckpoint {
  return {
    exported: exported._id,
    placed,
    organization: exported.organization,
    commit,
    ...(parent !== undefined && { parent }),
    ...(folder !== undefined && { folder }),
    ...(point && { since: point.commit }),
    ...(space.syncedWith !== undefined && { syncedWith: space.syncedWith }),
  };
}

async function writeRepository(exporting: Exporting, onReady: ExportAsks['ready']): Promise<ExportOutcome> {
  const { reader, blobs, input, run, space, exported, earlier, workFolder } = exporting;
  const { organization } = space;
  const [remote, content, synced, author] = await Promise.all([
    remoteRequest(exporting),
    loadContent(exported),
    loadSynced(exporting),
    authorOf(run.job.startedBy),
  ]);
  const spool = join(workFolder, lentSpool);
  return reader.write(
    {
      ...remote,
      content,
      ...(synced && { synced }),
      force: input.force,
      dryRun: input.dryRun,
      commit: {
        message: `${input.commitMessage}\n\n${jobTrailer(run.job._id)}\n`,
        author,
        at: Math.floor(run.job.createdAt.getTime() / 1_000),
      },
      ...(earlier && { earlier: { commit: earlier.commit, ...(earlier.parent !== undefined && { parent: earlier.parent }) } }),
    },
    {
      signal: run.signal,
      onStage: (stage, done, total) => run.progress(stage, done, total),
      onPoint: (at) => faultPoint(`git_export.${at}`),
      documents: (hashes) => loadDocuments(organization, hashes),
      files: async (hashes) => ({ spool, files: await spoolFiles(hashes, { path: spool, organization, blobs, signal: run.signal }) }),
      unrecorded: async (found) => {
        const push = await findUnrecordedPush(found, exporting);
        const revision = push && (await contentOfPush(space, push));
        return revision && loadContent(revision);
      },
      ready: onReady,
    },
  );
}

/** What space and branch had in common last, with the places that everything had in it. */
async function loadSynced({ space, point }: Exporting): Promise<ExportRequest['synced']> {
  const revision = point && (await findRevision(space._id, point.revision));
  if (!revision) return undefined;
  return { commit: point.commit, ...(point.folder && { folder: point.folder }), content: await loadContent(revision) };
}

/** The acting user, as git names authors. */
async function authorOf(id: string): Promise<{ name: string; email: string }> {
  const user = await User.findById(id).lean<UserRecord>();
  return { name: user?.displayName ?? 'Unknown', email: user?.email ?? `${id}@users.invalid` };
}

/** The branch holds the content already. That may be news, when it was written there by somebody else. */
async function unchanged(exporting: Exporting, outcome: Extract<ExportOutcome, { kind: 'unchanged' }>): Promise<Outcome<Result>> {
  const { input, run, space, exported, pointId, point } = exporting;
  const { head } = outcome;
  run.log('info', 'The branch holds the content of the space already: there is nothing to commit.');
  const result = { revision: space.revision, exported: exported._id, unchanged: true, standalone: input.standalone };
  if (head === undefined || input.standalone) return { result: { ...result, ...(head !== undefined && { commit: head }) } };
  const isKnown = point?.commit === head && point.revision === exported._id && space.syncedWith === pointId;
  const place = async () => placeContent(exported, await storeLocations(exported.organization, outcome));
  const { folder } = outcome;
  const sync = isKnown ? undefined : await prepareSync(exporting, { commit: head, placed: await place(), ...(folder && { folder }) });
  return {
    result: { ...result, commit: head, ...(sync?.shown && { revision: sync.shown._id }) },
    publish: (session) => publish(session, exporting, sync),
  };
}

/** A dry run tells what would be written. There is nothing to publish. */
function planned({ input, space, exported }: Exporting, { head, changes }: Extract<ExportOutcome, { kind: 'planned' }>): Outcome<Result> {
  const unchanged = Object.values(changes.totals.files).every((count) => count === 0);
  const revisions = { revision: space.revision, exported: exported._id };
  const commit = head === undefined ? {} : { commit: head };
  return { result: { ...revisions, ...commit, unchanged, standalone: input.standalone, dryRun: true, changes } };
}

async function pushed(
  exporting: Exporting,
  outcome: Extract<ExportOutcome, { kind: 'pushed' | 'pushed-before' }>,
  { placed, folder }: Noted,
): Promise<Outcome<Result>> {
  const { input, run, space, exported } = exporting;
  const { commit } = outcome;
  const files = outcome.kind === 'pushed' ? countFiles(outcome.changes) : undefined;
  if (files) run.stats({ filesWritten: files.written, filesRemoved: files.removed });
  const result = { exported: exported._id, commit, unchanged: false, standalone: input.standalone, ...(files && { files }) };
  if (input.standalone) return { result: { ...result, revision: space.revision } };
  const sync = await prepareSync(exporting, { commit, placed, ...(folder && { folder }) });
  return {
    result: { ...result, revision: sync.shown?._id ?? sync.current },
    publish: (session) => publish(session, exporting, sync),
  };
}

/** The job was retried after its push, and what came after that has brought space and branch in sync long ago. */
function settledBefore({ input, space, earlier }: Exporting, { commit }: { commit: string }): Outcome<Result> {
  const exported = earlier?.exported ?? space.revision;
  return { result: { revision: space.revision, exported, commit, unchanged: true, standalone: input.standalone } };
}

function countFiles(changes: readonly { kind: string }[]): { written: number; removed: number } {
  const removed = changes.filter(({ kind }) => kind === 'remove').length;
  return { written: changes.length - removed, removed };
}

/** What the last write of an export brings. */
type Sync = {
  commit: string;
  folder?: string;
  git: RevisionGitRecord;
  /** The exported content with its places in the commit. */
  synced: RevisionRecord;
  /** What the space showed when this was prepared. */
  current: string;
  /** What it shows from then on, when it is something new. */
  shown?: RevisionRecord;
};

/**
 * Makes the revision that is in sync with the branch. Where the space was changed while its content was written, what it shows now gets the
 * places too: a later import finds its pages again by them.
 */
async function prepareSync(exporting: Exporting, { placed, ...place }: Noted & { commit: string }): Promise<Sync> {
  const { commit } = place;
  const { input, run, space, exported } = exporting;
  const git = revisionGit(input, { oid: commit, message: input.commitMessage, createdByDocs: true });
  const synced = changed(exported, placed, run.job.startedBy, git);
  const now = await findSpace(space._id);
  if (now.revision === exported._id) return { ...place, git, synced, current: exported._id, shown: synced };
  const current = await loadRevision(space._id, now.revision);
  // What has come from git since then says better where it stands.
  if (current.git) return { ...place, git, synced, current: current._id };
  const locations = await locationsFor(current, { exported, placed });
  return {
    ...place,
    git,
    synced,
    current: current._id,
    shown: changed(current, await placeContent(current, locations), run.job.startedBy),
  };
}

function changed(base: RevisionRecord, placed: PlacedContent, createdBy: string, git?: RevisionGitRecord): RevisionRecord {
  const { organization, space, variables, redirects } = base;
  const own = { type: 'edits' as const, parents: [base._id], createdBy, ...(git && { git }) };
  return newRevision({ organization, space, ...own, ...placed, variables, redirects });
}

async function publish(session: ClientSession, { input, space, exported, pointId }: Exporting, sync: Sync | undefined): Promise<void> {
  if (!sync) return publishSync({ session, input, space, from: exported._id });
  const { synced, shown, current, commit, folder, git } = sync;
  await insertRevision(synced, session);
  if (shown && shown !== synced) await insertRevision(shown, session);
  // Whoever waits for this revision to reach git looks at it, and not at the one that follows.
  await Revision.updateOne({ _id: exported._id, git: { $exists: false } }, { $set: { git } }, { session });
  await publishSync({
    session,
    // The branch has the commit, whatever came meanwhile.
    input: { ...input, force: true },
    space,
    from: current,
    ...(shown && { to: shown }),
    point: { _id: pointId, commit, revision: synced._id, ...(folder && { folder }) },
  });
}
