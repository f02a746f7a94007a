import { join } from 'node:path';
import { importGathered } from '@bindery/content';
import type { GatheredContent } from '@bindery/content/import';
import { JobError } from '@bindery/contract';
import type { Processor, wikiImportJobs } from '@bindery/jobs';
import { runLimited, type Config } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import type { WikiEvent, WikiRequest } from './gatherWiki.ts';

type Import = Processor<typeof wikiImportJobs.importWiki>;

const script = new URL('wikiChild.ts', import.meta.url);
/** As long as a git server may think. */
const quietMs = 90_000;

/** Imports a wiki that is a git repository, as the other imports of content do: read in a process of its own, added in the job's last write. */
export function createImportWiki({ config, blobs }: { config: Config; blobs: BlobStore }): Import {
  return async (input, run) => {
    const { allow, refused, caFile } = config.outbound;
    return importGathered(input, {
      run,
      blobs,
      gather: async ({ folder, spool }) =>
        runLimited<WikiRequest, WikiEvent, GatheredContent>({
          script,
          request: {
            url: input.url ?? '',
            outbound: { allow, refused, ...(caFile && { caFile }) },
            limits: config.git,
            objects: join(folder, 'objects'),
            spool,
          },
          memoryMb: config.git.memoryMb,
          quietMs,
          signal: run.signal,
          onEvent: (event) => {
            if (event.kind === 'stage') run.progress(event.stage, event.done, event.total);
            else run.log('warning', event.message, event.path);
          },
          outOfMemory: () => new JobError('memory', 'Reading the wiki took more memory than it may.', { class: 'invalid' }),
          tooSlow: () => new JobError('limit', 'Reading the wiki took too long.'),
        }),
    });
  };
}
