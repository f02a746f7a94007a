import { jobCollection, WorkerEntry } from '@bindery/models';
import { isRedisAnswering, jobClient, queueOf, tryRedis } from './client.ts';
import type { QueueName } from './defineJob.ts';

/**
 * The part of a queue that lies in Redis is a small window; the rest waits in MongoDB. Organizations take turns in it: the n-th waiting
 * job of an organization has priority n, however many jobs one of them has.
 */

/** Below this many waiting jobs order is of no account: whoever comes is served at once. */
export const uncrowded = 4;
const windowAgeMs = 5_000;
/** Requests that come together look at the queue once; what is given away meanwhile is counted here. */
const viewAgeMs = 20;
/** So long a queue that was empty is taken for one that is not crowded: it costs each process three places at most. */
const uncrowdedViewAgeMs = 1_000;

type View = {
  madeMs: number;
  /** Undefined when Redis did not answer. */
  waiting: Promise<number | undefined>;
  known?: number | undefined;
  /** How many jobs each organization has ready in the window; asked for only when it matters. */
  ready?: Promise<Map<string, number>>;
  /** Places given away that the numbers above do not count yet, by organization. */
  given: Map<string, number>;
};

const views = new Map<QueueName, View>();
/** Places that are being filled at this moment. */
const filling = new Set<{ queue: QueueName; organization: string }>();

/**
 * Finds a place in the queue's window for one more job of an organization, and holds it while `work` fills it.
 *
 * An organization that has none waiting always finds a place: others may have filled the window with jobs that come back from a failed try.
 * @param work  is given no place when the job must wait in MongoDB, also when Redis does not answer
 */
export async function withPlace<T>(
  queue: QueueName,
  organization: string,
  work: (place: { priority: number } | undefined) => Promise<T>,
): Promise<T> {
  const priority = await findPriority(queue, organization);
  if (priority === undefined) return work(undefined);
  const place = { queue, organization };
  filling.add(place);
  try {
    return await work({ priority });
  } finally {
    filling.delete(place);
  }
}

async function findPriority(queue: QueueName, organization: string): Promise<number | undefined> {
  if (!isRedisAnswering()) return undefined;
  const view = viewOf(queue);
  const waiting = view.known ?? (await view.waiting);
  if (waiting === undefined) return undefined;
  const give = (priority: number) => {
    view.given.set(organization, (view.given.get(organization) ?? 0) + 1);
    return priority;
  };
  if (waiting + sum(view.given) < uncrowded) return give(0);
  view.ready ??= countReadyByOrganization(queue);
  const [window, ready] = await Promise.all([windowOf(queue), view.ready]);
  const own = (ready.get(organization) ?? 0) + (view.given.get(organization) ?? 0);
  if (own >= shareOf(window)) return undefined;
  if (own > 0 && waiting + sum(view.given) >= window) return undefined;
  return give(own + 1);
}

function viewOf(queue: QueueName): View {
  const last = views.get(queue);
  if (last && isFresh(last)) return last;
  const given = new Map<string, number>();
  for (const place of filling) if (place.queue === queue) given.set(place.organization, (given.get(place.organization) ?? 0) + 1);
  const view: View = { madeMs: performance.now(), waiting: countWaiting(queue), given };
  void view.waiting.then((count) => (view.known = count));
  views.set(queue, view);
  return view;
}

function isFresh({ madeMs, known, given }: View): boolean {
  const ageMs = performance.now() - madeMs;
  if (ageMs < viewAgeMs) return true;
  return known !== undefined && known + sum(given) < uncrowded && ageMs < uncrowdedViewAgeMs;
}

/** Jobs that Redis would deliver now; undefined when it does not answer. */
export async function countWaiting(queue: QueueName): Promise<number | undefined> {
  const counts = await tryRedis(() => queueOf(queue).getJobCounts('waiting', 'prioritized'));
  return counts && sum(new Map(Object.entries(counts)));
}

/** Queued jobs by organization, without those that wait for a time: they take no room in the window. */
export async function countReadyByOrganization(queue: QueueName): Promise<Map<string, number>> {
  const groups = jobCollection().aggregate<{ _id: string; count: number }>([
    { $match: { queue, state: 'queued', $or: [{ runAfter: { $exists: false } }, { runAfter: { $lte: new Date() } }] } },
    { $group: { _id: '$organization', count: { $sum: 1 } } },
  ]);
  return new Map((await groups.toArray()).map(({ _id, count }) => [_id, count]));
}

/** The priority of a job that comes back later: behind all that its organization has queued, so that its retries do not hold up others. */
export async function priorityBehind(queue: QueueName, organization: string): Promise<number> {
  return (await jobCollection().countDocuments({ queue, state: 'queued', organization })) + 1;
}

/** One organization fills at most half of the window, so that another one always finds room. */
export function shareOf(window: number): number {
  return Math.ceil(window / 2);
}

const windows = new Map<string, { size: number; untilMs: number }>();

/** Four jobs for every one that the live workers can run at once, and never less than the configured minimum. */
export async function windowOf(queue: QueueName): Promise<number> {
  const minimum = jobClient().config.jobs.window;
  const known = windows.get(queue);
  if (known && Date.now() < known.untilMs) return Math.max(minimum, known.size);
  const workers = await WorkerEntry.find({ queues: queue, expireAt: { $gt: new Date() } }, { concurrency: 1 }).lean();
  const size = 4 * workers.reduce((total, worker) => total + worker.concurrency, 0);
  windows.set(queue, { size, untilMs: Date.now() + windowAgeMs });
  return Math.max(minimum, size);
}

function sum(counts: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const count of counts.values()) total += count;
  return total;
}
