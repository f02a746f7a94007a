import { join } from 'node:path';
import { importGathered, type TreeBuilder } from '@bindery/content';
import { JobError } from '@bindery/contract/jobErrors';
import type { Processor, wikiImportJobs } from '@bindery/jobs';
import { settingsForChild } from '@bindery/outbound';
import { createLimitedProcesses, ownFolder, type Config } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import type { WikiWork } from './gatherWiki.ts';

type Import = Processor<typeof wikiImportJobs.importWiki>;

/** The longest permitted silence of a git server. */
const quiet = {
  ms: 90_000,
  tooSlow: () => new JobError('limit', 'Reading the wiki exceeded its time limit.'),
};

/**
 * Imports a wiki from its git repository like the other content imports: read in a process of its own, added
 * in the job's last write.
 */
export function createImportWiki({
  config,
  blobs,
  trees,
}: {
  config: Config;
  blobs: BlobStore;
  trees: TreeBuilder;
}): Import {
  const processes = createLimitedProcesses<WikiWork>({
    name: 'wiki',
    script: new URL('wikiChild.ts', import.meta.url),
    memoryMb: config.git.memoryMb,
    firstUid: config.children.firstUid,
    outOfMemory: () =>
      new JobError('memory', 'Reading the wiki exceeded its memory limit.', { class: 'invalid' }),
  });
  return async (input, run) =>
    importGathered(input, {
      run,
      blobs,
      trees,
      gather: async ({ folder, spool }) =>
        processes.run(
          'gather',
          {
            url: input.url ?? '',
            outbound: settingsForChild(config.outbound),
            limits: config.git,
            objects: join(ownFolder(folder), 'objects'),
            spool,
          },
          {
            quiet,
            signal: run.signal,
            folder: { path: folder },
            onEvent: (event) => {
              if (event.kind === 'stage') run.progress(event.stage, event.done, event.total);
              else run.log('warning', event.message, event.path);
            },
          },
        ),
    });
}
