import { acceptJob, gitJobs, openQueues, type JobDefinition, type JobRequest } from '@bindery/jobs';
import { jobCollection } from '@bindery/models';
import { createLogger, type Config } from '@bindery/runtime';
import type { BlobStore } from '@bindery/storage';
import { createImportRepository } from '../../apps/worker-git/src/importRepository.ts';
import { dispatchId } from '../../packages/jobs/src/dispatch.ts';
import { runJob, type AnyProcessor } from '../../packages/jobs/src/runJob.ts';
import { claimJob } from '../../packages/jobs/src/transitions.ts';
import { createReaderHere } from './readHere.ts';

/** An import that no worker takes: none serves this queue in a lab. */
const definition = { ...gitJobs.importRepository, queue: 'pdf' as const };

/**
 * Accepts an import and runs it in this process, whatever workers there are: for what a test needs before it begins.
 *
 * @throws Error when it does not succeed
 */
export async function importHere(
  request: JobRequest<typeof definition.input>,
  { config, blobs }: { config: Config; blobs: BlobStore },
): Promise<void> {
  const { leaseMs } = config.jobs;
  const { _id, dispatch } = await acceptJob(definition, request);
  const claim = await claimJob(_id, dispatch, { worker: 'test', known: [definition], deadlineMs: () => definition.deadlineMs, leaseMs });
  if ('refused' in claim) throw new Error(`The import cannot be claimed: ${claim.refused}.`);
  const queue = openQueues().find(({ name }) => name === definition.queue);
  await queue?.remove(dispatchId({ _id, dispatch }));
  const processor = createImportRepository({ config, reader: createReaderHere(), blobs }) as AnyProcessor;
  const logger = createLogger({ log: { level: 'silent' } }, { app: 'test' });
  await runJob(claim.job, { definition: definition as unknown as JobDefinition, processor, leaseMs, logger }).done;
  const job = await jobCollection().findOne({ _id });
  if (job?.state !== 'succeeded') throw new Error(`The import ended as ${job?.state}: ${JSON.stringify(job?.error)}`);
}
