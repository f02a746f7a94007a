import { join } from 'node:path';
import { JobError } from '@bindery/contract/jobErrors';
import { Space, type SpaceRecord } from '@bindery/models';
import { createWorkFolder, faultPoint, newId, ownFolder, removeWorkFolder } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import type { TreeBuilder } from '../tree-builder/treeBuilder.ts';
import { createAddition, type Addition } from './addContent.ts';
import type { ListedPage, PackedContent } from './packedContent.ts';
import { storeContent } from './storeContent.ts';

/** The target of an import: a space or a change request, below a page or at the top. */
export type ImportTarget = {
  spaceId: string;
  changeRequestId?: string | undefined;
  page?: string | undefined;
};

/** The parts of a job's run that an import uses. */
export type ImportRun = {
  job: { startedBy: string };
  signal: AbortSignal;
  progress(stage: string, done?: number, total?: number): void;
  stats(values: Record<string, number>): void;
};

/**
 * Reads the content to import. Uses `folder` for temporary files, and writes content to `spool`, a file in
 * the process's own folder below it.
 */
export type Gather = (place: { space: SpaceRecord; folder: string; spool: string }) => Promise<PackedContent>;

/**
 * An import ready to be published. Keeps concurrent changes, and adds its pages after the existing ones when
 * it is published.
 */
export type GatheredImport = Addition & {
  result: { revision: string; importedResources: number; totalResources: number; pages: ListedPage[] };
};

/**
 * Imports content: gathers it in a temporary folder, stores new content under its hash, and adds all of it in
 * the job's last write, as one revision or none.
 *
 * @throws JobError when the space is gone, and the errors of `gather`
 */
export async function importGathered(
  target: ImportTarget,
  { run, blobs, trees, gather }: { run: ImportRun; blobs: BlobStore; trees: TreeBuilder; gather: Gather },
): Promise<GatheredImport> {
  const space = await Space.findOne({ _id: target.spaceId, isDeleted: false }).lean<SpaceRecord>();
  if (!space) throw new JobError('not_found', 'The space no longer exists.');
  const { organization } = space;
  trees.start();
  const folder = await createWorkFolder('import');
  try {
    const spool = join(ownFolder(folder), 'spool');
    const gathered = await gather({ space, folder, spool });
    await faultPoint('content_import.gathered');
    const { files, ...written } = await storeContent(gathered, {
      spool,
      organization,
      blobs,
      signal: run.signal,
      onProgress: (done, total) => run.progress('store', done, total),
    });
    await faultPoint('content_import.stored');
    const { pages, listed, reusableContents, failed } = gathered;
    run.stats({ pages: listed.length, files: files.length, skipped: failed, ...written });
    run.progress('finalize');
    const revision = newId();
    const importedResources = listed.length + files.length + reusableContents.length;
    const addition = createAddition(
      { space: target.spaceId, changeRequest: target.changeRequestId },
      async (base) => {
        if (base.organization !== organization) throw movedAway();
        const content = { pages, files, reusableContents, into: target.page, createdBy: run.job.startedBy };
        return { ...(await trees.prepareAddition(base, content)), _id: revision };
      },
    );
    return {
      result: { revision, importedResources, totalResources: importedResources + failed, pages: listed },
      ...addition,
    };
  } finally {
    await removeWorkFolder(folder);
  }
}

/** The content was stored for the organization that the space has left. */
function movedAway(): JobError {
  return new JobError(
    'internal',
    'The space has been transferred to another organization; the import starts over.',
    {
      class: 'transient',
    },
  );
}
