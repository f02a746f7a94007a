import { jobCollection, JobLimit, jobLimitId, type JobLimitRecord } from '@bindery/models';
import { limitsOf, operatorLimits } from '../queue/kindLimits.ts';
import { release } from './putAside.ts';

/** Stores a limit: workers obey it within two seconds, and running jobs continue. */
export async function storeLimit(limit: Omit<JobLimitRecord, '_id'>): Promise<void> {
  await JobLimit.replaceOne({ _id: jobLimitId(limit) }, limit, { upsert: true });
  operatorLimits.forget();
  await recoverLimited(limit.kind);
}

/** Removes a limit. @returns whether there was one */
export async function removeLimit(
  limit: Pick<JobLimitRecord, 'kind' | 'per' | 'organization'>,
): Promise<boolean> {
  const { deletedCount } = await JobLimit.deleteOne({ _id: jobLimitId(limit) });
  operatorLimits.forget();
  await recoverLimited(limit.kind);
  return deletedCount === 1;
}

const isAside = { 'waiting.reason': 'limit' } as const;

/**
 * Releases jobs that were put aside and may start now: those of a change, and those that a worker put aside
 * at the same moment, which the sweeper finds. Costs some looks at an index for each organization that an
 * operator lets run none, and one without any.
 */
export async function recoverLimited(only?: string): Promise<void> {
  for (let kind = ''; ;) {
    const next = await jobCollection().findOne(
      { ...isAside, kind: only ?? { $gt: kind } },
      { sort: { kind: 1 }, projection: { kind: 1 } },
    );
    if (!next) return;
    ({ kind } = next);
    await recoverOrganizations(kind);
    if (only !== undefined) return;
  }
}

async function recoverOrganizations(kind: string): Promise<void> {
  for (let organization = ''; ;) {
    const next = await jobCollection().findOne(
      { ...isAside, kind, organization: { $gt: organization } },
      { sort: { organization: 1 }, projection: { organization: 1 } },
    );
    if (!next) return;
    ({ organization } = next);
    if ((await limitsOf(kind, organization)).ofOrganization !== 0)
      await release({ ...isAside, kind, organization });
  }
}
