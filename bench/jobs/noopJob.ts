import { defineJob, retries } from '@bindery/jobs';
import { z } from 'zod';

const shared = {
  queue: 'maintenance',
  version: 1,
  retry: retries.local,
  maxWaitMs: 3_600_000,
  deadlineMs: 60_000,
} as const;

export const noopJobs = {
  /** A job that does nothing, so that only the job layer is measured. */
  doNothing: defineJob({
    ...shared,
    kind: 'noop',
    input: z.object({ n: z.number() }),
    result: z.object({ n: z.number() }),
  }),
  /** A job that keeps its slot for `ms` milliseconds. */
  sleep: defineJob({ ...shared, kind: 'sleep', input: z.object({ ms: z.number() }), result: z.object({}) }),
};

export const concurrency = 50;
