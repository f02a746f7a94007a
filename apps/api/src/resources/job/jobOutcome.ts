import { findOutcomes, jobCollection, type JobRecord } from '@bindery/models';
import { shownState } from './shownState.ts';

/** The state of a job that a resource refers to. */
export type WorkingJob = Pick<
  JobRecord,
  '_id' | 'state' | 'cancelRequestedAt' | 'attempts' | 'error' | 'finishedAt'
>;

/** The jobs with these ids: their records, or the stored outcomes of expired ones. */
export async function findWorkingJobs(ids: readonly string[]): Promise<ReadonlyMap<string, WorkingJob>> {
  const projection = { state: 1, cancelRequestedAt: 1, attempts: 1, error: 1, finishedAt: 1 } as const;
  const jobs = await jobCollection()
    .find({ _id: { $in: [...ids] } }, { projection })
    .toArray();
  const found = new Map<string, WorkingJob>(jobs.map((job) => [job._id, job]));
  const expired = ids.filter((id) => !found.has(id));
  const kept = expired.length === 0 ? [] : await findOutcomes({ job: { $in: expired } });
  for (const job of kept) found.set(job._id, job);
  return found;
}

/**
 * The phase of a job for its observers: `waiting` until a worker takes it, `working` (also between two
 * attempts), or `ended`.
 */
export function phaseOf(job: WorkingJob | undefined): 'waiting' | 'working' | 'ended' {
  if (!job) return 'ended';
  const state = shownState(job);
  if (state === 'accepted' || state === 'queued') return 'waiting';
  return state === 'running' || state === 'cancelling' || state === 'retrying' ? 'working' : 'ended';
}
