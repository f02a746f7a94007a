import type { Processor, pdfJobs } from '@bindery/jobs';

/** The input of both kinds of jobs that print. */
export type PdfBook = Parameters<Processor<typeof pdfJobs.printSpace>>[0] &
  Partial<Parameters<Processor<typeof pdfJobs.printChangeRequest>>[0]>;
