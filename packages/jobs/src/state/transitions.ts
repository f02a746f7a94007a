import type { finalJobStates } from '@bindery/contract';
import { jobCollection, type ClientSession, type JobErrorRecord, type JobRecord } from '@bindery/models';
import type { QueueName } from '../definitions/defineJob.ts';
import { addToQueue, dispatchedFields } from '../queue/dispatch.ts';
import { announce } from '../queue/events.ts';
import { expireLog, writeLog } from './jobLog.ts';
import { releaseLane } from '../queue/lanes.ts';
import { keepingAtEnd } from './outcomes.ts';
import {
  after,
  attemptsEnded,
  isLeaseOver,
  now,
  ofEach,
  reportFields,
  withoutUndefined,
  type AttemptEnd,
  type AttemptOutcome,
  type JobFilter,
  type Report,
} from '../queue/pipeline.ts';
import { refill } from '../queue/refill.ts';
import { together } from './together.ts';
import { eventAtEnd, eventsAtEnd } from './syncEvents.ts';
import { priorityBehind } from '../queue/window.ts';

/**
 * The writes of a run after its claim (claims.ts). Each is conditional, so that two processes that see the
 * same job cannot both act on it.
 */

/**
 * Renews a run's lease and checks whether the run may continue.
 *
 * @returns `lost` when another run has taken the job, or the job has ended
 */
export async function renewLease(
  id: string,
  epoch: number,
  leaseMs: number,
): Promise<'held' | 'cancelled' | 'lost'> {
  const job = await jobCollection().findOneAndUpdate(
    { _id: id, epoch, state: 'running' },
    [{ $set: { leaseUntil: after(leaseMs) } }],
    {
      returnDocument: 'after',
      projection: { cancelRequestedAt: 1 },
    },
  );
  if (!job) return 'lost';
  return job.cancelRequestedAt ? 'cancelled' : 'held';
}

/**
 * Writes a run's report: fenced by the epoch, but without waiting for the journal, because losing the latest
 * progress is harmless.
 */
export async function writeReport(id: string, epoch: number, report: Report): Promise<boolean> {
  const isWritten =
    report.log.length > 0 ? await writeLog(id, epoch, report) : await writeFields(id, epoch, report);
  if (isWritten) announce(id);
  return isWritten;
}

async function writeFields(id: string, epoch: number, report: Report): Promise<boolean> {
  const { matchedCount } = await jobCollection().updateOne(
    { _id: id, epoch, state: 'running' },
    [{ $set: { seq: { $add: ['$seq', 1] }, ...reportFields(report) } }],
    { writeConcern: { w: 1, j: false }, ...withoutUndefined },
  );
  return matchedCount === 1;
}

/**
 * Saves a checkpoint from which a later run of the job can continue. Refused after a cancel request, because
 * the steps after a checkpoint cannot be undone.
 */
export async function writeCheckpoint(id: string, epoch: number, checkpoint: unknown): Promise<boolean> {
  const isHeld = { _id: id, epoch, state: 'running' as const, cancelRequestedAt: null };
  const { matchedCount } = await jobCollection().updateOne(
    isHeld,
    { $set: { checkpoint } },
    withoutUndefined,
  );
  return matchedCount === 1;
}

export type Ending = {
  state: (typeof finalJobStates)[number];
  error?: JobErrorRecord;
  result?: Record<string, unknown>;
  report?: LastReport;
};

/** The report in a run's last write. Log lines were written before. */
export type LastReport = Pick<Report, 'progress' | 'stats'>;

/**
 * Writes the end of a run. A success is refused after a cancel request; once written it is final, and a
 * cancel comes too late.
 *
 * @returns whether this run still held the job
 */
export async function endRun(
  job: Pick<JobRecord, '_id' | 'epoch'>,
  ending: Ending,
  session?: ClientSession,
): Promise<boolean> {
  const end: RunEnd = { id: job._id, epoch: job.epoch, ending, outcome: ending.state };
  return session ? endOne(end, session) : endTogether(end);
}

async function endOne(end: RunEnd, session?: ClientSession): Promise<boolean> {
  const ended = await jobCollection().findOneAndUpdate(areEndable([end]), endsOf([end]), {
    returnDocument: 'after',
    projection: expiryFields,
    session,
    ...withoutUndefined,
  });
  if (ended) await expireLog(ended, session);
  return ended !== null;
}

type RunEnd = { id: string; epoch: number; ending: Ending; outcome: AttemptOutcome };

const endTogether = together(async (ends: RunEnd[]): Promise<(boolean | Promise<boolean>)[]> => {
  const [first, ...others] = ends;
  if (first && others.length === 0) return [await endOne(first)];
  const matched = await jobCollection()
    .updateMany(areEndable(ends), endsOf(ends), withoutUndefined)
    .then(({ matchedCount }) => matchedCount)
    // Some may be written; the query below shows which.
    .catch(() => undefined);
  const ids = ends.map(({ id }) => id);
  void expireLogs(ids);
  if (matched === ends.length) return ends.map(() => true);
  const stored = await jobCollection()
    .find({ _id: { $in: ids } })
    .project<Pick<JobRecord, '_id' | 'epoch' | 'attempts'>>({ epoch: 1, attempts: { $slice: -1 } })
    .toArray();
  // Any other process that ends a run gives its attempt another outcome.
  const isEnded = ({ id, epoch, outcome }: RunEnd) =>
    stored.some((job) => job._id === id && job.epoch === epoch && job.attempts[0]?.outcome === outcome);
  return ends.map((end) => isEnded(end) || endOne(end));
});

/** Not awaited: lines without an expiry of their own expire later. */
async function expireLogs(ids: string[]): Promise<void> {
  const jobs = await jobCollection()
    .find(
      { _id: { $in: ids }, logLines: { $gt: 0 }, expireAt: { $exists: true } },
      { projection: expiryFields },
    )
    .toArray()
    .catch(() => []);
  for (const job of jobs) await expireLog(job);
}

const expiryFields = { logLines: 1, expireAt: 1 } as const;

function areEndable(ends: readonly RunEnd[]): JobFilter {
  const succeeded = ends.filter(({ ending }) => ending.state === 'succeeded').map(({ id }) => id);
  return {
    _id: { $in: ends.map(({ id }) => id) },
    state: 'running',
    $and: [
      { $or: [{ _id: { $nin: succeeded } }, { cancelRequestedAt: null }] },
      { $expr: { $eq: ['$epoch', ofEach(ends, ({ epoch }) => epoch)] } },
    ],
  };
}

/** Ends the job of a lost run in place of its worker. If the worker is gone, this counts as a crash. */
export async function endLostRun(
  { job, isCrash }: { job: Pick<JobRecord, '_id' | 'epoch'>; isCrash: boolean },
  ending: Ending,
): Promise<boolean> {
  const end: RunEnd = { id: job._id, epoch: job.epoch, ending, outcome: isCrash ? 'crashed' : ending.state };
  const counted = { $set: { crashes: { $add: ['$crashes', 1] } } };
  const ended = await jobCollection().findOneAndUpdate(
    { ...areEndable([end]), ...isLeaseOver },
    [...(isCrash ? [counted] : []), ...endsOf([end])],
    { returnDocument: 'after', projection: expiryFields, ...withoutUndefined },
  );
  if (ended) await expireLog(ended);
  return ended !== null;
}

function endsOf(ends: readonly RunEnd[]) {
  const end = ofEach(ends, ({ ending, outcome }) => {
    const { state, error, result, report } = ending;
    return {
      state,
      error,
      result,
      ...report,
      told: eventAtEnd(ending),
      attempt: { outcome, error },
    };
  });
  /** Fields without a report stay unchanged. */
  const toldOr = (name: string) => ({ $ifNull: [`$end.${name}`, `$${name}`] });
  return [
    { $set: { end } },
    {
      $set: {
        ...Object.fromEntries(['progress', 'stats', 'result', 'error'].map((name) => [name, toldOr(name)])),
        state: '$end.state',
        seq: { $add: ['$seq', 1] },
        attempts: attemptsEnded('$end.attempt'),
        finishedAt: now,
        events: eventsAtEnd('$end.told'),
        ...keepingAtEnd(),
      },
    },
    { $unset: ['end', 'leaseUntil', 'waiting', 'runAfter'] },
  ];
}

/**
 * Cleans up after a job has left `running`: notifies watchers, and gives its lane and its queue slot to the
 * next jobs.
 */
export async function afterRun(
  job: Pick<JobRecord, '_id' | 'organization' | 'lane' | 'queue'>,
): Promise<void> {
  announce(job._id);
  if (job.lane !== undefined) await releaseLane(job.lane);
  // Not awaited; the sweeper repairs failures.
  refill(job.queue as QueueName, job.organization).catch(() => {});
}

type Requeueing = {
  delayMs: number;
  attempt: AttemptEnd;
  counts?: 'tries' | 'resourceTries' | 'crashes' | undefined;
  report?: LastReport;
};

/** Requeues a running job: after a failed attempt that is retried later, or when its worker hands it back. */
export function requeueRun(job: Requeued, requeueing: Requeueing): Promise<boolean> {
  return requeue(job, { state: 'running' }, requeueing);
}

/** Requeues the job of a lost run in place of its worker. If the worker is gone, this counts as a crash. */
export function requeueLostRun({ job, isCrash }: { job: Requeued; isCrash: boolean }): Promise<boolean> {
  const ending: Requeueing = isCrash
    ? { delayMs: 0, attempt: { outcome: 'crashed' }, counts: 'crashes' }
    : { delayMs: 0, attempt: { outcome: 'handed_back' } };
  return requeue(job, { state: 'running', ...isLeaseOver }, ending);
}

type Requeued = Pick<JobRecord, '_id' | 'epoch' | 'queue' | 'organization'>;

async function requeue(
  job: Requeued,
  condition: JobFilter,
  { delayMs, attempt, counts, report }: Requeueing,
): Promise<boolean> {
  const queued = await jobCollection().findOneAndUpdate(
    { _id: job._id, epoch: job.epoch, ...condition },
    [
      {
        $set: {
          ...(report && reportFields(report)),
          state: 'queued',
          dispatch: { $add: ['$dispatch', 1] },
          dispatchedAt: null,
          seq: { $add: ['$seq', 1] },
          attempts: attemptsEnded({ $literal: attempt }),
          ...(counts && { [counts]: { $add: [`$${counts}`, 1] } }),
          runAfter: delayMs > 0 ? after(delayMs) : undefined,
        },
      },
      { $unset: ['leaseUntil'] },
    ],
    { returnDocument: 'after', projection: dispatchedFields, ...withoutUndefined },
  );
  if (!queued) return false;
  announce(job._id);
  // A job that was handed back has not failed, and its turn had already come.
  const isFirst = attempt.outcome === 'handed_back';
  await addToQueue(queued, {
    delayMs,
    ...(!isFirst && { priority: await priorityBehind(job.queue as QueueName, job.organization) }),
  });
  return true;
}
