import type { Job } from '@bindery/contract';
import type { JobRecord } from '@bindery/models';

/** The state of a job in the API; two of the states are not stored but derived. */
export function shownState({
  state,
  cancelRequestedAt,
  attempts,
}: Pick<JobRecord, 'state' | 'cancelRequestedAt' | 'attempts'>): Job['state'] {
  if (state === 'running' && cancelRequestedAt) return 'cancelling';
  if (state === 'queued' && attempts.at(-1)?.outcome === 'retried') return 'retrying';
  return state;
}

/** A filter for jobs that shownState gives this state. */
export function filterOfState(state: Job['state']): Record<string, unknown> {
  const isRetried = { $eq: [{ $last: '$attempts.outcome' }, 'retried'] };
  if (state === 'running') return { state, cancelRequestedAt: null };
  if (state === 'cancelling') return { state: 'running', cancelRequestedAt: { $ne: null } };
  if (state === 'queued') return { state, $expr: { $not: isRetried } };
  if (state === 'retrying') return { state: 'queued', $expr: isRetried };
  return { state };
}
