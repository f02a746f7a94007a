import { databaseNow, jobCollection } from '@bindery/models';

const perCall = 1_000;

/**
 * Notes that the file of an ended job is used now, so that `dropUnusedFiles` leaves it.
 *
 * @returns whether the job still has a file
 */
export async function renewResultFile(job: string): Promise<boolean> {
  const hasFile = { _id: job, 'result.file': { $exists: true } };
  const { matchedCount } = await jobCollection().updateOne(hasFile, {
    $set: { resultUsedAt: databaseNow() },
  });
  return matchedCount > 0;
}

/**
 * Takes the files from jobs that ended, and whose files were last used, longer ago than `unusedMs`. The jobs
 * stay; the next sweep of the storage finds the files unreachable.
 *
 * @returns the number of jobs; there may be more
 */
export async function dropUnusedFiles(unusedMs: number): Promise<number> {
  const since = new Date(databaseNow().getTime() - unusedMs);
  const unused = {
    'result.file': { $exists: true },
    finishedAt: { $lt: since },
    $or: [{ resultUsedAt: { $exists: false } }, { resultUsedAt: { $lt: since } }],
  };
  const jobs = await jobCollection()
    .find(unused, { projection: { _id: 1 } })
    .limit(perCall)
    .toArray();
  // The condition again: one of them may be used meanwhile.
  const { modifiedCount } = await jobCollection().updateMany(
    { _id: { $in: jobs.map(({ _id }) => _id) }, ...unused },
    { $unset: { 'result.file': '' } },
  );
  return modifiedCount;
}
