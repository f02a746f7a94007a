import { importSources } from '@bindery/contract';
import { z } from 'zod';
import { defineJob, type RetryPolicy } from './defineJob.ts';

/** Somebody waits for the answer, so an outage is bridged for a few seconds only. */
const shortRetry: RetryPolicy = { attempts: 3, baseMs: 300, capMs: 2_000 };

const shared = {
  kind: 'content-import',
  version: 1,
  input: z.object({
    spaceId: z.string(),
    /** The pages go into this change request; otherwise into the main content. */
    changeRequestId: z.string().optional(),
    /** Below this page; otherwise behind the last one. */
    page: z.string().optional(),
    source: z.enum(importSources),
    /** Never with a login in it. */
    url: z.string().optional(),
    /** Uploaded files in place of a URL: the keys of their blobs, and their names. */
    files: z.array(z.object({ key: z.string(), name: z.string() })).optional(),
    /** The site that the import was started for. */
    site: z.string().optional(),
  }),
  result: z.object({
    revision: z.string(),
    importedResources: z.int(),
    totalResources: z.int(),
    pages: z.array(z.object({ id: z.string(), type: z.enum(['page', 'folder']), sourceURL: z.string().optional() })),
  }),
  retry: shortRetry,
  maxWaitMs: 3_600_000,
  deadlineMs: 10 * 60_000,
} as const;

/** Jobs of apps/worker-maintenance. */
export const contentImportJobs = {
  importContent: defineJob({ ...shared, queue: 'maintenance' }),
};

/** The same kind of job for wikis that are git repositories: apps/worker-git has the reader of those. */
export const wikiImportJobs = {
  importWiki: defineJob({ ...shared, queue: 'git' }),
};
