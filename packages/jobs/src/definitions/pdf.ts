import { z } from 'zod';
import { defineJob, retries } from './defineJob.ts';

const content = {
  spaceId: z.string(),
  revision: z.string(),
  /** Prints only this page and its descendants; with `only`, the page alone. */
  page: z.string().optional(),
  only: z.boolean(),
};

const shared = {
  queue: 'pdf',
  version: 1,
  /** `file` is the hash of the PDF among the organization's blobs. */
  result: z.object({ file: z.string(), sizeBytes: z.int(), pages: z.int().optional() }),
  retry: retries.local,
  // A user waits for the PDF.
  maxWaitMs: 15 * 60_000,
  deadlineMs: 5 * 60_000,
} as const;

/** Jobs of apps/worker-pdf. */
export const pdfJobs = {
  printSpace: defineJob({ ...shared, kind: 'space-pdf', input: z.object(content) }),
  printChangeRequest: defineJob({
    ...shared,
    kind: 'change-request-pdf',
    input: z.object({ changeRequestId: z.string(), ...content }),
  }),
};
