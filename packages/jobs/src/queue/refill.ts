import { setTimeout as delay } from 'node:timers/promises';
import { jobCollection, jobsOfQueue, type JobRecord } from '@bindery/models';
import type { QueueName } from '../definitions/defineJob.ts';
import { dispatchedFields, dispatchJobs, type Timing } from './dispatch.ts';
import { countOwn, countWaiting, shareOf, windowOf } from './window.ts';

/** The shortest pause between checks of a queue with nothing to dispatch, however many of its jobs end. */
const quietMs = 50;
/**
 * The most lookups of waiting organizations per refill; each starts after the last organization of the one
 * before.
 */
const maxLooks = 16;
const jobsPerLook = 32;

type Waiting = Pick<JobRecord, '_id' | 'organization' | 'queue' | 'kind' | 'dispatch' | 'state' | 'crashes'>;
type Chosen = { job: Waiting; timing: Timing };

/** The organizations to look at when the window is full. */
type Asked = 'all' | ReadonlySet<string>;
/** `next`: asked for during a look, for another one after it. */
type Refilling = { next: Asked | undefined; done: Promise<void> };
const refilling = new Map<QueueName, Refilling>();

/**
 * The last organization of a queue's previous lookup; the next one starts after it, so that each has its
 * turn.
 */
const lastSeen = new Map<QueueName, string>();

/**
 * Moves accepted jobs of a queue into its window, taking turns between organizations, each one's oldest
 * first. Called when a job ends and by the sweeper; calls during a refill cause one more.
 *
 * @param ended  the organization of a job that has ended: a full window has no room for others. Default: all
 *   organizations have their turn
 */
export function refill(queue: QueueName, ended?: string): Promise<void> {
  const asked = ended === undefined ? 'all' : new Set([ended]);
  const running = refilling.get(queue);
  if (running) {
    running.next = running.next === undefined ? asked : both(running.next, asked);
    return running.done;
  }
  const state: Refilling = { next: undefined, done: Promise.resolve() };
  refilling.set(queue, state);
  state.done = refillAgain(queue, { state, first: asked });
  return state.done;
}

function both(one: Asked, other: Asked): Asked {
  if (one === 'all' || other === 'all') return 'all';
  const all = one.union(other);
  return all.size > maxLooks ? 'all' : all;
}

async function refillAgain(
  queue: QueueName,
  { state, first }: { state: Refilling; first: Asked },
): Promise<void> {
  try {
    for (let asked: Asked | undefined = first; asked !== undefined; asked = state.next) {
      state.next = undefined;
      const dispatched = await refillOnce(queue, asked);
      if (dispatched === 0 && state.next !== undefined) await delay(quietMs, undefined, { ref: false });
    }
  } finally {
    refilling.delete(queue);
  }
}

/** @returns the number of dispatched jobs */
async function refillOnce(queue: QueueName, asked: Asked): Promise<number> {
  const waiting = await countWaiting(queue);
  if (waiting === undefined) return 0;
  const window = await windowOf(queue);
  // Refill at half empty: one write then covers many jobs.
  const isFull = waiting > window / 2;
  const room = isFull ? window : window - waiting;
  const found =
    isFull && asked !== 'all'
      ? await findFirst(queue, asked)
      : await findWaiting(queue, { each: isFull ? 1 : Math.min(room, shareOf(window)), enough: room });
  if (found.size === 0) return 0;
  const ownOf = await countOwn(queue, [...found.keys()]);
  const turns = [...found].map(([organization, jobs]) => {
    const { queued, running } = ownOf(organization);
    // A full window admits only organizations that have no job in it.
    const slots = isFull ? Number(queued === 0) : Math.max(0, shareOf(window) - queued);
    return jobs
      .slice(0, slots)
      .map((job, index) => ({ job, timing: { priority: queued + running + index + 1 } }));
  });
  const chosen = byTurns(turns).slice(0, room);
  await dispatchJobs(queue, chosen);
  return chosen.length;
}

/** Finds the first job of each of a few organizations that waits for a queue slot. */
async function findFirst(
  queue: QueueName,
  organizations: ReadonlySet<string>,
): Promise<Map<string, Waiting[]>> {
  const first = await Promise.all([...organizations].map(async (one) => find(queue, one, 1)));
  return new Map(first.flat().map((job) => [job.organization, [job]]));
}

/** Finds jobs of a queue that wait for a slot, ordered by organization, each one's oldest first. */
async function find(
  queue: QueueName,
  organization: string | { $gt: string; $lte?: string },
  limit: number,
): Promise<Waiting[]> {
  // MongoDB 6 would sort all jobs of one organization in memory if it were a key of the order.
  const byOrganization: Record<string, 1> = typeof organization === 'string' ? {} : { organization: 1 };
  return jobCollection()
    .find({ queue, state: 'accepted', 'waiting.reason': null as never, organization })
    .project<Waiting>({ ...dispatchedFields, state: 1 })
    .sort({ ...byOrganization, runAfter: 1, createdAt: 1 })
    .hint(jobsOfQueue)
    .limit(limit)
    .toArray();
}

/**
 * Finds jobs that wait for a queue slot, by organization. The number of waiting jobs does not affect the
 * cost: both the index lookups and the jobs per lookup are limited.
 *
 * @param each  the most jobs of one organization
 * @param enough  the number of organizations after which the search ends
 */
async function findWaiting(
  queue: QueueName,
  { each, enough }: { each: number; enough: number },
): Promise<Map<string, Waiting[]>> {
  const found = new Map<string, Waiting[]>();
  const start = lastSeen.get(queue) ?? '';
  const limit = Math.max(each, jobsPerLook);
  let range: { $gt: string; $lte?: string } = { $gt: start };
  for (let look = 0; look < maxLooks && found.size < enough; look += 1) {
    const jobs = await find(queue, range, limit);
    for (const job of jobs) {
      const own = found.get(job.organization) ?? [];
      if (own.length < each) found.set(job.organization, [...own, job]);
    }
    const last = jobs.at(-1)?.organization;
    if (last !== undefined) lastSeen.set(queue, last);
    if (jobs.length === limit && last !== undefined) range = { ...range, $gt: last };
    else if (range.$lte === undefined && start !== '') range = { $gt: '', $lte: start };
    else break;
  }
  return found;
}

/** Interleaves the lists: the first of each, then the second of each, and so on. */
function byTurns(lists: Chosen[][]): Chosen[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list[turn] ?? [])).flat();
}
