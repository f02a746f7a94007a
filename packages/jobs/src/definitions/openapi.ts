import { z } from 'zod';
import { defineJob, retries } from './defineJob.ts';

/** Jobs of apps/worker-openapi. */
export const openapiJobs = {
  /**
   * Fetches, checks and stores a specification. The source is in its record; a source that is not the newest any more is superseded.
   *
   * What is wrong with the document is a finding, which the job publishes with success; what keeps it from being fetched is a failure of the job.
   */
  processSpec: defineJob({
    kind: 'openapi-processing',
    queue: 'openapi',
    version: 1,
    input: z.object({ specId: z.string(), sourceRevision: z.int() }),
    result: z.object({ version: z.string().optional(), unchanged: z.boolean(), errorCode: z.string().optional() }),
    retry: retries.network,
    maxWaitMs: 24 * 3_600_000,
    deadlineMs: 5 * 60_000,
    lane: (input) => `openapi:${input.specId}`,
  }),
};
