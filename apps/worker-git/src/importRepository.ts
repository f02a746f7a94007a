import {
  buildRevisionContent,
  findRevision,
  insertRevision,
  loadDocuments,
  loadFiles,
  loadReusableContents,
  loadTree,
  markdownOf,
  prepareRevision,
  type ImportedPage,
  type PreviousContent,
} from '@bindery/content';
import { JobError } from '@bindery/contract';
import { Superseded, type gitJobs, type Processor, type Run } from '@bindery/jobs';
import { Space, type RevisionRecord, type SpaceRecord } from '@bindery/models';
import { createWorkFolder, faultPoint, removeWorkFolder, type Config } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import { openCredential } from './credential.ts';
import { publishImport } from './publishImport.ts';
import { loadRepositoryRecord, repositoryKey, saveRepositoryRecord, type RepositoryRecord } from './repositoryRecord.ts';
import type { RepositoryReader } from './repository/repositoryReader.ts';
import type { RepositoryReading } from './repository/repositoryReading.ts';
import { storeBlobs } from './storeBlobs.ts';

type Import = Processor<typeof gitJobs.importRepository>;
type Input = Parameters<Import>[0];
type Parts = { config: Config; reader: RepositoryReader; blobs: BlobStore };

/**
 * Turns the commit that a ref points to into a revision of a space.
 *
 * Reads the repository in a process of its own, stores what is new under its hash, and publishes all of it in the job's last write:
 * until then the space shows what it showed.
 */
export function createImportRepository(parts: Parts): Import {
  return async (input, run) => {
    const space = await loadSpace(input.spaceId);
    refuseStale(input, space);
    const current = await findRevision(space._id, space.revision);
    if (!current) throw new Error(`Space ${space._id} has lost its revision ${space.revision}.`);
    const workFolder = await createWorkFolder('git');
    try {
      return await importInto({ ...parts, input, run, space, current, workFolder });
    } finally {
      await removeWorkFolder(workFolder);
    }
  };
}

type Importing = Parts & { input: Input; run: Run; space: SpaceRecord; current: RevisionRecord; workFolder: string };

async function importInto(importing: Importing): ReturnType<Import> {
  const { config, input, run, space, current } = importing;
  const key = repositoryKey(config, { organization: space.organization, space: space._id, url: input.url, cacheId: input.repoCacheId });
  let record: RepositoryRecord = { pages: new Map(), files: new Map() };
  const reading = await readRepository(importing, async () => (record = await loadRepositoryRecord(key)));
  const standalone = input.standalone;
  if (reading.unchanged) {
    run.log('info', 'The branch points to the commit that the space already shows; nothing was fetched.');
    return {
      result: { revision: current._id, commit: reading.commit.oid, unchanged: true, standalone },
      publish: (session) => publishImport({ session, input, space, current }),
    };
  }
  for (const { level, message, path } of reading.content.warnings) run.log(level, message, path);
  for (const { path, message } of reading.skipped) run.log('warning', `Skipped. ${message}`, path);

  const stored = await storeBlobs(reading, { ...importing, record });
  await faultPoint('git_import.files_stored');
  await saveRepositoryRecord(key, { space: space._id, commit: reading.commit.oid, known: stored.known });

  const { revision, nodesWritten } = await buildRevision(importing, { reading, stored });
  await faultPoint('git_import.revision_written');
  run.stats({
    pages: countPages(reading.content.pages),
    files: reading.content.files.length,
    documentsWritten: stored.documentsWritten,
    nodesWritten,
    blobsWritten: stored.blobsWritten,
    skipped: reading.skipped.length,
  });
  run.progress('finalize');
  return {
    result: { revision: revision._id, commit: reading.commit.oid, unchanged: false, standalone },
    publish: async (session) => {
      await insertRevision(revision, session);
      await publishImport({ session, input, space, current, revision });
    },
  };
}

async function readRepository(
  { config, reader, input, run, space, current, workFolder }: Importing,
  loadKnown: () => Promise<RepositoryRecord>,
): Promise<RepositoryReading> {
  const login = await openCredential(config, run.job._id);
  const { allow, refused, caFile } = config.outbound;
  // The same commit with other settings is another content.
  const isSameSource =
    current.git?.projectDirectory === input.projectDirectory && current.git.treeUrl === input.repoTreeUrl && current.space === space._id;
  return reader.read(
    {
      url: input.url,
      ...(login && { username: login.username, password: login.password }),
      ref: input.ref,
      projectDirectory: input.projectDirectory,
      ...(isSameSource && current.git && { known: { commit: current.git.oid } }),
      outbound: { allow, refused, ...(caFile && { caFile }) },
      limits: config.git,
      workFolder,
    },
    {
      signal: run.signal,
      onStage: (stage, done, total) => run.progress(stage, done, total),
      loadKnown: async () => {
        const { pages, files } = await loadKnown();
        return { facts: [...pages].map(([oid, { facts }]) => [oid, facts]), fileOids: [...files.keys()] };
      },
    },
  );
}

async function buildRevision(
  { input, run, space, current }: Importing,
  { reading, stored }: { reading: Extract<RepositoryReading, { unchanged: false }>; stored: Awaited<ReturnType<typeof storeBlobs>> },
): Promise<{ revision: RevisionRecord; nodesWritten: number }> {
  const content = await buildRevisionContent(reading.content, {
    previous: await loadPrevious(current),
    blobs: stored,
    changedAt: new Date().toISOString(),
    textOf: async (hashes) => {
      const sources = await loadDocuments(space.organization, hashes);
      return new Map([...sources].map(([hash, source]) => [hash, markdownOf(source)]));
    },
  });
  const { commit } = reading;
  return prepareRevision({
    organization: space.organization,
    space: space._id,
    parents: input.standalone ? [] : [current._id],
    type: 'edits',
    createdBy: run.job.startedBy,
    content,
    git: {
      oid: commit.oid,
      message: commit.message,
      createdByDocs: false,
      ...(input.repoCommitUrl && { url: `${input.repoCommitUrl.replace(/\/$/, '')}/${commit.oid}` }),
      ref: input.ref,
      projectDirectory: input.projectDirectory,
      ...(input.repoTreeUrl && { treeUrl: input.repoTreeUrl }),
    },
  });
}

async function loadPrevious(current: RevisionRecord): Promise<PreviousContent> {
  const [pages, files, reusableContents] = await Promise.all([
    loadTree(current.organization, current.pages),
    loadFiles(current),
    loadReusableContents(current),
  ]);
  return { pages, files, reusableContents };
}

async function loadSpace(id: string): Promise<SpaceRecord> {
  const space = await Space.findOne({ _id: id, deletedAt: { $exists: false } }).lean<SpaceRecord>();
  if (!space) throw new JobError('not_found', 'The space does not exist any more.');
  return space;
}

/** An event that is known to be overtaken need not fetch anything; the last write looks again. */
function refuseStale(input: Input, space: SpaceRecord): void {
  if (!input.timestamp || input.force || input.standalone || !space.lastGitTimestamp) return;
  if (new Date(input.timestamp) <= space.lastGitTimestamp)
    throw new Superseded('A newer event from the repository has already been applied to the space.');
}

function countPages(pages: readonly ImportedPage[]): number {
  return pages.reduce((sum, page) => sum + (page.type === 'group' ? 0 : 1) + ('pages' in page ? countPages(page.pages) : 0), 0);
}
