import { jobCollection, type JobRecord, type JobWaiting } from '@bindery/models';
import type { QueueName } from '../definitions/defineJob.ts';
import { refill } from '../queue/refill.ts';

/**
 * A job that an operator does not let start is put aside when a worker gets it: it leaves the window in Redis
 * to other jobs, and its place in its lane stays its own. It is released when the operator lets it start.
 */

const releasedAtOnce = 1_000;
/** The most jobs that one call releases; the sweeper continues. */
const maxReleased = 20_000;

/** Puts aside a job that was delivered, with the reason. */
export async function putAside(
  { _id, dispatch }: Pick<JobRecord, '_id' | 'dispatch'>,
  waiting: JobWaiting,
): Promise<void> {
  await jobCollection().updateOne(
    { _id, dispatch, state: 'queued' },
    { $set: { state: 'accepted', waiting }, $inc: { seq: 1 }, $unset: { runAfter: '' } },
  );
}

/** The jobs to release: those put aside for this reason, of a kind and, if it is given, an organization. */
export type Aside = { 'waiting.reason': 'paused' | 'limit'; kind: string; organization?: string };

/**
 * Yields each kind, or each organization, that has jobs put aside, in order. Costs one look at an index for
 * each, and a last one that finds none.
 */
export async function* groupsAside(
  aside: Pick<Aside, 'waiting.reason'> & Partial<Aside>,
  field: 'kind' | 'organization',
): AsyncGenerator<string> {
  for (let value = ''; ;) {
    const next = await jobCollection().findOne(
      { ...aside, [field]: { $gt: value } },
      { sort: { [field]: 1 }, projection: { [field]: 1 } },
    );
    if (!next) return;
    value = next[field];
    yield value;
  }
}

/** Lets jobs return to the window, oldest first. */
export async function release(aside: Aside): Promise<void> {
  const queues = new Set<string>();
  for (let released = 0; released < maxReleased; released += releasedAtOnce) {
    const jobs = await jobCollection()
      .find({ ...aside }, { projection: { queue: 1 } })
      .sort({ createdAt: 1 })
      .limit(releasedAtOnce)
      .toArray();
    if (jobs.length === 0) break;
    for (const { queue } of jobs) queues.add(queue);
    await jobCollection().updateMany(
      {
        _id: { $in: jobs.map(({ _id }) => _id) },
        state: 'accepted',
        'waiting.reason': aside['waiting.reason'],
      },
      { $unset: { waiting: '' }, $inc: { seq: 1 } },
    );
  }
  for (const queue of queues) await refill(queue as QueueName);
}
