import { parsingMemoryMb } from '@bindery/content';
import { pdfJobs } from '@bindery/jobs';
import { mergingMemoryMb } from '@bindery/pdf';
import type { WorkerDescription } from '@bindery/worker';
import { renderingMemoryMb } from './book/rendering/pageRenderer.ts';

/** Processes and threads of one Chromium with two pages; 90 were counted. */
const browserTasks = 160;
/** The profile of a browser, with the memory that its processes share, and the PDF that is being written. */
const temporaryMb = 256;

export const pdfWorker = {
  app: 'worker-pdf',
  jobs: pdfJobs,
  threadsMb: parsingMemoryMb,
  // Each running job has a browser for itself, and threads that render its pages and merge its chunks.
  eachJob: ({ pdf }) => ({
    program: { memoryMb: pdf.memoryMb + renderingMemoryMb + mergingMemoryMb, tasks: browserTasks },
    temporaryMb,
  }),
} satisfies WorkerDescription;
