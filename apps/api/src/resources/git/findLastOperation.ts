import { isFinal, type GitSync } from '@bindery/contract';
import { gitJobs, lastGitOperationKey } from '@bindery/jobs';
import { findOutcomes, jobCollection, type JobRecord } from '@bindery/models';
import type { Links } from '../../presenters/links.ts';

/**
 * The newest started import or export of a space; jobs of an organization that transferred the space do not
 * count.
 */
export async function findLastOperation(spaceId: string, links: Links): Promise<Pick<GitSync, 'operation'>> {
  const job = await findLastSync(spaceId);
  if (!job?.startedAt) return {};
  const state = stateOf(job);
  const error = state === 'success' ? undefined : job.error;
  return {
    operation: {
      state,
      direction: job.kind === gitJobs.exportRepository.kind ? 'export' : 'import',
      startedAt: job.startedAt.toISOString(),
      endedAt: job.finishedAt?.toISOString(),
      error: error?.message,
      errorAction: error?.action ? { label: error.action, url: links.api(`/jobs/${job._id}`) } : undefined,
    },
  };
}

type Sync = Pick<JobRecord, '_id' | 'kind' | 'state' | 'createdAt' | 'startedAt' | 'finishedAt' | 'error'>;

/** The newest job, or its stored outcome when its record has expired. */
async function findLastSync(spaceId: string): Promise<Sync | null> {
  const job = await jobCollection().findOne<Sync>(
    {
      'subject.id': spaceId,
      kind: { $in: [gitJobs.importRepository.kind, gitJobs.exportRepository.kind] },
      startedIn: { $exists: false },
      startedAt: { $exists: true },
      'input.standalone': { $ne: true },
      'input.dryRun': { $ne: true },
    },
    {
      sort: { createdAt: -1 },
      projection: { kind: 1, state: 1, createdAt: 1, startedAt: 1, finishedAt: 1, error: 1 },
    },
  );
  const [kept] = await findOutcomes({ _id: lastGitOperationKey(spaceId), startedIn: { $exists: false } });
  return kept && (!job || kept.createdAt > job.createdAt) ? kept : job;
}

function stateOf({ state }: Pick<JobRecord, 'state'>): NonNullable<GitSync['operation']>['state'] {
  if (!isFinal(state)) return 'running';
  if (state === 'timed_out') return 'timeout';
  // A newer job has done the work of a superseded one.
  return state === 'succeeded' || state === 'superseded' ? 'success' : 'failure';
}
