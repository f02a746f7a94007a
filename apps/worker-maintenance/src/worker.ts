import { parsingMemoryMb, treeBuildingMemoryMb } from '@bindery/content';
import { contentImportJobs } from '@bindery/jobs';
import type { WorkerDescription } from '@bindery/worker';

/** An archive holds 200 MB at most, and lies beside what is taken out of it; what needs more fails, and says so. */
const temporaryMb = 256;

export const maintenanceWorker = {
  app: 'worker-maintenance',
  jobs: contentImportJobs,
  // The search index is made of documents, and an import adds to a tree of pages.
  threadsMb: parsingMemoryMb + treeBuildingMemoryMb,
  // What strangers wrote is read by a process of its own.
  eachJob: ({ contentImport }) => ({ childHeapMb: contentImport.memoryMb, temporaryMb }),
} satisfies WorkerDescription;
