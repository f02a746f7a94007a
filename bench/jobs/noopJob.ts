import { defineJob, retries } from '@bindery/jobs';
import { z } from 'zod';

/** A job that does nothing: what is left is the job layer. */
export const noopJobs = {
  doNothing: defineJob({
    kind: 'noop',
    queue: 'maintenance',
    version: 1,
    input: z.object({ n: z.number() }),
    result: z.object({ n: z.number() }),
    retry: retries.local,
    maxWaitMs: 3_600_000,
    deadlineMs: 60_000,
  }),
};

export const concurrency = 50;
