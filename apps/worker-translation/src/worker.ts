import { parsingMemoryMb } from '@bindery/content';
import { apertiumNeeds } from '@bindery/engines';
import { translationJobs } from '@bindery/jobs';
import type { WorkerDescription } from '@bindery/worker';
import { pageMemoryMb } from './run/pages.ts';

export const translationWorker = {
  app: 'worker-translation',
  jobs: translationJobs,
  concurrency: {
    variable: 'BINDERY_TRANSLATION_CONCURRENCY',
    of: ({ translation }) => translation.concurrency,
  },
  // Threads that merge edits of the result, and threads that cut and join pages.
  threadsMb: parsingMemoryMb + pageMemoryMb,
  // Jobs with different languages use different programs of Apertium.
  eachJob: ({ translation }) => (translation.engines.includes('apertium') ? { program: apertiumNeeds } : {}),
} satisfies WorkerDescription;
