import { acceptJob, gitJobs, startWorker, type Outcome, type Run } from '@bindery/jobs';
import type { JobRecord, SpaceRecord } from '@bindery/models';
import { claimJob } from '../../../packages/jobs/src/state/claims.ts';
import { importRequest } from '../importRequest.ts';
import type { JobLab } from '../processes/jobLab.ts';

/** The result of an import that made a revision. */
export const syncResult = {
  revision: 'the-new-revision',
  commit: 'c0ffee',
  unchanged: false,
  standalone: false,
};

/** Accepts an import of a space like the API. There is no repository: the test defines the run. */
export function acceptImport(
  space: SpaceRecord,
  { supersedes, ...input }: { standalone?: boolean; dryRun?: boolean; supersedes?: 'unstarted' } = {},
): Promise<JobRecord> {
  return acceptJob(gitJobs.importRepository, {
    ...importRequest(space, input),
    ...(supersedes && { supersedes }),
  });
}

/** Starts a worker of the lab whose imports call `how`. */
export async function startImporting(
  lab: JobLab,
  how: (run: Run) => Promise<Outcome<typeof syncResult>>,
): Promise<void> {
  const importRepository = async (_input: unknown, run: Run) => how(run);
  const exportRepository = async (): Promise<never> => Promise.reject(new Error('Nothing is exported here.'));
  const options = { app: 'test', concurrency: 2, config: lab.config, logger: lab.logger };
  lab.stopAtReset(await startWorker(gitJobs, { importRepository, exportRepository }, options));
}

/** Claims an import for a worker that does nothing with it. */
export function claimImport({ _id, dispatch }: JobRecord) {
  const known = [gitJobs.importRepository];
  return claimJob(
    { id: _id, dispatch },
    { worker: 'dying', known, deadlineMs: () => 60_000, leaseMs: 60_000 },
  );
}
