import { parsingMemoryMb, treeBuildingMemoryMb } from '@bindery/content';
import { contentImportJobs } from '@bindery/jobs';
import type { WorkerDescription } from '@bindery/worker';

/**
 * An archive contains at most 200 MB and is stored beside its extracted files; beyond that the import fails
 * with an explanation.
 */
const temporaryMb = 256;

export const maintenanceWorker = {
  app: 'worker-maintenance',
  jobs: contentImportJobs,
  upgradesDatabase: true,
  // Indexing parses documents, and an import adds to a page tree.
  threadsMb: parsingMemoryMb + treeBuildingMemoryMb,
  // A child process reads untrusted content.
  eachJob: ({ contentImport }) => ({ childHeapMb: contentImport.memoryMb, temporaryMb }),
} satisfies WorkerDescription;
