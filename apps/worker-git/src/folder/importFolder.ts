import { join } from 'node:path';
import {
  buildRevisionContent,
  describeContentChanges,
  insertRevision,
  keepMissing,
  layOutUploads,
  loadDocuments,
  loadRevision,
  markdownOf,
  prepareRevision,
  type PageTree,
  type RevisionContent,
} from '@bindery/content';
import { JobError, type GitImportChanges } from '@bindery/contract';
import type { folderJobs, Processor, Run } from '@bindery/jobs';
import type { RevisionRecord, SpaceRecord } from '@bindery/models';
import { createLimitedProcesses, inWorkFolder, ownFolder, type Config } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import type { ReadContent } from '../child/repositoryReading.ts';
import { findSpace } from '../sync/findSpace.ts';
import { storeBlobs } from '../sync/import/storeBlobs.ts';
import { nothingKnown } from '../sync/repositoryRecord.ts';
import { loadContent } from '../sync/syncedContent.ts';
import { findFolderConflicts } from './folderConflicts.ts';
import { findFolderTarget, saveFolderTarget } from './folderTarget.ts';
import type { FolderWork } from './readFolder.ts';

type Import = Processor<typeof folderJobs.importFolder>;
type Input = Parameters<Import>[0];
type Reader = { read(input: Input, place: Place): Promise<ReadContent> };
type Place = { run: Run; space: SpaceRecord; folder: string };

/**
 * Gives the content of an uploaded folder to a change request, in the job's last write: pages keep their ids
 * as in imports of repositories. Nothing is written if the content is there already.
 */
export function createImportFolder({ config, blobs }: { config: Config; blobs: BlobStore }): Import {
  const reader = createReader({ config, blobs });
  return async (input, run) =>
    inWorkFolder('import', async (folder) => {
      const space = await findSpace(input.spaceId);
      const target = await findFolderTarget({ space, by: run.job.startedBy, ...input });
      const base = await loadRevision(space._id, target.open?.revision ?? space.revision);
      const reading = await reader.read(input, { run, space, folder });
      if (reading.content.pages.length === 0)
        throw new JobError('bad_content', 'The folder has no pages: nothing is changed.', {
          action: 'Check that it is the right folder, and `root` in .gitbook.yaml.',
        });
      for (const { level, message, path } of reading.content.warnings) run.log(level, message, path);
      const { revision, changes } = await contentOf(reading, { input, run, space, base, blobs });
      run.progress('finalize');
      const isUnchanged = isNothing(changes);
      const next = isUnchanged ? base : revision;
      const { conflicts, isWithheld } = await findFolderConflicts(target, { space, base, next });
      const isKept = isUnchanged || isWithheld || input.dryRun;
      const result = {
        changes,
        mainRevision: space.revision,
        conflicts: conflicts.length,
        conflicting: conflicts.slice(0, maxNamed),
        unchanged: isUnchanged,
        withheld: isWithheld || undefined,
        dryRun: input.dryRun || undefined,
        changeRequest: target.open || !isKept ? target.id : undefined,
      };
      if (isKept) return { result: { ...result, revision: base._id } };
      return {
        result: { ...result, revision: revision._id },
        publish: async (session) => {
          await insertRevision(revision, session);
          await saveFolderTarget(target, { input, space, revision, base: base._id }, session);
        },
      };
    });
}

/** The most conflicts that a result names. */
const maxNamed = 100;
/** No archive takes this long. */
const quiet = {
  ms: 60_000,
  tooSlow: () => new JobError('limit', 'Reading the folder exceeded its time limit.'),
};
/** The folder of the uploaded files, as seen by the process. */
const uploads = 'uploads';

function createReader({ config, blobs }: { config: Config; blobs: BlobStore }): Reader {
  const processes = createLimitedProcesses<FolderWork>({
    name: 'folder',
    script: new URL('folderChild.ts', import.meta.url),
    memoryMb: config.git.memoryMb,
    firstUid: config.children.firstUid,
    outOfMemory: () =>
      new JobError('memory', 'Reading the folder exceeded its memory limit.', { class: 'invalid' }),
  });
  return {
    read: async ({ files }, { run, space, folder }) => {
      const laid = join(folder, uploads);
      const archives = await layOutUploads(files, {
        blobs,
        organization: space.organization,
        folder: laid,
        maxBytes: config.git.maxTotalBytes,
      });
      return processes.run(
        'read',
        {
          archives: archives.map(({ path }) => path),
          objects: join(ownFolder(folder), 'objects'),
          limits: config.git,
        },
        {
          quiet,
          signal: run.signal,
          folder: { path: folder, lent: [uploads] },
          onEvent: ({ stage, done, total }) => run.progress(stage, done, total),
        },
      );
    },
  };
}

type Building = { input: Input; run: Run; space: SpaceRecord; base: RevisionRecord; blobs: BlobStore };

/** Builds the next revision on a base, and finds what it changes. Stores new content. */
async function contentOf(
  reading: ReadContent,
  { input, run, space, base, blobs }: Building,
): Promise<{ revision: RevisionRecord; changes: GitImportChanges }> {
  const { organization } = space;
  const sourcesOf = (hashes: string[]) => loadDocuments(organization, hashes);
  const [before, stored] = await Promise.all([
    loadContent(base),
    storeBlobs(reading, { run, space, blobs, record: nothingKnown }),
  ]);
  const { documentsWritten, blobsWritten } = stored;
  const content = await buildRevisionContent(reading.content, {
    previous: { ...before, created: withoutFile(before.pages) },
    blobs: stored,
    changedAt: new Date().toISOString(),
    textOf: async (hashes) =>
      new Map([...(await sourcesOf(hashes))].map(([hash, source]) => [hash, markdownOf(source)])),
  });
  const { revision: ofFolder } = await prepareRevision({
    organization,
    space: space._id,
    parents: [base._id],
    type: 'edits',
    createdBy: run.job.startedBy,
    content,
  });
  const takesAll = input.prune || isUntouched(base, before);
  const revision = takesAll ? ofFolder : await keepMissing(ofFolder, before, content);
  const after = revision === ofFolder ? content : await loadContent(revision);
  const changes = await describeContentChanges(before, after, { sourcesOf, signal: run.signal });
  run.stats({ files: reading.content.files.length, documentsWritten, blobsWritten });
  return { revision, changes };
}

/** Pages that people have written in the space: a file with the path of one of them is that page. */
function withoutFile(pages: readonly PageTree[]): PageTree[] {
  return pages.flatMap((page) => [
    ...(page.type === 'document' && !page.git ? [page] : []),
    ...('pages' in page ? withoutFile(page.pages) : []),
  ]);
}

/** Every new space has an initial page, which is no user's work. */
function isUntouched({ parents }: RevisionRecord, { pages }: RevisionContent): boolean {
  return parents.length === 0 && pages.length <= 1;
}

function isNothing({ totals }: GitImportChanges): boolean {
  const { pages, files, reusableContents, variables, redirects } = totals;
  const counts = [pages, files, reusableContents].flatMap((each) => Object.values(each));
  return [...counts, variables, redirects].every((count) => count === 0);
}
