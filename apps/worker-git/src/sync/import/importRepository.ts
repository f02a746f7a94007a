import { findRevision, insertRevision, loadRevision } from '@bindery/content';
import { contentFormat, type RevisionRecord } from '@bindery/models';
import { faultPoint, inWorkFolder } from '@bindery/runtime';
import type { BranchHistory } from '../../child/branchHistory.ts';
import { dryRunImport, noChanges } from './dryRunImport.ts';
import { findSpace } from '../findSpace.ts';
import { loadHistory, withHistory } from '../pageHistory.ts';
import { publishSync, refuseStale } from '../publishSync.ts';
import type { PushedMerge } from '../export/pushedMerge.ts';
import { findUnrecordedExport } from './unrecordedExport.ts';
import { remoteRequest } from '../remoteRequest.ts';
import type { Import, Importing, ReadBranch } from './importing.ts';
import { settleMerge } from './settleMerge.ts';
import { findReplaced } from './replacedPages.ts';
import {
  loadRepositoryRecord,
  nothingKnown,
  notesOf,
  repositoryKey,
  type RepositoryRecord,
} from '../repositoryRecord.ts';
import type {
  RepositoryReading,
  RepositoryRequest,
  UnchangedReading,
} from '../../child/repositoryReading.ts';
import { lastReading, storePages, storeWhole } from './storeReading.ts';
import { treesOfReading } from './treesOfReading.ts';
import { commonState, type SyncParts } from '../syncing.ts';
import { findSyncPoint, loadSyncPoint } from '../syncPoint.ts';

/**
 * Creates a revision of a space from the commit of a ref.
 *
 * Reads the repository in a process of its own, stores new content under its hash, and publishes everything
 * in the job's last write; until then the space does not change.
 */
export function createImportRepository(parts: SyncParts): Import {
  return async (input, run) => {
    const space = await findSpace(input.spaceId);
    refuseStale(input, space);
    const { pointId, point } = await findSyncPoint(parts.config, space, input);
    const [current, known] = await Promise.all([
      loadRevision(space._id, space.revision),
      loadHistory({ space, pointId }, input),
    ]);
    return inWorkFolder('git', async (workFolder) => {
      const importing = { ...parts, input, run, space, current, pointId, point, workFolder, known };
      const { outcome, ...read } = await importInto(importing);
      // A branch that waits for review is not what the space shows.
      const isForReview = 'result' in outcome && outcome.result.merge?.changeRequest !== undefined;
      return isForReview ? outcome : withHistory(outcome, importing, read);
    });
  };
}

async function importInto(importing: Importing): Promise<{
  outcome: Awaited<ReturnType<Import>>;
  history: BranchHistory | undefined;
  moved?: ReadonlyMap<string, string>;
}> {
  const { config, input, run, space, current } = importing;
  const key = repositoryKey(config, space, input);
  const base = await mergeBase(importing);
  // Content read by an earlier version is read again, because titles and paths have another meaning now.
  const isReadAnew = current.git !== undefined && current.format !== contentFormat;
  const { reading, record, pushedMerge } = await readRepository(
    { ...importing, replaced: base ?? current, isReadAnew },
    key,
  );
  const standalone = input.standalone;
  const { history } = reading;
  if (pushedMerge) {
    const outcome = await settleMerge(importing, { ...pushedMerge, revision: pushedMerge.branch });
    return { outcome, history };
  }
  if (reading.unchanged) return { outcome: await unchanged(importing, reading), history };
  const notes = reading.content ? notesOf(reading) : record.last?.notes;
  if (!notes) throw new Error('Pages were read again that had not been read before.');
  for (const { level, message, path } of notes.warnings) run.log(level, message, path);
  for (const { path, message } of notes.skipped) run.log('warning', `Skipped. ${message}`, path);
  if (input.dryRun && !base) {
    if (!reading.content) throw new Error('A dry run was to read everything.');
    const changes = await dryRunImport({ run, current, reading, record, key, blobs: importing.blobs });
    const { commit } = reading;
    const result = { revision: current._id, commit: commit.oid, unchanged: false, standalone, changes };
    return { outcome: { result: { ...result, dryRun: true } }, history };
  }

  const storing = { ...importing, ...(base && { current: base, mergedInto: current }), key, record };
  const { revision, moved, ...written } = reading.content
    ? await storeWhole(storing, reading, notes)
    : await storePages(storing, reading);
  await faultPoint('git_import.revision_written');
  run.stats({ pages: notes.pages, files: notes.files, ...written, skipped: notes.skipped.length });
  run.progress('finalize');
  const read = {
    revision,
    commit: reading.commit.oid,
    folder: reading.last.treeOid,
    trees: treesOfReading(reading),
  };
  const outcome = await (base
    ? settleMerge(importing, { ...read, base })
    : settleReplacement(importing, read));
  return { outcome, history, moved };
}

/** Settles an import whose branch becomes the content of the space, as a whole. */
async function settleReplacement(
  importing: Importing,
  { revision, commit, folder, trees }: ReadBranch,
): ReturnType<Import> {
  const { input, run, space, current } = importing;
  const { standalone } = input;
  const replaced = standalone
    ? undefined
    : await findReplaced({ synced: await loadSynced(importing), current, next: revision });
  if (replaced) {
    const pages = replaced.total === 1 ? 'one page' : `${replaced.total} pages`;
    run.log(
      'warning',
      `The import replaced changes to ${pages} that git did not have; revision ${current._id} holds them.`,
    );
    for (const { title } of replaced.pages) run.log('warning', `Replaced: ${title}`);
  }
  return {
    result: { revision: revision._id, commit, unchanged: false, standalone, replaced },
    publish: async (session) => {
      await insertRevision(revision, session);
      if (standalone) return;
      const { pointId: _id, point: before } = importing;
      const point = { _id, commit, folder, revision: revision._id, trees, before };
      await publishSync({ session, input, space, from: current._id, to: revision, point });
    },
  };
}

/**
 * Returns the revision last in sync with the branch if the space was changed since: then the content of the
 * branch is merged into that of the space, instead of replacing it.
 */
async function mergeBase(importing: Importing): Promise<RevisionRecord | undefined> {
  const { input, space, current } = importing;
  const point = commonState(importing);
  if (!point || input.standalone || current.git) return undefined;
  const base = await findRevision(space._id, point.revision);
  return base?.contentHash === current.contentHash ? undefined : base;
}

/** Ends an import whose branch has nothing new for the space. */
async function unchanged(
  { input, run, space, current, pointId, point }: Importing,
  { commit: { oid: commit }, isElsewhere }: UnchangedReading,
): ReturnType<Import> {
  const isAhead = current.git?.oid !== commit;
  run.log(
    'info',
    isAhead
      ? 'The branch points to the commit that the space was last in sync with, and the space was changed since: export it, or import with `force`.'
      : 'The branch points to the commit that the space already shows; nothing was fetched.',
  );
  const { standalone } = input;
  if (input.dryRun) {
    return {
      result: {
        revision: current._id,
        commit,
        unchanged: true,
        standalone,
        dryRun: true,
        changes: await noChanges(),
      },
    };
  }
  const isNoted =
    isAhead || (point?.commit === commit && point.revision === current._id && space.syncedWith === pointId);
  // The new commit has the same project directory as the one last in sync.
  const { folder, revision } = point ?? {};
  const moved =
    isElsewhere && revision !== undefined ? { _id: pointId, commit, folder, revision } : undefined;
  const noted = isNoted ? undefined : { _id: pointId, commit, revision: current._id };
  return {
    result: { revision: current._id, commit, unchanged: true, standalone },
    publish: async (session) => {
      if (standalone) return;
      await publishSync({
        session,
        input,
        space,
        from: current._id,
        point: moved ?? noted,
      });
    },
  };
}

/** The revision in which the space was last in sync with any repository. */
async function loadSynced({ space, current }: Importing): Promise<RevisionRecord | undefined> {
  if (current.git) return current;
  const last = space.syncedWith === undefined ? undefined : await loadSyncPoint(space.syncedWith);
  return last && findRevision(space._id, last.revision);
}

/**
 * Reads the branch in a process of its own.
 *
 * @returns the reading, what was known of the repository before it, and the merge that the head of the branch
 *   is, if its export ended before recording it
 */
async function readRepository(
  importing: Importing & { replaced: RevisionRecord; isReadAnew: boolean },
  key: string,
): Promise<{
  reading: RepositoryReading;
  record: RepositoryRecord;
  pushedMerge: PushedMerge | undefined;
}> {
  const { reader, run } = importing;
  const known = importing.isReadAnew ? undefined : knownCommit(importing);
  let record = nothingKnown;
  let pushedMerge: PushedMerge | undefined;
  const reading = await reader.read(
    {
      ...(await remoteRequest(importing)),
      known,
      history: importing.known.asked,
    },
    {
      signal: run.signal,
      onStage: (stage, done, total) => run.progress(stage, done, total),
      loadKnown: async () => {
        record = await loadRepositoryRecord(key);
        const last = lastReading({ ...importing, current: importing.replaced }, record);
        return { pages: record.pages, files: record.files, last };
      },
      isUnrecordedPush: async (commit) => {
        const found = await findUnrecordedExport(importing, commit);
        pushedMerge = found?.merge ?? pushedMerge;
        return found !== undefined;
      },
    },
  );
  return { reading, record, pushedMerge };
}

/**
 * Returns the commit that brings nothing new: the one that the space shows, or the one last in sync. Later
 * changes in the space are newer than the branch, and only `force` discards them.
 */
function knownCommit(importing: Importing): RepositoryRequest['known'] {
  const { input, current } = importing;
  if (current.git) {
    // The same commit with other settings gives other content.
    const isSameSource =
      current.git.projectDirectory === input.projectDirectory && current.git.treeUrl === input.repoTreeUrl;
    return isSameSource ? { commit: current.git.oid } : undefined;
  }
  const point = commonState(importing);
  if (!point || input.standalone) return undefined;
  return { commit: point.commit, folder: point.folder };
}
