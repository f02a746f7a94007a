import { join } from 'node:path';
import { importGathered, layOutUploads, type TreeBuilder } from '@bindery/content';
import type { PackedContent } from '@bindery/content/import';
import { JobError } from '@bindery/contract/jobErrors';
import type { contentImportJobs, Processor, Run } from '@bindery/jobs';
import type { SpaceRecord } from '@bindery/models';
import { settingsForChild } from '@bindery/outbound';
import { createLimitedProcesses, type Config, type LimitedProcesses } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import type { GatherRequest, GatherWork } from './gathering.ts';

type Import = Processor<typeof contentImportJobs.importContent>;
type Input = Parameters<Import>[0];

/** No single page, archive or image takes this long. */
const quiet = {
  ms: 60_000,
  tooSlow: () =>
    new JobError('limit', 'Reading the content exceeded its time limit.', { action: 'Import it in parts.' }),
};
/** The folder of the uploaded files, as seen by the process. */
const uploads = 'uploads';
/** Of all uploaded files of an import together, as much as one archive may hold. */
const maxUploadBytes = 200 * 1024 * 1024;

/**
 * Imports content from a URL, or from uploaded files, into a space or a change request; a process of its own
 * reads it.
 */
export function createImportContent(parts: { config: Config; blobs: BlobStore; trees: TreeBuilder }): Import {
  const { blobs, trees } = parts;
  const { contentImport, children } = parts.config;
  const processes = createLimitedProcesses<GatherWork>({
    name: 'content-import',
    script: new URL('importChild.ts', import.meta.url),
    memoryMb: contentImport.memoryMb,
    firstUid: children.firstUid,
    outOfMemory: () =>
      new JobError('memory', 'Reading the content exceeded its memory limit.', {
        class: 'invalid',
        action: 'Import it in parts.',
      }),
  });
  return async (input, run) =>
    importGathered(input, {
      run,
      blobs,
      trees,
      gather: async (place) => read(input, run, { ...parts, ...place, processes }),
    });
}

type ImportContext = { space: SpaceRecord; folder: string; spool: string };

async function read(
  input: Input,
  run: Run,
  {
    config,
    blobs,
    processes,
    spool,
    folder,
    space,
  }: ImportContext & { config: Config; blobs: BlobStore; processes: LimitedProcesses<GatherWork> },
): Promise<PackedContent> {
  const { source, url, files = [] } = input;
  if (source === 'github-wiki')
    throw new JobError('internal', 'Wikis are imported by the git worker.', { class: 'invalid' });
  const request: GatherRequest = {
    source,
    from:
      url === undefined
        ? {
            files: await layOutUploads(files, {
              blobs,
              organization: space.organization,
              folder: join(folder, uploads),
              maxBytes: maxUploadBytes,
            }),
          }
        : { url },
    outbound: settingsForChild(config.outbound),
    spool,
  };
  return processes.run('gather', request, {
    quiet,
    signal: run.signal,
    folder: { path: folder, lent: url === undefined ? [uploads] : [] },
    onEvent: (event) => {
      if (event.kind === 'stage') run.progress(event.stage, event.done, event.total);
      else run.log('warning', event.message, event.path);
    },
  });
}
