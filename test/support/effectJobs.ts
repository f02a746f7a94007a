import { defineJob } from '@bindery/jobs';
import { z } from 'zod';

/** A job type whose one effect is a document, so that effects can be counted (effectWorker.ts). */
export const effectJobs = {
  makeEffect: defineJob({
    kind: 'test-effect',
    queue: 'maintenance',
    version: 1,
    /** `endsItsWorker`: after half of its time. */
    input: z.object({ workMs: z.number(), endsItsWorker: z.boolean().default(false) }),
    result: z.object({}),
    retry: { tries: 5, baseMs: 100, capMs: 1_000 },
    deadlineMs: 120_000,
  }),
};

export const effectCollection = 'testEffects';
