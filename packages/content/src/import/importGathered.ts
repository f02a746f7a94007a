import { join } from 'node:path';
import { JobError } from '@bindery/contract/jobErrors';
import { Space, type SpaceRecord } from '@bindery/models';
import { createWorkFolder, faultPoint, ownFolder, removeWorkFolder } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import type { AddedContent } from './addContent.ts';
import { finishImport, type FinishedImport } from './finishImport.ts';
import type { GatheredContent } from './gatherContent.ts';
import { storeContent } from './storeContent.ts';

/** Where an import goes: a space or a change request of it, below a page or at the top. */
export type ImportTarget = { spaceId: string; changeRequestId?: string | undefined; page?: string | undefined };

/** The run of a job, as far as an import has to do with it. */
export type ImportRun = {
  job: { startedBy: AddedContent['createdBy'] };
  signal: AbortSignal;
  progress(stage: string, done?: number, total?: number): void;
  stats(values: Record<string, number>): void;
};

/** Reads what is to be imported. `folder` is there for that; what is found is put into `spool`, a file in the process's own folder in it. */
export type Gather = (place: { space: SpaceRecord; folder: string; spool: string }) => Promise<GatheredContent>;

/**
 * Imports content: gathers it in a folder of its own, stores what is new under its hash, and adds all of it in the job's last write, as one
 * revision or none.
 *
 * @throws JobError when the space is gone, or what `gather` throws
 */
export async function importGathered(
  target: ImportTarget,
  { run, blobs, gather }: { run: ImportRun; blobs: BlobStore; gather: Gather },
): Promise<Pick<FinishedImport, 'result' | 'publish'>> {
  const space = await Space.findOne({ _id: target.spaceId, isDeleted: false }).lean<SpaceRecord>();
  if (!space) throw new JobError('not_found', 'The space does not exist any more.');
  const folder = await createWorkFolder('import');
  try {
    const spool = join(ownFolder(folder), 'spool');
    const gathered = await gather({ space, folder, spool });
    await faultPoint('content_import.gathered');
    const content = await storeContent(gathered, {
      spool,
      organization: space.organization,
      blobs,
      signal: run.signal,
      onProgress: (done, total) => run.progress('store', done, total),
    });
    await faultPoint('content_import.stored');
    const { stats, result, publish } = finishImport(content, {
      gathered,
      target: { space: target.spaceId, changeRequest: target.changeRequestId },
      into: target.page,
      createdBy: run.job.startedBy,
    });
    run.stats({ ...stats, documentsWritten: content.documentsWritten, blobsWritten: content.blobsWritten });
    run.progress('finalize');
    return { result, publish };
  } finally {
    await removeWorkFolder(folder);
  }
}
