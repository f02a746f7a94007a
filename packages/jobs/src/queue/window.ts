import { databaseNow, jobCollection, jobsOfQueue } from '@bindery/models';
import { isRedisAnswering, jobClient, queueOf, tryRedis } from './client.ts';
import type { QueueName } from '../definitions/defineJob.ts';
import { slotsOf } from './slots.ts';

/**
 * Redis holds a small window of each queue; the other jobs wait in MongoDB. Organizations take turns in it:
 * the n-th job of an organization, running ones included, has priority n, however many jobs it has.
 */

/** Below this number of waiting jobs every organization finds a slot in the window. */
const uncrowded = 4;
/** Simultaneous requests count the queue once; slots given away since are added here. */
const viewAgeMs = 20;
/** How long an empty queue counts as uncrowded; the error is at most three slots per process. */
const uncrowdedViewAgeMs = 1_000;

type View = {
  madeMs: number;
  /** Undefined when Redis did not answer. */
  waiting: Promise<number | undefined>;
  known?: number | undefined;
  /** Slots given away since `waiting` was counted. */
  given: number;
};

/** An organization's jobs in a queue, and the slots given to it since they were counted. */
type OwnView = { madeMs: number; own: Promise<OwnJobs>; given: number };

/** An organization's jobs of a queue that wait in Redis, and that run. */
export type OwnJobs = { queued: number; running: number };

/** A slot in the window. Its priority is computed while the job is written. */
export type QueueSlot = { priority: Promise<number> };

const views = new Map<QueueName, View>();
const ownViews = new Map<string, OwnView>();
/** Slots being filled at this moment. */
const filling = new Set<{ queue: QueueName; organization: string }>();

/**
 * Finds a slot in the window of a queue for one more job of an organization, and holds it while `work` fills
 * it.
 *
 * An organization without a waiting job always finds a slot, because retries of other organizations may have
 * filled the window.
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
  // Views of earlier moments are not read any more.
  if (ownViews.size >= 1_000) ownViews.clear();
  const given = [...filling].filter(
    (slot) => slot.queue === queue && slot.organization === organization,
  ).length;
  const own = countOwn(queue, [organization]).then((ownOf) => ownOf(organization));
  own.catch(() => ownViews.delete(key));
  const view = { madeMs: performance.now(), own, given };
  ownViews.set(key, view);
  return view;
}

/** Counts the jobs that Redis would deliver now; undefined when it does not answer. */
export async function countWaiting(queue: QueueName): Promise<number | undefined> {
  const counts = await tryRedis(() => queueOf(queue).getJobCounts('waiting', 'prioritized'));
  return counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/**
 * Counts the jobs of organizations in a queue. Jobs that wait for a retry do not count, because they take no
 * slot.
 *
 * Beyond four windows in all, the numbers are too low; they only decide the order.
 */
export async function countOwn(
  queue: QueueName,
  organizations: readonly string[],
): Promise<(organization: string) => OwnJobs> {
  const most = 4 * (await windowOf(queue));
  const groups = await jobCollection()
    .aggregate<{ _id: { organization: string; state: 'queued' | 'running' }; count: number }>(
      [
        {
          $match: {
            queue,
            state: { $in: ['queued', 'running'] },
            // As no job in these states has it; it stands before the organization in the index.
            'waiting.reason': null,
            organization: { $in: [...organizations] },
            runAfter: { $not: { $gt: databaseNow() } },
          },
        },
        { $limit: most },
        { $group: { _id: { organization: '$organization', state: '$state' }, count: { $sum: 1 } } },
      ],
      { hint: jobsOfQueue },
    )
    .toArray();
  const counts = new Map(groups.map(({ _id, count }) => [`${_id.state} ${_id.organization}`, count]));
  const countIn = (state: keyof OwnJobs, organization: string) => counts.get(`${state} ${organization}`) ?? 0;
  return (organization) => ({
    queued: countIn('queued', organization),
    running: countIn('running', organization),
  });
}

/** Returns the priority of a retry: after all other jobs of its organization, which it must not delay. */
export async function priorityBehind(queue: QueueName, organization: string): Promise<number> {
  const { queued, running } = (await countOwn(queue, [organization]))(organization);
  return queued + running + 1;
}

/** Limits one organization to half of the window, so that another one always finds a slot. */
export function shareOf(window: number): number {
  return Math.ceil(window / 2);
}

/**
 * Computes the window's size: four jobs per slot of the live workers, but at least the configured minimum.
 */
export async function windowOf(queue: QueueName): Promise<number> {
  return Math.max(jobClient().config.jobs.window, 4 * (await slotsOf(queue)));
}
