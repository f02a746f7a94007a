import { z } from 'zod';
import { defineJob, retries } from './defineJob.ts';

/** Jobs of apps/worker-openapi. */
export const openapiJobs = {
  /**
   * Fetches, checks and stores a specification. Its record holds the source; a run with an outdated source is
   * superseded.
   *
   * Errors in the document are findings, published by a job that succeeds; a document that cannot be fetched
   * fails the job.
   */
  processSpec: defineJob({
    kind: 'openapi-processing',
    queue: 'openapi',
    version: 1,
    input: z.object({ specId: z.string(), sourceRevision: z.int() }),
    result: z.object({
      version: z.string().optional(),
      unchanged: z.boolean(),
      errorCode: z.string().optional(),
    }),
    retry: retries.network,
    maxWaitMs: 24 * 3_600_000,
    deadlineMs: 5 * 60_000,
    lane: (input) => `openapi:${input.specId}`,
  }),
  /**
   * Compares a published version with the one before, judges its style, and tries it with a widely used
   * parser. Separate from `processSpec`, because it may take longer, and a version does not wait for it.
   */
  reviewVersion: defineJob({
    kind: 'openapi-review',
    queue: 'openapi',
    version: 1,
    input: z.object({ versionId: z.string() }),
    result: z.object({
      breaking: z.int().optional(),
      warning: z.int().optional(),
      info: z.int().optional(),
    }),
    retry: retries.local,
    maxWaitMs: 24 * 3_600_000,
    deadlineMs: 5 * 60_000,
    lane: (input) => `openapi-review:${input.versionId}`,
  }),
};
