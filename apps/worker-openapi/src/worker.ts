import { openapiJobs } from '@bindery/jobs';
import type { WorkerDescription } from '@bindery/worker';

/** The source as received, and the documents that are made of it: several times 64 MB. */
const temporaryMb = 512;

export const openapiWorker = {
  app: 'worker-openapi',
  jobs: openapiJobs,
  // A child process fetches and reads the specification.
  eachJob: ({ openapi }) => ({ childHeapMb: openapi.memoryMb, temporaryMb }),
} satisfies WorkerDescription;
