import { z } from 'zod';
import { defineJob, retries } from './defineJob.ts';

const content = {
  spaceId: z.string(),
  revision: z.string(),
  /** Only this page and the pages below it; with `only` it alone. */
  page: z.string().optional(),
  only: z.boolean(),
};

const shared = {
  queue: 'pdf',
  version: 1,
  /** `file` is the hash under which the organization's blobs have the PDF. */
  result: z.object({ file: z.string(), sizeBytes: z.int(), pages: z.int().optional() }),
  retry: retries.local,
  // Whoever wants it waits for it.
  maxWaitMs: 15 * 60_000,
  deadlineMs: 5 * 60_000,
} as const;

/** Jobs of apps/worker-pdf. */
export const pdfJobs = {
  printSpace: defineJob({ ...shared, kind: 'space-pdf', input: z.object(content) }),
  printChangeRequest: defineJob({ ...shared, kind: 'change-request-pdf', input: z.object({ changeRequestId: z.string(), ...content }) }),
};
