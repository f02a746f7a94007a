import type { finalJobStates } from '@bindery/contract';
import { isDuplicateKey, jobCollection, type ClientSession, type JobErrorRecord, type JobLogLine, type JobRecord, type JobWaiting } from '@bindery/models';
import { jobClient } from './client.ts';
import { addToQueue, dispatchNextInLane, refill } from './dispatch.ts';
import { announce } from './events.ts';
import type { QueueName } from './defineJob.ts';

/** Where the state of a job changes: every write is conditional, so that two processes that see the same job cannot both act on it. */

const maxAttemptsKept = 50;
const maxLogLines = 1_000;

/** The finished states of an attempt, with the error that ended it. */
type AttemptEnd = { outcome: NonNullable<JobRecord['attempts'][number]['outcome']>; error?: JobErrorRecord };

const now = '$$NOW';
const after = (amountMs: number) => ({ $dateAdd: { startDate: now, unit: 'millisecond', amount: Math.round(amountMs) } });

/** All attempts, the present one ended. `error` is literal: a message may begin with a dollar sign. */
function attemptsEnded({ outcome, error }: AttemptEnd) {
  const ended = { $mergeObjects: ['$$this', { endedAt: now, outcome, ...(error && { error: { $literal: error } }) }] };
  return { $map: { input: '$attempts', in: { $cond: [{ $eq: ['$$this.epoch', '$epoch'] }, ended, '$$this'] } } };
}

/** The log with further lines, each stamped with the `seq` that this write gives the job. */
function logWith(lines: Omit<JobLogLine, 'seq'>[]) {
  if (lines.length === 0) return {};
  const stamped = { $map: { input: { $literal: lines }, in: { $mergeObjects: ['$$this', { seq: { $add: ['$seq', 1] } }] } } };
  return {
    log: { $slice: [{ $concatArrays: ['$log', stamped] }, -maxLogLines] },
    logDropped: { $add: ['$logDropped', { $max: [0, { $subtract: [{ $add: [{ $size: '$log' }, lines.length] }, maxLogLines] }] }] },
  };
}

export type Claim = { job: JobRecord } | { refused: 'gone' | 'lane' | 'version' };

/**
 * Takes a job for a run: one that is queued, or one whose run has lost its lease, which then counts as a crash.
 *
 * @param known  the newest version of the job's input that this worker understands
 */
export async function claimJob(id: string, dispatch: number, { worker, known, deadlineMs, leaseMs }: { worker: string; known: { kind: string; version: number }[]; deadlineMs: (kind: string) => number; leaseMs: number }): Promise<Claim> {
  const deadline = { $switch: { branches: known.map(({ kind }) => ({ case: { $eq: ['$kind', kind] }, then: after(deadlineMs(kind)) })), default: after(60_000) } };
  const attempts = { $cond: [{ $eq: ['$state', 'running'] }, attemptsEnded({ outcome: 'crashed' }), '$attempts'] };
  try {
    const job = await jobCollection().findOneAndUpdate(
      {
        _id: id,
        dispatch,
        $and: [
          { $or: known.map(({ kind, version }) => ({ kind, version: { $lte: version } })) },
          { $or: [{ state: 'queued' }, { state: 'running', $expr: { $lt: ['$leaseUntil', now] } }] },
        ],
      },
      [
        {
          $set: {
            state: 'running',
            epoch: { $add: ['$epoch', 1] },
            crashes: { $cond: [{ $eq: ['$state', 'running'] }, { $add: ['$crashes', 1] }, '$crashes'] },
            attempts: { $slice: [{ $concatArrays: [attempts, [{ epoch: { $add: ['$epoch', 1] }, worker: { $literal: worker }, startedAt: now }]] }, -maxAttemptsKept] },
            worker: { $literal: worker },
            leaseUntil: after(leaseMs),
            startedAt: { $ifNull: ['$startedAt', now] },
            deadlineAt: { $ifNull: ['$deadlineAt', deadline] },
            dispatchedAt: { $ifNull: ['$dispatchedAt', now] },
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
  const job = await jobCollection().findOneAndUpdate(
    { _id: id, epoch, state: 'running' },
    [{ $set: { leaseUntil: after(leaseMs) } }],
    { returnDocument: 'after', projection: { cancelRequestedAt: 1 } },
  );
  if (!job) return 'lost';
  return job.cancelRequestedAt ? 'cancelled' : 'held';
}

export type Report = { progress?: JobRecord['progress']; stats?: Record<string, number>; log: Omit<JobLogLine, 'seq'>[] };

/** What a run has to tell: fenced, but not waited for by the journal, because losing the last line of a progress bar is no loss. */
export async function writeReport(id: string, epoch: number, report: Report): Promise<boolean> {
  const { matchedCount } = await jobCollection().updateOne(
    { _id: id, epoch, state: 'running' },
    [{ $set: { seq: { $add: ['$seq', 1] }, ...reportFields(report) } }],
    { writeConcern: { w: 1, j: false } },
  );
  if (matchedCount === 1) announce(id);
  return matchedCount === 1;
}

function reportFields({ progress, stats, log }: Report) {
  return { ...(progress && { progress: { $literal: progress } }), ...(stats && { stats: { $literal: stats } }), ...logWith(log) };
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
  report?: Report;
};

/**
 * The last write of a run. A success is refused once a cancel was asked for; it is final then, and a cancel comes too late.
 *
 * @returns whether this run was still the one that holds the job
 */
export async function endRun(job: Pick<JobRecord, '_id' | 'epoch'>, ending: Ending, session?: ClientSession): Promise<boolean> {
  const retentionMs = jobClient().config.jobs.retentionDays * 86_400_000;
  const outcome = ending.state;
  const { matchedCount } = await jobCollection().updateOne(
    { _id: job._id, epoch: job.epoch, state: 'running', ...(ending.state === 'succeeded' && { cancelRequestedAt: null }) },
    [
      {
        $set: {
          ...(ending.report && reportFields(ending.report)),
          state: ending.state,
          seq: { $add: ['$seq', 1] },
          attempts: attemptsEnded({ outcome, ...(ending.error && { error: ending.error }) }),
          finishedAt: now,
          expireAt: after(retentionMs),
          ...(ending.result && { result: { $literal: ending.result } }),
          ...(ending.error && { error: { $literal: ending.error } }),
        },
      },
      { $unset: ['leaseUntil', 'waiting', 'runAfter'] },
    ],
    session ? { session } : {},
  );
  return matchedCount === 1;
}

/** What follows once a job has left `running`: watchers learn of it, its lane and its place in the window go to the next. */
export async function afterRun(job: Pick<JobRecord, '_id' | 'lane' | 'queue'>): Promise<void> {
  announce(job._id);
  if (job.lane) await dispatchNextInLane(job.lane);
  await refill(job.queue as QueueName);
}

/** Puts a running job back into its queue: a failed try that comes again later, or a run that its worker hands back. */
export async function requeueRun(
  job: JobRecord,
  { delayMs, attempt, counts, report }: { delayMs: number; attempt: AttemptEnd; counts?: 'tries' | 'resourceTries' | undefined; report?: Report },
): Promise<boolean> {
  const dispatch = job.dispatch + 1;
  const { matchedCount } = await jobCollection().updateOne(
    { _id: job._id, epoch: job.epoch, state: 'running' },
    [
      {
        $set: {
          ...(report && reportFields(report)),
          state: 'queued',
          dispatch,
          dispatchedAt: null,
          seq: { $add: ['$seq', 1] },
          attempts: attemptsEnded(attempt),
          ...(counts && { [counts]: { $add: [`$${counts}`, 1] } }),
          ...(delayMs > 0 && { runAfter: after(delayMs) }),
        },
      },
      { $unset: ['leaseUntil'] },
    ],
  );
  if (matchedCount !== 1) return false;
  announce(job._id);
  await addToQueue({ ...job, dispatch }, { delayMs });
  return true;
}

/** Puts a queued job that this worker may not run to the side; `lane` jobs come back when the lane is free, others after a while. */
export async function setAside(id: string, dispatch: number, waiting: JobWaiting): Promise<void> {
  if (waiting.reason === 'lane') {
    const job = await jobCollection().findOneAndUpdate(
      { _id: id, dispatch, state: 'queued' },
      { $set: { state: 'accepted', waiting }, $inc: { seq: 1 } },
      { returnDocument: 'after' },
    );
    // The lane may have become free between the refusal and this write: nobody else would look then.
    if (job?.lane) await dispatchNextInLane(job.lane);
    return;
  }
  const delayMs = Math.max(0, (waiting.until?.getTime() ?? 0) - Date.now());
  const job = await jobCollection().findOneAndUpdate(
    { _id: id, dispatch, state: 'queued' },
    { $set: { waiting, dispatchedAt: null, runAfter: new Date(Date.now() + delayMs) }, $inc: { dispatch: 1, seq: 1 } },
    { returnDocument: 'after' },
  );
  if (job) await addToQueue(job, { delayMs });
}
