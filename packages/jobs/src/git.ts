import { z } from 'zod';
import { defineJob, retries } from './defineJob.ts';

const ImportInput = z.object({
  spaceId: z.string(),
  /** Without a login: that is sealed under the job's id. */
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
  standalone: z.boolean(),
  gitInfo: z.object({ provider: z.enum(['github', 'gitlab']), url: z.string() }).optional(),
});

/** Jobs of apps/worker-git. */
export const gitJobs = {
  importRepository: defineJob({
    kind: 'git-import',
    queue: 'git-import',
    version: 1,
    input: ImportInput,
    result: z.object({ revision: z.string(), commit: z.string(), unchanged: z.boolean(), standalone: z.boolean() }),
    retry: retries.network,
    deadlineMs: 30 * 60_000,
    lane: (input) => `git:${input.spaceId}`,
  }),
};
