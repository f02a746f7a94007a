import type { Processor, pdfJobs } from '@bindery/jobs';

/** What a job prints: its input, for both kinds of jobs. */
export type PdfBook = Parameters<Processor<typeof pdfJobs.printSpace>>[0] &
  Partial<Parameters<Processor<typeof pdfJobs.printChangeRequest>>[0]>;
