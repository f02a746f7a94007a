import { apertiumNeeds } from '@bindery/engines';
import { translationJobs } from '@bindery/jobs';
import type { WorkerDescription } from '@bindery/worker';

export const translationWorker = {
  app: 'worker-translation',
  jobs: translationJobs,
  concurrency: {
    variable: 'BINDERY_TRANSLATION_CONCURRENCY',
    of: ({ translation }) => translation.concurrency,
  },
  // Jobs with different languages use different programs of Apertium.
  eachJob: ({ translation }) => (translation.engine === 'apertium' ? { program: apertiumNeeds } : {}),
} satisfies WorkerDescription;
