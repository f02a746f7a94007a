import { jobCollection, WorkerEntry, type JobRecord } from '@bindery/models';
import { jobClient } from '../queue/client.ts';
import { isLeaseOver } from '../queue/pipeline.ts';

/** The key under which a worker registers one of its runs. */
export function runKey({ _id, epoch }: Pick<JobRecord, '_id' | 'epoch'>): string {
  return `${_id}:${epoch}`;
}

/** A run that ended without writing its end. */
export type LostRun = {
  job: JobRecord;
  /**
   * Whether its worker is gone. Otherwise the worker lives, and gave up the run because it could not write
   * the end.
   */
  isCrash: boolean;
};

/**
 * Finds runs whose lease has ended and that no live worker has registered. An ended lease alone proves
 * nothing: a worker does not renew it during the transaction that ends the run, which may take longer.
 */
export async function findLostRuns(
  queues: readonly string[],
  { limit }: { limit: number },
): Promise<LostRun[]> {
  const lapsed = await jobCollection()
    .find({ queue: { $in: [...queues] }, state: 'running', ...isLeaseOver })
    .limit(limit)
    .toArray();
  if (lapsed.length === 0) return [];
  const workers = [...new Set(lapsed.flatMap(({ worker }) => worker ?? []))];
  const isLive = { $expr: { $gt: [{ $add: ['$toldAt', jobClient().config.jobs.leaseMs] }, '$$NOW'] } };
  const live = await WorkerEntry.find({ _id: { $in: workers }, ...isLive }, { runs: 1, toldAt: 1 }).lean();
  const entries = new Map(live.map((entry) => [entry._id, entry]));
  return lapsed.flatMap((job): LostRun[] => {
    const entry = entries.get(job.worker ?? '');
    if (!entry) return [{ job, isCrash: true }];
    // An entry written before the lease ended may be older than the run.
    const hasGivenUp = !entry.runs.includes(runKey(job)) && entry.toldAt > (job.leaseUntil ?? entry.toldAt);
    return hasGivenUp ? [{ job, isCrash: false }] : [];
  });
}
