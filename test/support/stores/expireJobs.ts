import { keepOutcomes, publishSyncEvents } from '@bindery/jobs';
import { jobCollection } from '@bindery/models';

/**
 * Removes the records of jobs that have ended, as MongoDB does when their time is over: only those that have a time to expire at.
 *
 * @throws when one of the jobs named has none
 */
export async function expireJobs(...ids: string[]): Promise<void> {
  while (await publishSyncEvents());
  while (await keepOutcomes());
  await jobCollection().deleteMany({ expireAt: { $exists: true } });
  const left = await jobCollection().findOne({ _id: { $in: ids } });
  if (left) throw new Error(`The record of the job ${left._id} does not expire: ${JSON.stringify(left)}`);
}
