import { parsingMemoryMb, treeBuildingMemoryMb } from '@bindery/content';
import { folderJobs, gitJobs, wikiImportJobs } from '@bindery/jobs';
import type { WorkerDescription } from '@bindery/worker';

const MB = 1024 * 1024;

export const gitWorker = {
  app: 'worker-git',
  jobs: { ...gitJobs, ...wikiImportJobs, ...folderJobs },
  // A wiki becomes pages of a tree; pages that a branch and a space both changed are merged.
  threadsMb: parsingMemoryMb + treeBuildingMemoryMb,
  // A child process unpacks a repository, or the archives of a folder beside it, into one file.
  eachJob: ({ git }) => ({ childHeapMb: git.memoryMb, temporaryMb: (2 * git.maxTotalBytes) / MB }),
} satisfies WorkerDescription;
