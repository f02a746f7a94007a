import { findRevision, insertRevision, loadRevision } from '@bindery/content';
import type { ImportedPage } from '@bindery/dialect/repository-format';
import type { gitJobs, Processor, Run } from '@bindery/jobs';
import {
  contentFormat,
  type GitSyncPointRecord,
  type RevisionRecord,
  type SpaceRecord,
} from '@bindery/models';
import { createWorkFolder, faultPoint, removeWorkFolder, type Config } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import { dryRunImport, noChanges } from './dryRunImport.ts';
import { findSpace } from '../findSpace.ts';
import { publishSync, refuseStale } from '../publishSync.ts';
import { findUnrecordedPush } from '../export/pushCheckpoint.ts';
import { remoteRequest } from '../remoteRequest.ts';
import { findReplaced } from './replacedPages.ts';
import {
  loadRepositoryRecord,
  nothingKnown,
  repositoryKey,
  type ReadingNotes,
  type RepositoryRecord,
} from '../repositoryRecord.ts';
import type { UnrecordedPush } from '../../child/unrecordedPush.ts';
import type { RepositoryReader } from '../../child/repositoryReader.ts';
import type {
  RepositoryReading,
  RepositoryRequest,
  UnchangedReading,
  WholeReading,
} from '../../child/repositoryReading.ts';
import { lastReading, storePages, storeWhole } from './storeReading.ts';
import { loadSyncPoint, syncPointId } from '../syncPoint.ts';

type Import = Processor<typeof gitJobs.importRepository>;
type Input = Parameters<Import>[0];
type Parts = { config: Config; reader: RepositoryReader; blobs: BlobStore };

/**
 * Creates a revision of a space from the commit of a ref.
 *
 * Reads the repository in a process of its own, stores new content under its hash, and publishes everything
 * in the job's last write; until then the space does not change.
 */
export function createImportRepository(parts: Parts): Import {
  return async (input, run) => {
    const space = await findSpace(input.spaceId);
    refuseStale(input, space);
    const pointId = syncPointId(parts.config, space, input);
    const [current, point] = await Promise.all([
      loadRevision(space._id, space.revision),
      loadSyncPoint(pointId),
    ]);
    const workFolder = await createWorkFolder('git');
    try {
      return await importInto({ ...parts, input, run, space, current, pointId, point, workFolder });
    } finally {
      await removeWorkFolder(workFolder);
    }
  };
}

type Importing = Parts & {
  input: Input;
  run: Run;
  space: SpaceRecord;
  current: RevisionRecord;
  pointId: string;
  /** The last state in sync between the space and the branch. */
  point: GitSyncPointRecord | undefined;
  workFolder: string;
};

async function importInto(importing: Importing): ReturnType<Import> {
  const { config, input, run, space, current, pointId } = importing;
  const key = repositoryKey(config, {
    organization: space.organization,
    space: space._id,
    url: input.url,
    cacheId: input.repoCacheId,
  });
  let record = nothingKnown;
  // Content read by an earlier version is read again, because titles and paths have another meaning now.
  const isReadAnew = current.git !== undefined && current.format !== contentFormat;
  const reading = await readRepository(
    { ...importing, isReadAnew },
    async () => (record = await loadRepositoryRecord(key)),
  );
  const standalone = input.standalone;
  if (reading.unchanged) return unchanged(importing, reading);
  const notes = reading.content ? notesOf(reading) : record.last?.notes;
  if (!notes) throw new Error('Pages were read again that had not been read before.');
  for (const { level, message, path } of notes.warnings) run.log(level, message, path);
  for (const { path, message } of notes.skipped) run.log('warning', `Skipped. ${message}`, path);
  if (input.dryRun) {
    if (!reading.content) throw new Error('A dry run was to read everything.');
    const changes = await dryRunImport({ run, current, reading, record, key, blobs: importing.blobs });
    return {
      result: {
        revision: current._id,
        commit: reading.commit.oid,
        unchanged: false,
        standalone,
        dryRun: true,
        changes,
      },
    };
  }

  const storing = { ...importing, key, record };
  const { revision, ...written } = reading.content
    ? await storeWhole(storing, reading, notes)
    : await storePages(storing, reading);
  await faultPoint('git_import.revision_written');
  run.stats({ pages: notes.pages, files: notes.files, ...written, skipped: notes.skipped.length });
  run.progress('finalize');
  const replaced = standalone
    ? undefined
    : await findReplaced({ synced: await loadSynced(importing), current, next: revision });
  if (replaced) {
    const pages = replaced.total === 1 ? 'one page' : `${replaced.total} pages`;
    run.log(
      'warning',
      `The import took the place of changes to ${pages} that git did not have; revision ${current._id} holds them.`,
    );
    for (const { title } of replaced.pages) run.log('warning', `Replaced: ${title}`);
  }
  const commit = reading.commit.oid;
  return {
    result: { revision: revision._id, commit, unchanged: false, standalone, ...(replaced && { replaced }) },
    publish: async (session) => {
      await insertRevision(revision, session);
      if (standalone) return;
      const point = { _id: pointId, commit, folder: reading.last.treeOid, revision: revision._id };
      await publishSync({ session, input, space, from: current._id, to: revision, point });
    },
  };
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
  const moved = isElsewhere && point && { ...point, commit };
  return {
    result: { revision: current._id, commit, unchanged: true, standalone },
    publish: async (session) => {
      if (standalone) return;
      await publishSync({
        session,
        input,
        space,
        from: current._id,
        ...(moved
          ? { point: moved }
          : !isNoted && { point: { _id: pointId, commit, revision: current._id } }),
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

async function readRepository(
  importing: Importing & { isReadAnew: boolean },
  loadKnown: () => Promise<RepositoryRecord>,
): Promise<RepositoryReading> {
  const { reader, run } = importing;
  const known = importing.isReadAnew ? undefined : knownCommit(importing);
  return reader.read(
    {
      ...(await remoteRequest(importing)),
      known,
    },
    {
      signal: run.signal,
      onStage: (stage, done, total) => run.progress(stage, done, total),
      loadKnown: async () => {
        const record = await loadKnown();
        const last = lastReading(importing, record);
        return { pages: record.pages, files: record.files, last };
      },
      isUnrecordedPush: (commit) => isUnrecordedExport(importing, commit),
    },
  );
}

/**
 * Returns the commit that brings nothing new: the one that the space shows, or the one last in sync. Later
 * changes in the space are newer than the branch, and only `force` discards them.
 */
function knownCommit({ input, space, current, pointId, point }: Importing): RepositoryRequest['known'] {
  if (current.git) {
    // The same commit with other settings gives other content.
    const isSameSource =
      current.git.projectDirectory === input.projectDirectory && current.git.treeUrl === input.repoTreeUrl;
    return isSameSource ? { commit: current.git.oid } : undefined;
  }
  if (!point || space.syncedWith !== pointId || input.force || input.standalone) return undefined;
  return { commit: point.commit, ...(point.folder && { folder: point.folder }) };
}

/**
 * A commit made by an export of the space counts as last in sync, even if the job ended before recording it.
 */
async function isUnrecordedExport(importing: Importing, commit: UnrecordedPush): Promise<boolean> {
  const { input, space } = importing;
  if (input.force || input.standalone) return false;
  const push = await findUnrecordedPush(commit, importing);
  // False if the space has synced with another remote since: its content is then not newer than the branch.
  return push !== undefined && push.syncedWith === space.syncedWith;
}

/** Collects the notes of a full reading; an import that rereads only some pages repeats them. */
function notesOf({ content, skipped }: WholeReading): ReadingNotes {
  return {
    warnings: content.warnings,
    skipped,
    pages: countPages(content.pages),
    files: content.files.length,
  };
}

function countPages(pages: readonly ImportedPage[]): number {
  return pages.reduce(
    (sum, page) => sum + (page.type === 'group' ? 0 : 1) + ('pages' in page ? countPages(page.pages) : 0),
    0,
  );
}
