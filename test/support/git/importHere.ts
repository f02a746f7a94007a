import { acceptJob, gitJobs, openQueues, type JobDefinition, type JobRequest } from '@bindery/jobs';
import { jobCollection } from '@bindery/models';
import { createLogger, type Config } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import { createExportRepository } from '../../../apps/worker-git/src/sync/export/exportRepository.ts';
import { createImportRepository } from '../../../apps/worker-git/src/sync/import/importRepository.ts';
import { dispatchId } from '../../../packages/jobs/src/queue/dispatch.ts';
import { runJob, type AnyProcessor } from '../../../packages/jobs/src/worker/runJob.ts';
import { claimJob } from '../../../packages/jobs/src/state/claims.ts';
import { createReaderHere } from './readHere.ts';

/** Jobs that no worker takes, because no worker serves this queue in a lab. */
const importing = { ...gitJobs.importRepository, queue: 'translation' as const };
const exporting = { ...gitJobs.exportRepository, queue: 'translation' as const };

type Parts = { config: Config; blobs: BlobStore };

/**
 * Accepts an import and runs it in this process, whatever workers there are; for the set-up of a test.
 *
 * @throws Error when it does not succeed
 */
export async function importHere(request: JobRequest<typeof importing.input>, parts: Parts): Promise<void> {
  const { _id, dispatch } = await acceptJob(importing, request);
  await runHere(
    { _id, dispatch, definition: importing, ...parts },
    createImportRepository({ ...parts, reader: createReaderHere() }),
  );
}

/** The same for an export. */
export async function exportHere(request: JobRequest<typeof exporting.input>, parts: Parts): Promise<void> {
  const { _id, dispatch } = await acceptJob(exporting, request);
  await runHere(
    { _id, dispatch, definition: exporting, ...parts },
    createExportRepository({ ...parts, reader: createReaderHere() }),
  );
}

async function runHere(
  {
    _id,
    dispatch,
    definition,
    config,
  }: { _id: string; dispatch: number; definition: typeof importing | typeof exporting; config: Config },
  processor: unknown,
): Promise<void> {
  const { leaseMs } = config.jobs;
  const claim = await claimJob(
    { id: _id, dispatch },
    {
      worker: 'test',
      known: [definition],
      deadlineMs: () => definition.deadlineMs,
      leaseMs,
    },
  );
  if ('refused' in claim) throw new Error(`The job cannot be claimed: ${claim.refused}.`);
  const queue = openQueues().find(({ name }) => name === definition.queue);
  await queue?.remove(dispatchId({ _id, dispatch }));
  const logger = createLogger({ log: { level: 'silent' } }, { app: 'test' });
  const known = definition as unknown as JobDefinition;
  await runJob(claim.job, { definition: known, processor: processor as AnyProcessor, leaseMs, logger }).done;
  const job = await jobCollection().findOne({ _id });
  if (job?.state !== 'succeeded')
    throw new Error(`The job ended as ${job?.state}: ${JSON.stringify(job?.error)}`);
}
