import { JobLimit, jobLimitId, type JobLimitRecord, type JobWaiting } from '@bindery/models';
import { followRecords } from '../state/followRecords.ts';
import { jobClient } from './client.ts';

/**
 * Operators limit how many jobs of a kind run at once by records in MongoDB, which survive restarts and hold
 * for all workers; without a record the configuration holds. Running jobs of a process are counted in it,
 * those of an organization by their seats (seats.ts).
 */

const ageMs = 1_000;

/** The reason of a job whose organization may run none of its kind: it is put aside (putAside.ts). */
export const waitingForLimit: JobWaiting = {
  reason: 'limit',
  message:
    'An operator lets no jobs of this kind run in its organization; it starts when the limit is raised.',
};

/** All limits that operators have set. */
export const operatorLimits = followRecords(async () => {
  const found = await JobLimit.find({}, { limit: 1 }).lean<Pick<JobLimitRecord, '_id' | 'limit'>[]>();
  return new Map(found.map(({ _id, limit }) => [_id, limit]));
}, ageMs);

/** How many jobs of a kind may run at once in a process and of an organization; absent without a limit. */
export type Limits = { ofProcess?: number | undefined; ofOrganization?: number | undefined };

/** The limits of a kind, as of the last second. An organization's own limit comes before that of all. */
export async function limitsOf(kind: string, organization: string): Promise<Limits> {
  const { concurrencyOfKind, perOrganization } = jobClient().config.jobs;
  const set = await operatorLimits.current();
  return {
    ofProcess: set.get(jobLimitId({ kind, per: 'process' })) ?? concurrencyOfKind[kind],
    ofOrganization:
      set.get(jobLimitId({ kind, per: 'organization', organization })) ??
      set.get(jobLimitId({ kind, per: 'organization' })) ??
      perOrganization[kind],
  };
}
