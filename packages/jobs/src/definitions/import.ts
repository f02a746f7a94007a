import { importSources } from '@bindery/contract';
import { z } from 'zod';
import { defineJob, type RetryPolicy } from './defineJob.ts';

/** A user waits for the answer, so retries bridge an outage of a few seconds only. */
const shortRetry: RetryPolicy = { attempts: 3, baseMs: 300, capMs: 2_000 };

const shared = {
  kind: 'content-import',
  version: 1,
  input: z.object({
    spaceId: z.string(),
    /** The change request that receives the pages; without it, the main content does. */
    changeRequestId: z.string().optional(),
    /** The parent of the new pages; without it they come after the last page. */
    page: z.string().optional(),
    source: z.enum(importSources),
    /** Never with a login in it. */
    url: z.string().optional(),
    /** Keys of the blobs and names of uploaded files, in place of a URL. */
    files: z.array(z.object({ key: z.string(), name: z.string() })).optional(),
    /** The site that the import was started for. */
    site: z.string().optional(),
  }),
  result: z.object({
    revision: z.string(),
    importedResources: z.int(),
    totalResources: z.int(),
    pages: z.array(
      z.object({ id: z.string(), type: z.enum(['page', 'folder']), sourceURL: z.string().optional() }),
    ),
  }),
  retry: shortRetry,
  maxWaitMs: 3_600_000,
  deadlineMs: 10 * 60_000,
} as const;

/** Jobs of apps/worker-maintenance. */
export const contentImportJobs = {
  importContent: defineJob({ ...shared, queue: 'maintenance' }),
};

/** The same kind of job for wikis in git repositories, which only apps/worker-git can read. */
export const wikiImportJobs = {
  importWiki: defineJob({ ...shared, queue: 'git' }),
};
