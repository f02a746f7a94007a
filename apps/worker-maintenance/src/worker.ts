import { parsingMemoryMb, treeBuildingMemoryMb } from '@bindery/content';
import { contentImportJobs } from '@bindery/jobs';
import type { WorkerDescription } from '@bindery/worker';

/**
 * Uploaded files have at most 200 MB together, and so has what is taken out of them, which is stored beside;
 * beyond that the import fails with an explanation.
 */
const temporaryMb = 456;

export const maintenanceWorker = {
  app: 'worker-maintenance',
  jobs: contentImportJobs,
  upgradesDatabase: true,
  // Indexing parses documents, and an import adds to a page tree.
  threadsMb: parsingMemoryMb + treeBuildingMemoryMb,
  // A child process reads untrusted content.
  eachJob: ({ contentImport }) => ({ childHeapMb: contentImport.memoryMb, temporaryMb }),
} satisfies WorkerDescription;
