import { FolderConflict, GitImportChanges, importSources } from '@bindery/contract';
import { z } from 'zod';
import { defineJob, retries, type RetryPolicy } from './defineJob.ts';

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

/** Jobs of apps/worker-git, which reads folders as it reads repositories. */
export const folderJobs = {
  importFolder: defineJob({
    kind: 'folder-import',
    queue: 'git',
    version: 1,
    input: z.object({
      spaceId: z.string(),
      /** Without it, the one that the last import of the folder opened, or a new one. */
      changeRequestId: z.string().optional(),
      /** ZIP archives: keys of the blobs, and names. */
      files: z.array(z.object({ key: z.string(), name: z.string() })),
      name: z.string(),
      /** Of a new change request. */
      subject: z.string(),
      /** Removes what the folder lacks. */
      prune: z.boolean(),
      /** Reports the changes and publishes nothing. */
      dryRun: z.boolean(),
    }),
    result: z.object({
      /** The one that the change request, or the space, has at the end. */
      revision: z.string(),
      unchanged: z.boolean(),
      dryRun: z.literal(true).optional(),
      /** Absent where none is needed. */
      changeRequest: z.string().optional(),
      changes: GitImportChanges,
      /** The revision of the main content that was looked for edits that a merge would override. */
      mainRevision: z.string(),
      /** How many pages and other things have edits that it overrides, or would override in a merge. */
      conflicts: z.int(),
      /** The first of them. */
      conflicting: z.array(FolderConflict),
      /** Nothing was written, because the change request itself has edits that would be overridden. */
      withheld: z.literal(true).optional(),
    }),
    retry: retries.local,
    maxWaitMs: 3_600_000,
    deadlineMs: 10 * 60_000,
    lane: ({ spaceId }) => `git:${spaceId}`,
  }),
};
