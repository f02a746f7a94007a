import { sweeperRepairs } from '@bindery/metrics';
import { databaseNow, jobCollection, watchTransactions, type JobErrorRecord } from '@bindery/models';
import type { Config, Logger } from '@bindery/runtime';
import { queueNames, retiredQueues } from '../definitions/defineJob.ts';
import { recoverLanes } from '../queue/lanes.ts';
import { leadInTurns } from '../state/leadership.ts';
import { findLostRuns, type LostRun } from '../state/lostRuns.ts';
import { recoverQueued } from './recoverQueued.ts';
import { recoverLimited } from '../state/limits.ts';
import { recoverPaused } from '../state/pauses.ts';
import { refill } from '../queue/refill.ts';
import { maxCrashes, quarantined } from '../definitions/retry.ts';
import { afterRun, endLostRun, requeueLostRun, type Ending } from '../state/transitions.ts';
import { endWaiting } from '../state/waitingJobs.ts';
import { watchMongo } from './watchMongo.ts';

const perSweep = 1_000;

/** The error of a job that did not end within its time limit. */
const overdue: JobErrorRecord = {
  class: 'transient',
  code: 'deadline',
  message: 'The job exceeded its time limit.',
  action: 'Retry it; if that does not help, reduce the work or raise its time limit.',
};

/** The error of a job that did not start in time. */
const notStarted: JobErrorRecord = {
  class: 'transient',
  code: 'deadline',
  message: 'The job was not started within the waiting limit of its kind.',
  action: 'Start the operation again; its job page says whether a worker is running.',
};

/**
 * Repairs differences between MongoDB and Redis: jobs owed to a queue, jobs that Redis lost, runs whose
 * worker died and their open transactions, jobs past their deadline. Any number of processes may call it; one
 * of them sweeps.
 *
 * @returns a function that stops it
 */
export function startSweeper({ config, logger }: { config: Config; logger: Logger }): () => Promise<void> {
  const { sweepIntervalMs, leaseMs } = config.jobs;
  const mongo = watchMongo(leaseMs);
  const stopSweeping = leadInTurns('sweeper', {
    leaseMs: 3 * sweepIntervalMs,
    pauseMs: sweepIntervalMs,
    turn: async ({ lead }) => sweep({ lead, mayTakeOver: mongo.hasAnsweredForALease }),
    logger,
    failure: 'a part of a sweep failed; the next sweep tries it again',
  });
  // Independent of the sweeps: a worker that died during a write locks the record of its job, and a sweep
  // that takes the job over would wait for the lock.
  const endIdleTransactions = watchTransactions();
  const stopEnding = leadInTurns('transactions', {
    leaseMs: leaseMs / 2,
    pauseMs: leaseMs / 4,
    turn: async () => {
      await endIdleTransactions(leaseMs / 2);
    },
    logger,
    failure: 'could not look for transactions of processes that are gone; tried again',
  });
  return async () => {
    await Promise.all([stopSweeping(), stopEnding(), mongo.stop()]);
  };
}

/**
 * Sweeps once. Safe to run at any time and in several processes at once. A failed part does not prevent the
 * others.
 *
 * @param lead  says before each part whether this process leads; when another one does, the sweep ends
 * @param mayTakeOver  whether a run whose lease has ended may count as lost: not before its worker has had
 *   time to renew it
 * @throws AggregateError with the errors of the parts, after all of them
 */
export async function sweep({
  lead = async () => true,
  mayTakeOver = () => true,
}: { lead?: () => Promise<boolean>; mayTakeOver?: () => boolean } = {}): Promise<void> {
  const parts = [
    moveRetired,
    endOverdue,
    () => recoverRuns(mayTakeOver),
    recoverLanes,
    recoverPaused,
    recoverLimited,
    ...queueNames.flatMap((queue) => [() => recoverQueued(queue), () => refill(queue)]),
  ];
  let leads = true;
  await each(parts, async (part) => {
    leads &&= await lead();
    if (leads) await part();
  });
}

/** Runs all in order, also after a failure. @throws AggregateError with the errors */
async function each<Item>(items: readonly Item[], act: (item: Item) => Promise<unknown>): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items) {
    try {
      await act(item);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${items.length} failed.`);
}

/** Moves jobs in queues of an earlier version of the platform to the queues that replace them. */
async function moveRetired(): Promise<void> {
  for (const [retired, queue] of Object.entries(retiredQueues)) {
    const waiting = { queue: retired, state: { $in: ['accepted', 'queued'] as ('accepted' | 'queued')[] } };
    await jobCollection().updateMany(waiting, { $set: { queue, dispatchedAt: null }, $inc: { dispatch: 1 } });
  }
}

/** Ends jobs past their deadline that wait for their first start or for a retry. */
async function endOverdue(): Promise<void> {
  const jobs = await jobCollection()
    .find({ state: { $in: ['accepted', 'queued'] }, deadlineAt: { $lt: databaseNow() } })
    .limit(perSweep)
    .toArray();
  await each(jobs, async (job) => {
    const error = job.startedAt ? overdue : notStarted;
    if (!(await endWaiting(job, { state: 'timed_out', error }))) return;
    sweeperRepairs.add({ repair: 'timed_out' });
    await afterRun(job);
  });
}

/**
 * Requeues lost runs, unless their deadline has passed, they have crashed too often, or a cancel was
 * requested.
 */
async function recoverRuns(mayTakeOver: () => boolean): Promise<void> {
  const found = await findLostRuns([...queueNames, ...Object.keys(retiredQueues)], { limit: perSweep });
  // Checked after the query, which may have been answered at the end of an outage, when every lease is over.
  if (!mayTakeOver()) return;
  await each(found, async (lost) => {
    const ending = endingOf(lost);
    if (!ending) {
      if (await requeueLostRun(lost)) sweeperRepairs.add({ repair: 'requeued_run' });
    } else if (await endLostRun(lost, ending)) {
      sweeperRepairs.add({ repair: 'ended_run' });
      await afterRun(lost.job);
    }
  });
}

function endingOf({ job, isCrash }: LostRun): Ending | undefined {
  if (job.deadlineAt && job.deadlineAt < databaseNow()) return { state: 'timed_out', error: overdue };
  if (job.cancelRequestedAt) return { state: 'cancelled' };
  if (isCrash && job.crashes + 1 >= maxCrashes)
    return { state: 'failed', error: quarantined(job.crashes + 1) };
  return undefined;
}
