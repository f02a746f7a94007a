import { keepOutcomes, publishSyncEvents } from '@bindery/jobs';
import { jobCollection } from '@bindery/models';

/**
 * Removes the records of ended jobs that have an expiry, as MongoDB does when it is reached.
 *
 * @throws when one of the named jobs has none
 */
export async function expireJobs(...ids: string[]): Promise<void> {
  while (await publishSyncEvents());
  while (await keepOutcomes());
  await jobCollection().deleteMany({ expireAt: { $exists: true } });
  const left = await jobCollection().findOne({ _id: { $in: ids } });
  if (left) throw new Error(`The record of the job ${left._id} does not expire: ${JSON.stringify(left)}`);
}
