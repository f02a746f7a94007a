import { setTimeout as delay } from 'node:timers/promises';
import { jobCollection, type JobRecord } from '@bindery/models';
import type { QueueName } from './defineJob.ts';
import { dispatchJobs, type Place } from './dispatch.ts';
import { countReadyByOrganization, countWaiting, shareOf, uncrowded, windowOf } from './window.ts';

/** A queue with nothing to dispatch is not looked at more often than this, however many of its jobs end. */
const quietMs = 50;

type Chosen = { job: JobRecord; place: Place };

type Refilling = { again: boolean; done: Promise<void> };
const refilling = new Map<QueueName, Refilling>();

/**
 * Moves accepted jobs of a queue into its window, round robin over the organizations, oldest first.
 * Called by whoever finishes a job and by the sweeper; calls that arrive while one runs are joined into one more.
 */
export function refill(queue: QueueName): Promise<void> {
  const running = refilling.get(queue);
  if (running) {
    running.again = true;
    return running.done;
  }
  const state: Refilling = { again: false, done: Promise.resolve() };
  refilling.set(queue, state);
  state.done = refillAgain(queue, state);
  return state.done;
}

async function refillAgain(queue: QueueName, state: Refilling): Promise<void> {
  try {
    do {
      state.again = false;
      const dispatched = await refillOnce(queue);
      if (dispatched === 0 && state.again) await delay(quietMs, undefined, { ref: false });
    } while (state.again);
  } finally {
    refilling.delete(queue);
  }
}

/** @returns how many jobs it dispatched */
async function refillOnce(queue: QueueName): Promise<number> {
  const waiting = await countWaiting(queue);
  if (waiting === undefined) return 0;
  const [window, organizations] = await Promise.all([
    windowOf(queue),
    jobCollection().distinct('organization', { queue, state: 'accepted' }),
  ]);
  if (organizations.length === 0) return 0;
  // Half empty is early enough: filling up in batches costs one write for many jobs.
  const chosen =
    waiting > window / 2
      ? await chooseFirsts(queue, organizations, window)
      : await chooseByTurns(queue, organizations, { waiting, window });
  await dispatchJobs(queue, chosen);
  return chosen.length;
}

/** With a full window: one job of each organization that has none in it. */
async function chooseFirsts(queue: QueueName, organizations: string[], limit: number): Promise<Chosen[]> {
  const ready = await countReadyByOrganization(queue);
  const left = rotated(organizations.filter((organization) => !ready.has(organization))).slice(0, limit);
  const jobs = await Promise.all(left.map((organization) => findOldest(queue, organization, 1)));
  return jobs.flat().map((job) => ({ job, place: { priority: 1 } }));
}

async function chooseByTurns(
  queue: QueueName,
  organizations: string[],
  { waiting, window }: { waiting: number; window: number },
): Promise<Chosen[]> {
  const share = shareOf(window);
  const ready = waiting < uncrowded ? new Map<string, number>() : await countReadyByOrganization(queue);
  let room = window - waiting;
  const each = Math.max(1, Math.ceil(Math.min(room, share) / organizations.length));
  const chosen: Chosen[] = [];
  for (const organization of rotated(organizations)) {
    if (room <= 0) break;
    const own = ready.get(organization) ?? 0;
    const limit = Math.min(each, room, share - own);
    if (limit <= 0) continue;
    const jobs = await findOldest(queue, organization, limit);
    jobs.forEach((job, index) => chosen.push({ job, place: { priority: own + index + 1 } }));
    room -= jobs.length;
  }
  return chosen;
}

function findOldest(queue: QueueName, organization: string, limit: number): Promise<JobRecord[]> {
  return jobCollection()
    .find({ queue, state: 'accepted', organization, 'waiting.reason': { $ne: 'lane' } })
    .project<JobRecord>({ queue: 1, dispatch: 1, state: 1, crashes: 1 })
    .sort({ createdAt: 1 })
    .limit(limit)
    .toArray();
}

/** Which organization comes first changes with every call. */
function rotated<T>(items: T[]): T[] {
  const start = Math.floor(Math.random() * items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}
