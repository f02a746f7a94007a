import { acceptJob } from '@bindery/jobs';
import { jobCollection } from '@bindery/models';
import type { Redis } from '@bindery/runtime';
import { backlogs, costsWithBacklog } from '../../test/support/stores/backlogs.ts';
import type { Row } from '../support/figures.ts';
import { noopJobs } from './noopJob.ts';

const few = 100;
const many = 100_000;
/**
 * Documents and keys. A background refill may add this many to any action, so smaller costs are not compared;
 * test/jobs/backlog.test.ts has the same limit.
 */
const leastCost = 300;

/**
 * Measures how many documents and keys MongoDB examines for each action while many jobs wait: a row for each
 * action, with its most expensive kind of backlog.
 */
export async function measureBacklog(redis: Redis): Promise<Row[]> {
  const worst = new Map<string, { backlog: string; small: number; large: number }>();
  for (const [backlog, fieldsOf] of Object.entries(backlogs)) {
    console.error(`a backlog ${backlog}`);
    const costs = [];
    for (const count of [few, many]) {
      const pattern = await accept('organization');
      await forget(redis);
      costs.push(await costsWithBacklog(fieldsOf, { pattern, count, accept }));
      await forget(redis);
    }
    const [small, large] = costs;
    for (const [name, one] of small!) {
      const row = { backlog, small: one, large: large!.get(name)! };
      const before = worst.get(name);
      if (!before || ratioOf(row) > ratioOf(before)) worst.set(name, row);
    }
  }
  return [...worst].map(([name, row]) => ({
    name: `${name}: keys and documents examined with ${few} and with ${many} jobs`,
    reference: String(row.small),
    ours: `${row.large} (a backlog ${row.backlog})`,
    ratio: row.large / row.small,
    goal: `<= 2 (of at least ${leastCost})`,
    isMet: ratioOf(row) <= 2,
  }));
}

function ratioOf({ small, large }: { small: number; large: number }): number {
  return large / Math.max(small, leastCost);
}

async function accept(organization: string) {
  return acceptJob(noopJobs.doNothing, {
    organization,
    subject: { type: 'space', id: 'space' },
    startedBy: 'user',
    permission: 'space.view',
    input: { n: 0 },
  });
}

async function forget(redis: Redis): Promise<void> {
  await jobCollection().deleteMany({});
  await redis.flushdb();
}
