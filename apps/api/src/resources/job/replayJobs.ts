import { ApiError } from '@bindery/contract';
import { retryJob } from '@bindery/jobs';
import { jobCollection } from '@bindery/models';
import { compact } from '@bindery/runtime';
import { withoutHiddenSubjects } from './hiddenSubjects.ts';

const maxJobs = 1_000;

/**
 * Runs the ended jobs of an organization that match a filter again; a dry run only lists them. Skips jobs
 * that are retried concurrently.
 */
export async function replayJobs(
  organization: string,
  {
    kind,
    state,
    code,
    dryRun,
  }: {
    kind?: string | undefined;
    state: 'failed' | 'cancelled' | 'timed_out';
    code?: string | undefined;
    dryRun: boolean;
  },
): Promise<{ jobs: string[]; replayed: number; dryRun: boolean }> {
  const found = await jobCollection()
    .find(
      {
        organization,
        state,
        startedIn: { $exists: false },
        ...compact({ kind, 'error.code': code as never }),
        ...(await withoutHiddenSubjects(organization, { role: 'admin', user: '', teams: [] })),
      },
      { projection: { _id: 1 } },
    )
    .sort({ createdAt: 1 })
    .limit(maxJobs)
    .toArray();
  const jobs = found.map(({ _id }) => _id);
  let replayed = 0;
  for (const id of dryRun ? [] : jobs) {
    try {
      await retryJob(id);
      replayed += 1;
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'conflict')) throw error;
    }
  }
  return { jobs, replayed, dryRun };
}
