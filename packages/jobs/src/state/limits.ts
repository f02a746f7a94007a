import { JobLimit, jobLimitId, type JobLimitRecord } from '@bindery/models';
import { limitsOf, operatorLimits } from '../queue/kindLimits.ts';
import { groupsAside, release } from './putAside.ts';

/** Stores a limit: workers obey it within two seconds, and running jobs continue. */
export async function storeLimit(limit: Omit<JobLimitRecord, '_id'>): Promise<void> {
  await JobLimit.replaceOne({ _id: jobLimitId(limit) }, limit, { upsert: true });
  operatorLimits.forget();
  await recoverKind(limit.kind);
}

/** Removes a limit. @returns whether there was one */
export async function removeLimit(
  limit: Pick<JobLimitRecord, 'kind' | 'per' | 'organization'>,
): Promise<boolean> {
  const { deletedCount } = await JobLimit.deleteOne({ _id: jobLimitId(limit) });
  operatorLimits.forget();
  await recoverKind(limit.kind);
  return deletedCount === 1;
}

const isAside = { 'waiting.reason': 'limit' } as const;

/**
 * Releases jobs that were put aside and may start now: those that a worker put aside at the moment of a
 * change. Costs some looks at an index for each organization that an operator lets run none, and one without
 * any.
 */
export async function recoverLimited(): Promise<void> {
  for await (const kind of groupsAside(isAside, 'kind')) await recoverKind(kind);
}

async function recoverKind(kind: string): Promise<void> {
  for await (const organization of groupsAside({ ...isAside, kind }, 'organization'))
    if ((await limitsOf(kind, organization)).ofOrganization !== 0)
      await release({ ...isAside, kind, organization });
}
