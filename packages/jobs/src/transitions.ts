import type { finalJobStates } from '@bindery/contract';
import { isDuplicateKey, jobCollection, type ClientSession, type JobErrorRecord, type JobRecord } from '@bindery/models';
import type { QueueName } from './defineJob.ts';
import { addToQueue } from './dispatch.ts';
import { announce } from './events.ts';
import { writeLog } from './jobLog.ts';
import { releaseLane } from './lanes.ts';
import { after, attemptsEnded, isLeaseOver, now, reportFields, type AttemptEnd, type Report } from './pipeline.ts';
import { keepingAtEnd } from './outcomes.ts';
import { refill } from './refill.ts';
import { maxCrashes } from './retry.ts';
import { eventsAtEnd, eventsAtStart } from './syncEvents.ts';
import { priorityBehind } from './window.ts';

/** Where the state of a run changes: every write is conditional, so that two processes that see the same job cannot both act on it. */

type Condition = Parameters<ReturnType<typeof jobCollection>['findOneAndUpdate']>[0];

const maxAttemptsKept = 50;

export type Claim = { job: JobRecord } | { refused: 'gone' | 'lane' | 'version' };

/**
 * Takes a job for a run: one that is queued, or one whose run has lost its lease, which then counts as a crash. Further crashes are left to
 * the sweeper, which knows what follows from them.
 *
 * @param known  the newest version of the job's input that this worker understands
 */
export async function claimJob(
  id: string,
  dispatch: number,
  {
    worker,
    known,
    deadlineMs,
    leaseMs,
  }: { worker: string; known: { kind: string; version: number }[]; deadlineMs: (kind: string) => number; leaseMs: number },
): Promise<Claim> {
  const deadline = {
    $switch: {
      branches: known.map(({ kind }) => ({ case: { $eq: ['$kind', kind] }, then: after(deadlineMs(kind)) })),
      default: after(60_000),
    },
  };
  const attempts = { $cond: [{ $eq: ['$state', 'running'] }, attemptsEnded({ outcome: 'crashed' }), '$attempts'] };
  try {
    const job = await jobCollection().findOneAndUpdate(
      {
        _id: id,
        dispatch,
        $and: [
          { $or: known.map(({ kind, version }) => ({ kind, version: { $lte: version } })) },
          { $or: [{ state: 'queued' }, { state: 'running', ...isLeaseOver, crashes: { $lt: maxCrashes - 2 } }] },
        ],
      },
      [
        {
          $set: {
            state: 'running',
            epoch: { $add: ['$epoch', 1] },
            crashes: { $cond: [{ $eq: ['$state', 'running'] }, { $add: ['$crashes', 1] }, '$crashes'] },
            attempts: {
              $slice: [
                { $concatArrays: [attempts, [{ epoch: { $add: ['$epoch', 1] }, worker: { $literal: worker }, startedAt: now }]] },
                -maxAttemptsKept,
              ],
            },
            worker: { $literal: worker },
            leaseUntil: after(leaseMs),
            startedAt: { $ifNull: ['$startedAt', now] },
            deadlineAt: { $ifNull: ['$deadlineAt', deadline] },
            dispatchedAt: { $ifNull: ['$dispatchedAt', now] },
            events: eventsAtStart(),
            seq: { $add: ['$seq', 1] },
          },
        },
        { $unset: ['waiting', 'runAfter', 'error'] },
      ],
      { returnDocument: 'after' },
    );
    if (job) return { job };
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return { refused: 'lane' };
  }
  const stored = await jobCollection().findOne({ _id: id, dispatch, state: 'queued' }, { projection: { _id: 1 } });
  return { refused: stored ? 'version' : 'gone' };
}

/**
 * Renews a run's lease and asks whether it shall go on.
 *
 * @returns `lost` when another run has taken the job or it is final
 */
export async function renewLease(id: string, epoch: number, leaseMs: number): Promise<'held' | 'cancelled' | 'lost'> {
  const job = await jobCollection().findOneAndUpdate({ _id: id, epoch, state: 'running' }, [{ $set: { leaseUntil: after(leaseMs) } }], {
    returnDocument: 'after',
    projection: { cancelRequestedAt: 1 },
  });
  if (!job) return 'lost';
  return job.cancelRequestedAt ? 'cancelled' : 'held';
}

/** What a run has to tell: fenced, but not waited for by the journal, because losing the last line of a progress bar is no loss. */
export async function writeReport(id: string, epoch: number, report: Report): Promise<boolean> {
  const isWritten = report.log.length > 0 ? await writeLog(id, epoch, report) : await writeFields(id, epoch, report);
  if (isWritten) announce(id);
  return isWritten;
}

async function writeFields(id: string, epoch: number, report: Report): Promise<boolean> {
  const { matchedCount } = await jobCollection().updateOne(
    { _id: id, epoch, state: 'running' },
    [{ $set: { seq: { $add: ['$seq', 1] }, ...reportFields(report) } }],
    { writeConcern: { w: 1, j: false } },
  );
  return matchedCount === 1;
}

/** Keeps what a later run of the same job can go on from. */
export async function writeCheckpoint(id: string, epoch: number, checkpoint: unknown): Promise<boolean> {
  const { matchedCount } = await jobCollection().updateOne({ _id: id, epoch, state: 'running' }, { $set: { checkpoint } });
  return matchedCount === 1;
}

export type Ending = {
  state: (typeof finalJobStates)[number];
  error?: JobErrorRecord;
  result?: Record<string, unknown>;
  report?: LastReport;
};

/** What the last write of a run tells beside the end. Lines of its log were written before. */
export type LastReport = Pick<Report, 'progress' | 'stats'>;

/**
 * The last write of a run. A success is refused once a cancel was asked for; it is final then, and a cancel comes too late.
 *
 * @returns whether this run was still the one that holds the job
 */
export async function endRun(job: Pick<JobRecord, '_id' | 'epoch'>, ending: Ending, session?: ClientSession): Promise<boolean> {
  const { matchedCount } = await jobCollection().updateOne(
    { _id: job._id, epoch: job.epoch, state: 'running', ...(ending.state === 'succeeded' && { cancelRequestedAt: null }) },
    endingOf(ending, { outcome: ending.state, ...(ending.error && { error: ending.error }) }),
    session ? { session } : {},
  );
  return matchedCount === 1;
}

/** Ends a job in the place of its worker, which has not renewed the lease of its run: that is one more crash. */
export async function endDeadRun(job: Pick<JobRecord, '_id' | 'epoch'>, ending: Ending): Promise<boolean> {
  const { matchedCount } = await jobCollection().updateOne({ _id: job._id, epoch: job.epoch, state: 'running', ...isLeaseOver }, [
    { $set: { crashes: { $add: ['$crashes', 1] } } },
    ...endingOf(ending, { outcome: 'crashed' }),
  ]);
  return matchedCount === 1;
}

function endingOf(ending: Ending, attempt: AttemptEnd) {
  return [
    {
      $set: {
        ...(ending.report && reportFields(ending.report)),
        state: ending.state,
        seq: { $add: ['$seq', 1] },
        attempts: attemptsEnded(attempt),
        finishedAt: now,
        events: eventsAtEnd(ending),
        ...(ending.result && { result: { $literal: ending.result } }),
        ...(ending.error && { error: { $literal: ending.error } }),
        ...keepingAtEnd(),
      },
    },
    { $unset: ['leaseUntil', 'waiting', 'runAfter'] },
  ];
}

/** What follows once a job has left `running`: watchers learn of it, its lane and its place in the window go to the next. */
export async function afterRun(job: Pick<JobRecord, '_id' | 'lane' | 'queue'>): Promise<void> {
  announce(job._id);
  if (job.lane !== undefined) await releaseLane(job.lane);
  // Nobody waits for it, and what it misses the sweeper does.
  refill(job.queue as QueueName).catch(() => {});
}

type Requeueing = { delayMs: number; attempt: AttemptEnd; counts?: 'tries' | 'resourceTries' | 'crashes' | undefined; report?: LastReport };

/** Puts a running job back into its queue: a failed try that comes again later, or a run that its worker hands back. */
export function requeueRun(job: Requeued, requeueing: Requeueing): Promise<boolean> {
  return requeue(job, { state: 'running' }, requeueing);
}

/** Puts a job back into its queue in the place of its worker, which has not renewed the lease of its run: that is one more crash. */
export function requeueDeadRun(job: Requeued): Promise<boolean> {
  return requeue(job, { state: 'running', ...isLeaseOver }, { delayMs: 0, attempt: { outcome: 'crashed' }, counts: 'crashes' });
}

type Requeued = Pick<JobRecord, '_id' | 'epoch' | 'queue' | 'organization'>;

async function requeue(job: Requeued, condition: Condition, { delayMs, attempt, counts, report }: Requeueing): Promise<boolean> {
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
          attempts: attemptsEnded(attempt),
          ...(counts && { [counts]: { $add: [`$${counts}`, 1] } }),
          ...(delayMs > 0 && { runAfter: after(delayMs) }),
        },
      },
      { $unset: ['leaseUntil'] },
    ],
    { returnDocument: 'after', projection: { queue: 1, dispatch: 1, crashes: 1 } },
  );
  if (!queued) return false;
  announce(job._id);
  // What has not failed by itself was in its turn already.
  const priority = attempt.outcome === 'retried' ? await priorityBehind(job.queue as QueueName, job.organization) : 0;
  await addToQueue(queued, { delayMs, priority });
  return true;
}
