import { isFinal, type GitSync } from '@bindery/contract';
import { jobCollection, type JobRecord } from '@bindery/models';
import { apiUrl } from '../../platform.ts';

/** The newest import or export of a space that has started, as git sync shows it. */
export async function findLastOperation(spaceId: string): Promise<Pick<GitSync, 'operation'>> {
  const job = await jobCollection().findOne(
    {
      'subject.id': spaceId,
      kind: { $in: ['git-import', 'git-export'] },
      startedAt: { $exists: true },
      'input.standalone': { $ne: true },
      'input.dryRun': { $ne: true },
    },
    { sort: { createdAt: -1 }, projection: { kind: 1, state: 1, startedAt: 1, finishedAt: 1, error: 1 } },
  );
  if (!job?.startedAt) return {};
  const state = stateOf(job);
  return {
    operation: {
      state,
      direction: job.kind === 'git-export' ? 'export' : 'import',
      startedAt: job.startedAt.toISOString(),
      ...(job.finishedAt && { endedAt: job.finishedAt.toISOString() }),
      ...(job.error && state !== 'success' && { error: job.error.message }),
      ...(job.error?.action && state !== 'success' && { errorAction: { label: job.error.action, url: apiUrl(`/jobs/${job._id}`) } }),
    },
  };
}

function stateOf({ state }: Pick<JobRecord, 'state'>): NonNullable<GitSync['operation']>['state'] {
  if (!isFinal(state)) return 'running';
  if (state === 'timed_out') return 'timeout';
  // An event that a newer one overtook did all that was to be done.
  return state === 'succeeded' || state === 'superseded' ? 'success' : 'failure';
}
