import { databaseNow, jobCollection, KindPause, type JobRecord, type JobWaiting } from '@bindery/models';
import type { QueueName } from '../definitions/defineJob.ts';
import { refill } from '../queue/refill.ts';

/**
 * Operators pause a kind of job by a record in MongoDB, which survives restarts and holds for all workers.
 * A worker that gets a job of the kind puts it aside: the job leaves the window in Redis to other kinds, and
 * its place in its lane stays its own.
 */

/** How long a process caches the paused kinds: a worker obeys a pause after this time. */
const ageMs = 250;
const releasedAtOnce = 1_000;
/** The most jobs that one sweep or one resume releases. */
const maxReleased = 20_000;

export const waitingForResume: JobWaiting = {
  reason: 'paused',
  message: 'An operator has paused jobs of this kind; it starts when they are resumed.',
};

let known: { kinds: Promise<Set<string>>; untilMs: number } | undefined;

/** Whether a kind is paused, as of the last quarter of a second. */
export async function isKindPaused(kind: string): Promise<boolean> {
  if (!known || performance.now() >= known.untilMs) {
    const read = KindPause.find({}, { _id: 1 }).lean<{ _id: string }[]>();
    known = {
      kinds: read.then((pauses) => new Set(pauses.map(({ _id }) => _id))),
      untilMs: performance.now() + ageMs,
    };
    // The next call reads again.
    known.kinds.catch(() => (known = undefined));
  }
  return (await known.kinds).has(kind);
}

/** Pauses a kind: running jobs continue, and workers start no others within a second. Idempotent. */
export async function pauseKind(kind: string, pausedBy: string): Promise<void> {
  await KindPause.updateOne(
    { _id: kind },
    { $setOnInsert: { pausedBy, pausedAt: databaseNow() } },
    { upsert: true },
  );
  known = undefined;
}

/** Resumes a kind; if this process ends before all its jobs are released, the sweeper continues. */
export async function resumeKind(kind: string): Promise<void> {
  await KindPause.deleteOne({ _id: kind });
  known = undefined;
  await releaseKind(kind);
}

/** Puts aside a job of a paused kind. */
export async function setAsideForPause({
  _id,
  dispatch,
}: Pick<JobRecord, '_id' | 'dispatch'>): Promise<void> {
  await jobCollection().updateOne(
    { _id, dispatch, state: 'queued' },
    { $set: { state: 'accepted', waiting: waitingForResume }, $inc: { seq: 1 }, $unset: { runAfter: '' } },
  );
}

const isPutAside = { 'waiting.reason': 'paused' } as const;

/**
 * Releases jobs of kinds that are not paused any more: those that the process of a resume did not reach, and
 * those that a worker put aside at the same moment. Costs one look at an index when no job is put aside.
 */
export async function recoverPaused(): Promise<void> {
  for (let kind = ''; ;) {
    const next = await jobCollection().findOne(
      { ...isPutAside, kind: { $gt: kind } },
      { sort: { kind: 1 }, projection: { kind: 1 } },
    );
    if (!next) return;
    ({ kind } = next);
    if (!(await KindPause.exists({ _id: kind }))) await releaseKind(kind);
  }
}

async function releaseKind(kind: string): Promise<void> {
  const queues = new Set<string>();
  for (let released = 0; released < maxReleased; released += releasedAtOnce) {
    const jobs = await jobCollection()
      .find({ ...isPutAside, kind }, { projection: { queue: 1 } })
      .sort({ createdAt: 1 })
      .limit(releasedAtOnce)
      .toArray();
    if (jobs.length === 0) break;
    for (const { queue } of jobs) queues.add(queue);
    await jobCollection().updateMany(
      { _id: { $in: jobs.map(({ _id }) => _id) }, state: 'accepted', ...isPutAside },
      { $unset: { waiting: '' }, $inc: { seq: 1 } },
    );
  }
  for (const queue of queues) await refill(queue as QueueName);
}
