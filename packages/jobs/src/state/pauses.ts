import { databaseNow, KindPause, type JobWaiting } from '@bindery/models';
import { followRecords } from './followRecords.ts';
import { groupsAside, release } from './putAside.ts';

/**
 * Operators pause a kind of job by a record in MongoDB, which survives restarts and holds for all workers. A
 * worker that gets a job of the kind puts it aside (putAside.ts).
 */

const ageMs = 250;

export const waitingForResume: JobWaiting = {
  reason: 'paused',
  message: 'An operator has paused jobs of this kind; it starts when they are resumed.',
};

const pauses = followRecords(async () => {
  const found = await KindPause.find({}, { _id: 1 }).lean<{ _id: string }[]>();
  return new Set(found.map(({ _id }) => _id));
}, ageMs);

/** Whether a kind is paused, as of the last quarter of a second. */
export async function isKindPaused(kind: string): Promise<boolean> {
  return (await pauses.current()).has(kind);
}

/** Pauses a kind: running jobs continue, and workers start no others within a second. Idempotent. */
export async function pauseKind(kind: string, pausedBy: string): Promise<void> {
  await KindPause.updateOne(
    { _id: kind },
    { $setOnInsert: { pausedBy, pausedAt: databaseNow() } },
    { upsert: true },
  );
  pauses.forget();
}

/** Resumes a kind; if this process ends before all its jobs are released, the sweeper continues. */
export async function resumeKind(kind: string): Promise<void> {
  await KindPause.deleteOne({ _id: kind });
  pauses.forget();
  await release({ 'waiting.reason': 'paused', kind });
}

/**
 * Releases jobs of kinds that are not paused any more: those that the process of a resume did not reach, and
 * those that a worker put aside at the same moment. Costs one look at an index when no job is put aside.
 */
export async function recoverPaused(): Promise<void> {
  for await (const kind of groupsAside({ 'waiting.reason': 'paused' }, 'kind'))
    if (!(await KindPause.exists({ _id: kind }))) await release({ 'waiting.reason': 'paused', kind });
}
