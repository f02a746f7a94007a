import {
  isUnexpired,
  jobCollection,
  KindPause,
  WorkerEntry,
  type JobRecord,
  type KindPauseRecord,
  type WorkerRecord,
} from '@bindery/models';
import { queueOf, tryRedis } from '../queue/client.ts';
import { queueNames, type QueueName } from '../definitions/defineJob.ts';
import { dispatchId } from '../queue/dispatch.ts';
import { countJobs } from '../queue/jobGauges.ts';
import { listJobKinds } from './findJobs.ts';

/**
 * Finds the entry of a job in the queue of BullMQ; undefined when it has none (any more), or Redis does not
 * answer.
 */
export async function findQueueEntry(
  job: Pick<JobRecord, '_id' | 'queue' | 'dispatch'>,
): Promise<{ queue: string; id: string; state: string } | undefined> {
  const queue = queueNames.find((name) => name === job.queue);
  if (queue === undefined) return undefined;
  const id = dispatchId(job);
  const state = await tryRedis(() => queueOf(queue).getJobState(id));
  return state === undefined || state === 'unknown' ? undefined : { queue, id, state };
}

/** Returns the id of a job from the id of its entry in a queue; undefined for another entry. */
export function jobOfQueueEntry(entryId: string): string | undefined {
  return /^j-([0-9A-Za-z]+)-\d+$/.exec(entryId)?.[1];
}

/** The job in a lane that the waiting ones follow. */
export async function findLaneHolder(lane: string): Promise<Pick<JobRecord, '_id' | 'state'> | undefined> {
  const holders = await jobCollection()
    .find(
      { lane, state: { $in: ['running', 'queued', 'accepted'] }, 'waiting.reason': { $ne: 'lane' } },
      { projection: { state: 1 } },
    )
    .limit(1)
    .toArray();
  return holders[0];
}

/** A kind of job: how many wait and run, the age of the oldest that waits for a worker, and its pause. */
export type KindState = {
  kind: string;
  waiting: number;
  running: number;
  oldest?: Date;
  workers: number;
  pause?: KindPauseRecord;
};

/** The states of all kinds that have jobs, a live worker or a pause, in alphabetical order. */
export async function listKindStates(): Promise<KindState[]> {
  const [counts, workers, pauses, stored] = await Promise.all([
    countJobs(),
    listLiveWorkers(),
    KindPause.find().lean<KindPauseRecord[]>(),
    listJobKinds(),
  ]);
  const kinds = new Set([
    ...stored,
    ...workers.flatMap((worker) => worker.kinds.map(({ kind }) => kind)),
    ...pauses.map(({ _id }) => _id),
  ]);
  return [...kinds].sort().map((kind) => {
    const own = counts.filter(({ _id }) => _id.kind === kind);
    const waiting = own.filter(({ _id }) => _id.state !== 'running');
    const oldestMs = Math.min(
      ...waiting.filter(({ _id }) => !_id.reason).map(({ oldest }) => oldest.getTime()),
    );
    const pause = pauses.find(({ _id }) => _id === kind);
    return {
      kind,
      waiting: sum(waiting),
      running: sum(own) - sum(waiting),
      workers: workers.filter((worker) => worker.kinds.some((known) => known.kind === kind)).length,
      oldest: oldestMs < Infinity ? new Date(oldestMs) : undefined,
      pause,
    };
  });
}

function sum(counts: readonly { count: number }[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}

/** The live workers, by app and start. */
export async function listLiveWorkers(): Promise<WorkerRecord[]> {
  return WorkerEntry.find(isUnexpired).sort({ app: 1, startedAt: 1 }).lean<WorkerRecord[]>();
}

/** The jobs that workers run now, by worker. Costs one key for each running job. */
export async function findRunningJobs(): Promise<
  Map<string, Pick<JobRecord, '_id' | 'kind' | 'progress' | 'worker' | 'startedAt'>[]>
> {
  const jobs = await jobCollection()
    .find(
      { queue: { $in: [...queueNames] as QueueName[] }, state: 'running' },
      { projection: { kind: 1, progress: 1, worker: 1, startedAt: 1 } },
    )
    .limit(1_000)
    .toArray();
  return Map.groupBy(jobs, ({ worker }) => worker ?? '');
}
