import { databaseNow, jobCollection } from '@bindery/models';
import { isRedisAnswering, jobClient, queueOf, tryRedis } from './client.ts';
import type { QueueName } from '../definitions/defineJob.ts';
import { slotsOf } from './slots.ts';

/**
 * The part of a queue that lies in Redis is a small window; the rest waits in MongoDB. Organizations take turns in it: the n-th job of an
 * organization, running ones included, has priority n, however many jobs one of them has.
 */

/** Below this many waiting jobs every organization finds a slot in the window. */
const uncrowded = 4;
/** Requests that come together look at the queue once; what is given away meanwhile is counted here. */
const viewAgeMs = 20;
/** How long an empty queue counts as uncrowded: this costs each process three slots at most. */
const uncrowdedViewAgeMs = 1_000;

type View = {
  madeMs: number;
  /** Undefined when Redis did not answer. */
  waiting: Promise<number | undefined>;
  known?: number | undefined;
  /** Slots given away that the number above does not count yet. */
  given: number;
};

/** What an organization has in a queue, and the slots it was given that this does not count yet. */
type OwnView = { madeMs: number; own: Promise<OwnJobs>; given: number };

/** Jobs of an organization in a queue that wait in Redis for a worker, and that run. */
export type OwnJobs = { queued: number; running: number };

/** A slot in the window. Its priority is found out while the job is written. */
export type QueueSlot = { priority: Promise<number> };

const views = new Map<QueueName, View>();
const ownViews = new Map<string, OwnView>();
/** Slots that are being filled at this moment. */
const filling = new Set<{ queue: QueueName; organization: string }>();

/**
 * Finds a slot in the window of a queue for one more job of an organization, and holds it while `work` fills it.
 *
 * An organization that has none waiting always finds a slot: others may have filled the window with jobs that come back from a failed try.
 * @param work  gets no slot if the job must wait in MongoDB, also when Redis does not answer
 */
export async function withQueueSlot<T>(
  queue: QueueName,
  organization: string,
  work: (slot: QueueSlot | undefined) => Promise<T>,
): Promise<T> {
  const slot = await findQueueSlot(queue, organization);
  if (!slot) return work(undefined);
  const held = { queue, organization };
  filling.add(held);
  try {
    return await work(slot);
  } finally {
    filling.delete(held);
  }
}

async function findQueueSlot(queue: QueueName, organization: string): Promise<QueueSlot | undefined> {
  if (!isRedisAnswering()) return undefined;
  const view = viewOf(queue);
  const waiting = view.known ?? (await view.waiting);
  if (waiting === undefined) return undefined;
  const ownView = ownViewOf(queue, organization);
  const give = () => {
    const before = ownView.given;
    view.given += 1;
    ownView.given += 1;
    const priority = ownView.own.then(
      ({ queued, running }) => queued + running + before + 1,
      () => before + 1,
    );
    return { priority };
  };
  if (waiting + view.given < uncrowded) return give();
  const [window, { queued }] = await Promise.all([windowOf(queue), ownView.own]);
  const own = queued + ownView.given;
  if (own >= shareOf(window)) return undefined;
  if (own > 0 && waiting + view.given >= window) return undefined;
  return give();
}

function viewOf(queue: QueueName): View {
  const last = views.get(queue);
  if (last && isFresh(last)) return last;
  const given = [...filling].filter((slot) => slot.queue === queue).length;
  const view: View = { madeMs: performance.now(), waiting: countWaiting(queue), given };
  void view.waiting.then((count) => (view.known = count));
  views.set(queue, view);
  return view;
}

function isFresh({ madeMs, known, given }: View): boolean {
  const ageMs = performance.now() - madeMs;
  if (ageMs < viewAgeMs) return true;
  return known !== undefined && known + given < uncrowded && ageMs < uncrowdedViewAgeMs;
}

function ownViewOf(queue: QueueName, organization: string): OwnView {
  const key = `${queue} ${organization}`;
  const last = ownViews.get(key);
  if (last && performance.now() - last.madeMs < viewAgeMs) return last;
  // Nobody asks for the views of earlier moments any more.
  if (ownViews.size >= 1_000) ownViews.clear();
  const given = [...filling].filter((slot) => slot.queue === queue && slot.organization === organization).length;
  const own = countOwn(queue, [organization]).then((ownOf) => ownOf(organization));
  own.catch(() => ownViews.delete(key));
  const view = { madeMs: performance.now(), own, given };
  ownViews.set(key, view);
  return view;
}

/** Jobs that Redis would deliver now; undefined when it does not answer. */
export async function countWaiting(queue: QueueName): Promise<number | undefined> {
  const counts = await tryRedis(() => queueOf(queue).getJobCounts('waiting', 'prioritized'));
  return counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/**
 * What organizations have in a queue. Jobs that wait for the time of their next try do not count: they take no room.
 *
 * Where they have more than several windows in all, the numbers are too low: it is only about who comes first.
 */
export async function countOwn(queue: QueueName, organizations: readonly string[]): Promise<(organization: string) => OwnJobs> {
  const most = 4 * (await windowOf(queue));
  const groups = await jobCollection()
    .aggregate<{ _id: { organization: string; state: 'queued' | 'running' }; count: number }>([
      {
        $match: {
          queue,
          state: { $in: ['queued', 'running'] },
          organization: { $in: [...organizations] },
          runAfter: { $not: { $gt: databaseNow() } },
        },
      },
      { $limit: most },
      { $group: { _id: { organization: '$organization', state: '$state' }, count: { $sum: 1 } } },
    ])
    .toArray();
  const counts = new Map(groups.map(({ _id, count }) => [`${_id.state} ${_id.organization}`, count]));
  const countIn = (state: keyof OwnJobs, organization: string) => counts.get(`${state} ${organization}`) ?? 0;
  return (organization) => ({ queued: countIn('queued', organization), running: countIn('running', organization) });
}

/** The priority of a job that comes back later: behind all that its organization has, so that its retries do not hold up others. */
export async function priorityBehind(queue: QueueName, organization: string): Promise<number> {
  const { queued, running } = (await countOwn(queue, [organization]))(organization);
  return queued + running + 1;
}

/** One organization fills at most half of the window, so that another one always finds room. */
export function shareOf(window: number): number {
  return Math.ceil(window / 2);
}

/** Four jobs for every one that the live workers can run at once, and never less than the configured minimum. */
export async function windowOf(queue: QueueName): Promise<number> {
  return Math.max(jobClient().config.jobs.window, 4 * (await slotsOf(queue)));
}
