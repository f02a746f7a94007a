import { pdfPageSizes } from '@bindery/contract';
import { z } from 'zod';
import { defineJob, retries } from './defineJob.ts';

/**
 * Everything that decides the bytes of a PDF, beside the content of the revision and the renderer: a run that
 * is repeated after a crash prints the same, also when the space has been renamed in between.
 */
const book = {
  spaceId: z.string(),
  revision: z.string(),
  /** Prints only this page and its descendants; with `only`, the page alone. */
  page: z.string().optional(),
  only: z.boolean(),
  pageSize: z.enum(pdfPageSizes),
  title: z.string(),
  author: z.string(),
  language: z.string(),
  /** The hash of a picture among the organization's blobs, and its media type. */
  logo: z.object({ blob: z.string(), type: z.string() }).optional(),
  /** Where links to pages that are not printed lead. */
  appUrl: z.string(),
  /**
   * The versions of the API specifications that the content names and that whoever asked may see, by the
   * names in the content. Their operations are printed; others are only named.
   */
  specs: z.record(z.string(), z.string()).optional(),
};

const shared = {
  queue: 'pdf',
  version: 2,
  result: z.object({
    /** The hash of the PDF among the organization's blobs. */
    file: z.string(),
    sizeBytes: z.int(),
    /** Pages of the space, and sheets of paper. */
    pages: z.int().optional(),
    sheets: z.int().optional(),
    /** The `outputVersion` of the worker that printed it. */
    renderer: z.string().optional(),
  }),
  retry: retries.local,
  // A user waits for the PDF.
  maxWaitMs: 15 * 60_000,
  // The largest book has 10,000 sheets; smaller ones have shorter limits of their own. Ten minutes of it are
  // for pages that fail.
  deadlineMs: 30 * 60_000,
} as const;

/** Jobs of apps/worker-pdf. */
export const pdfJobs = {
  printSpace: defineJob({ ...shared, kind: 'space-pdf', input: z.object(book) }),
  printChangeRequest: defineJob({
    ...shared,
    kind: 'change-request-pdf',
    input: z.object({
      ...book,
      changeRequestId: z.string(),
      number: z.int(),
      subject: z.string(),
      /** Prints only what differs from this revision. */
      changesFrom: z.string().optional(),
    }),
  }),
};
