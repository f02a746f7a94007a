import {
  ExportConflictRule,
  GitExportChanges,
  GitImportChanges,
  GitMerge,
  ImportConflictRule,
} from '@bindery/contract';
import { z } from 'zod';
import { defineJob, retries } from './defineJob.ts';

const RemoteInput = z.object({
  spaceId: z.string(),
  /** Without a login: that is stored sealed, under the job's id. */
  url: z.string(),
  hasLogin: z.boolean(),
  ref: z.string(),
  repoCacheId: z.string().optional(),
  repoTreeUrl: z.string().optional(),
  repoCommitUrl: z.string().optional(),
  projectDirectory: z.string(),
  /** ISO 8601; orders imports and exports between the platform and the remote. */
  timestamp: z.string().optional(),
  force: z.boolean(),
  /** Leaves the content of the space unchanged. */
  standalone: z.boolean(),
  /** Reports the changes and writes nothing. */
  dryRun: z.boolean(),
  gitInfo: z.object({ provider: z.enum(['github', 'gitlab']), url: z.string() }).optional(),
});

/**
 * Fields of both directions. `revision` is the one the space shows or, for a standalone import, the one the
 * import made.
 */
const sharedResult = {
  revision: z.string(),
  unchanged: z.boolean(),
  standalone: z.boolean(),
  dryRun: z.literal(true).optional(),
  /** Absent unless both sides had changed and were merged. */
  merge: GitMerge.optional(),
};

const shared = {
  retry: retries.network,
  // Well before the sealed login expires.
  maxWaitMs: 24 * 3_600_000,
  deadlineMs: 30 * 60_000,
  lane: (input: { spaceId: string }) => `git:${input.spaceId}`,
  isGitSync: ({ standalone, dryRun }: { standalone: boolean; dryRun: boolean }) => !standalone && !dryRun,
} as const;

/** Jobs of apps/worker-git. */
export const gitJobs = {
  importRepository: defineJob({
    ...shared,
    kind: 'git-import',
    queue: 'git',
    version: 3,
    input: RemoteInput.extend({ onConflict: ImportConflictRule }),
    result: z.object({
      ...sharedResult,
      commit: z.string(),
      /** Set by a dry run. */
      changes: GitImportChanges.optional(),
      /** Pages that the import removed; `revision` still has them. Absent when none was removed. */
      replaced: z
        .object({
          revision: z.string(),
          pages: z.array(z.object({ id: z.string(), title: z.string() })),
          total: z.int(),
        })
        .optional(),
    }),
    upgrades: {
      // A worker of version 1 would run a dry run as a real import.
      1: (input) => ({ ...input, dryRun: false }),
      // A worker of version 2 would replace what it has to merge.
      2: (input) => ({ ...input, onConflict: 'branch' }),
    },
  }),
  exportRepository: defineJob({
    ...shared,
    kind: 'git-export',
    queue: 'git',
    version: 2,
    input: RemoteInput.extend({ commitMessage: z.string(), onConflict: ExportConflictRule }),
    result: z.object({
      ...sharedResult,
      /** Absent without a branch and without anything to commit. */
      commit: z.string().optional(),
      /** Set by a dry run. */
      changes: GitExportChanges.optional(),
      /** The revision that was exported. */
      exported: z.string(),
      /** The number of changed files in the repository. */
      files: z.object({ written: z.int(), removed: z.int() }).optional(),
    }),
    upgrades: { 1: (input) => ({ ...input, onConflict: 'fail' }) },
  }),
};
