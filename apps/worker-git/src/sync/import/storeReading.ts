import { changePages, loadDocuments, newRevision, prepareRevision } from '@bindery/content';
import type { gitJobs, Processor, Run } from '@bindery/jobs';
import { contentFormat, type RevisionRecord, type SpaceRecord } from '@bindery/models';
import { faultPoint, type Config } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import { contentOfReading } from './contentOfReading.ts';
import { requireKnown } from './knownContent.ts';
import { movedPages, pathsOfPages } from '../../child/pagePaths.ts';
import {
  extendRepositoryRecord,
  noteContent,
  saveRepositoryRecord,
  type ReadingNotes,
  type RepositoryRecord,
} from '../repositoryRecord.ts';
import { toLines } from '../../child/lines.ts';
import type { LastReading, RereadPages, WholeReading } from '../../child/repositoryReading.ts';
import { revisionGit } from '../revisionGit.ts';
import { newPageLines, storeBlobs, storeTexts } from './storeBlobs.ts';

type Importing = {
  config: Config;
  blobs: BlobStore;
  input: Pick<
    Parameters<Processor<typeof gitJobs.importRepository>>[0],
    'ref' | 'projectDirectory' | 'repoCommitUrl' | 'repoTreeUrl' | 'standalone' | 'dryRun'
  >;
  run: Run;
  space: SpaceRecord;
  current: RevisionRecord;
  /** The content of the space, if the reading is merged into it. */
  mergedInto?: RevisionRecord | undefined;
};

type Storing = Importing & { key: string; record: RepositoryRecord };

/** A revision ready to be inserted, and the number of writes for it. */
export type StoredReading = {
  revision: RevisionRecord;
  documentsWritten: number;
  nodesWritten: number;
  blobsWritten: number;
  /** The former paths of pages that the branch has elsewhere, by their new ones. */
  moved: ReadonlyMap<string, string>;
};

/**
 * Stores the content of a repository as a revision's, under its hashes, and caches the reading for the next
 * import.
 */
export async function storeWhole(
  storing: Storing,
  reading: WholeReading,
  notes: ReadingNotes,
): Promise<StoredReading> {
  const { input, space, current, mergedInto, key, record, blobs } = storing;
  const { known, documentsWritten, blobsWritten, ...stored } = await storeBlobs(reading, storing);
  await faultPoint('git_import.files_stored');
  const kept = { space: space._id, commit: reading.commit.oid, settings: settingsOf(storing) };
  // A preview of another branch must not replace the cached data of the space's own branch.
  const isKept = !input.standalone || record.pages.length === 0;
  const build = async () => {
    const sourcesOf = (hashes: string[]) => loadDocuments(space.organization, hashes);
    const contents = await contentOfReading(reading, { current, mergedInto, blobs: stored, sourcesOf });
    return {
      contents,
      built: await prepareRevision({ ...fieldsOf(storing, reading), content: contents.content }),
    };
  };
  const saving = isKept && saveRepositoryRecord(key, { ...kept, known, last: reading.last, notes });
  const [{ contents, built }] = await Promise.all([build(), saving]);
  await requireKnown(contents, { key, organization: space.organization, reading, blobs });
  if (isKept) await noteContent(key, kept, built.revision.contentHash);
  const moved = movedPages(pathsOfPages(contents.previous.pages), pathsOfPages(contents.content.pages));
  return { ...built, documentsWritten, blobsWritten, moved };
}

/**
 * Stores a reading in which only texts of pages differ from the last reading. The present content was made of
 * that reading, so all other pages stay.
 */
export async function storePages(storing: Storing, reading: RereadPages): Promise<StoredReading> {
  const { input, run, space, current, key, record } = storing;
  const { spool, commit, last } = reading;
  const documentsWritten = await storeTexts([...spool.blobs.values()], { run, space, path: spool.path });
  await faultPoint('git_import.files_stored');
  const { root, nodesWritten } = await changePages(current, {
    pages: reading.pages,
    documentOf: (oid) => spool.blobs.get(oid)!.sha256,
    changedAt: new Date().toISOString(),
  });
  const { format, files, reusableContents, variables, redirects } = current;
  const content = {
    format,
    pages: root,
    files,
    reusableContents,
    variables,
    redirects,
  };
  const revision = newRevision({ ...fieldsOf(storing, reading), ...content });
  if (record.last && !input.standalone) {
    const pages = toLines(newPageLines(reading));
    await extendRepositoryRecord(key, record.last, {
      commit: commit.oid,
      contentHash: revision.contentHash,
      pages,
      last,
    });
  }
  return { revision, documentsWritten, nodesWritten, blobsWritten: 0, moved: new Map() };
}

function fieldsOf({ input, run, space, current }: Importing, { commit }: Pick<WholeReading, 'commit'>) {
  return {
    organization: space.organization,
    space: space._id,
    parents: input.standalone ? [] : [current._id],
    type: 'edits' as const,
    createdBy: run.job.startedBy,
    git: revisionGit(input, { oid: commit.oid, message: commit.message, createdByDocs: false }),
  };
}

/** Returns the last reading if the space shows its content, and this version would read the same from it. */
export function lastReading(importing: Importing, { last }: RepositoryRecord): LastReading | undefined {
  const { current } = importing;
  const isShown =
    last &&
    current.format === contentFormat &&
    last.contentHash === current.contentHash &&
    last.settings === settingsOf(importing);
  // A dry run compares whole contents.
  if (!isShown || last.isFull || importing.input.dryRun) return undefined;
  const { treeOid, trees, outline } = last;
  return { treeOid, trees, outline };
}

/** The settings that, besides the commit, affect a reading. */
function settingsOf({ config, input }: Importing): string {
  const { maxPageBytes, maxFileBytes, maxEntries } = config.git;
  return JSON.stringify([input.projectDirectory, maxPageBytes, maxFileBytes, maxEntries]);
}
