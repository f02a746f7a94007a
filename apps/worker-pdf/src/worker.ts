import { pdfJobs } from '@bindery/jobs';
import type { WorkerDescription } from '@bindery/worker';

/** Processes and threads of one Chromium with two pages; 90 were counted. */
const browserTasks = 160;
/** The profile of a browser, with the memory that its processes share, and the PDF that is being written. */
const temporaryMb = 256;

export const pdfWorker = {
  app: 'worker-pdf',
  jobs: pdfJobs,
  // Each running job has a browser for itself.
  eachJob: ({ pdf }) => ({ program: { memoryMb: pdf.memoryMb, tasks: browserTasks }, temporaryMb }),
} satisfies WorkerDescription;
