import { cancelJob, explainWaiting, sweep, type QueueName } from '@bindery/jobs';
import { jobCollection, type JobRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { releaseLane } from '../../../packages/jobs/src/queue/lanes.ts';
import { refill } from '../../../packages/jobs/src/queue/refill.ts';
import { examined } from './examined.ts';

/** Accepts a job of an organization, in the queue of the backlog. */
type Accept = (organization: string) => Promise<JobRecord>;

const inLane = (lane: string): Partial<JobRecord> => ({
  lane,
  waiting: { reason: 'lane', message: 'Behind another.' },
});

/** Kinds of backlogs: the fields of a waiting job, by its index. */
export const backlogs: Record<string, (index: number) => Partial<JobRecord>> = {
  'of one organization': () => ({}),
  'of five organizations': (index) => ({ organization: `organization-${index % 5}` }),
  'of as many organizations': (index) => ({ organization: `organization-${index}` }),
  'of one lane': () => inLane('the lane'),
  'of half as many lanes': (index) => {
    const lane = `lane-${String(index >> 1).padStart(6, '0')}`;
    return index % 2 === 0 ? { lane } : inLane(lane);
  },
  'that wait for another try': () => ({
    state: 'queued',
    dispatchedAt: new Date(0),
    runAfter: new Date(Date.now() + 3_600_000),
  }),
};

/** Actions whose cost must not depend on the number of waiting jobs. */
const actions: Record<string, (jobs: JobRecord[], accept: Accept) => Promise<unknown>> = {
  'a sweep': () => sweep(),
  'filling the window': ([first]) => refill(first!.queue as QueueName),
  'the end of a job of theirs': ([first]) => refill(first!.queue as QueueName, first!.organization),
  'the page of the last job': async (jobs) =>
    explainWaiting((await jobCollection().findOne({ _id: jobs.at(-1)!._id }))!),
  'a job of an organization that has none': (_, accept) => accept(`newcomer-${newId()}`),
  'one more job of theirs': (jobs, accept) => accept(jobs[0]!.organization),
  'the end of a job in a lane of theirs': (jobs) => releaseLane(jobs[0]!.lane ?? 'another lane'),
  'a cancel': (jobs) => cancelJob(jobs[0]!._id),
};

/**
 * Measures the cost of each action while `count` jobs wait, in documents and index keys examined by MongoDB,
 * which, unlike a time, is the same on every machine.
 *
 * @param pattern  an accepted job, which the waiting ones copy; the queue is empty
 */
export async function costsWithBacklog(
  fieldsOf: (index: number) => Partial<JobRecord>,
  { pattern, count, accept }: { pattern: JobRecord; count: number; accept: Accept },
): Promise<Map<string, number>> {
  const jobs = await insertWaiting(count, { pattern, fieldsOf });
  // The first sweep gives Redis as many jobs as it has room for.
  await sweep();
  const costs = new Map<string, number>();
  for (const [name, act] of Object.entries(actions)) {
    // Sweeps check different jobs in turn, so the more expensive one of two counts.
    const times = name === 'a sweep' ? 2 : 1;
    for (let time = 0; time < times; time += 1) {
      // As if seconds had passed, so that the sweep asks Redis again for the jobs given to it.
      await jobCollection().updateMany({ state: 'queued' }, { $set: { dispatchedAt: new Date(0) } });
      costs.set(name, Math.max(costs.get(name) ?? 0, await examined(() => act(jobs, accept))));
    }
  }
  return costs;
}

/**
 * Inserts waiting jobs in the form that `acceptJob` leaves when the window is full, without the time for
 * accepting them.
 */
async function insertWaiting(
  count: number,
  { pattern, fieldsOf }: { pattern: JobRecord; fieldsOf: (index: number) => Partial<JobRecord> },
): Promise<JobRecord[]> {
  const jobs = Array.from({ length: count }, (_, index): JobRecord => ({
    ...pattern,
    _id: newId(),
    state: 'accepted',
    dispatch: 0,
    dispatchedAt: null,
    createdAt: new Date(pattern.createdAt.getTime() - count + index),
    ...fieldsOf(index),
  }));
  for (let start = 0; start < count; start += 2_000)
    await jobCollection().insertMany(jobs.slice(start, start + 2_000), { ignoreUndefined: true });
  return jobs;
}
