import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { backlogs, costsWithBacklog } from '../support/stores/backlogs.ts';
import { startJobLab, type JobLab } from '../support/processes/jobLab.ts';

let lab: JobLab;

beforeAll(async () => {
  lab = await startJobLab();
});
afterEach(() => lab.reset());
afterAll(() => lab.close());

const few = 100;
const many = 10_000;

describe.each(Object.keys(backlogs))('with a backlog %s', (backlog) => {
  it(`each operation costs the same with ${few} and ${many} jobs`, { timeout: 120_000 }, async () => {
    const [small, large] = [await costsWith(backlog, few), await costsWith(backlog, many)];
    const rows = [...small].map(([name, cost]) => ({ name, small: cost, large: large.get(name) }));
    console.log(
      `Documents examined with a backlog ${backlog}, ${few} / ${many} jobs: ${rows.map((row) => `${row.name} ${row.small} / ${row.large}`).join(', ')}`,
    );
    // A refill in the background may add a few batches to any action, so small costs are not compared; a cost
    // that grew with the backlog would be far higher.
    for (const row of rows) expect(row.large, row.name).toBeLessThanOrEqual(2 * Math.max(row.small, 300));
  });
});

it('looks at one organization when a job ends and the window is full', { timeout: 120_000 }, async () => {
  const costs = await costsWith('of five organizations', few);
  // A look at all five reads more than a window of jobs.
  expect(costs.get('filling the window')).toBeGreaterThan(100);
  expect(costs.get('the end of a job of theirs')).toBeLessThanOrEqual(40);
});

async function costsWith(backlog: string, count: number): Promise<Map<string, number>> {
  const pattern = await lab.accept('pattern');
  await lab.reset();
  const costs = await costsWithBacklog(backlogs[backlog]!, {
    pattern,
    count,
    accept: (organization) => lab.accept('one more', { organization }),
  });
  await lab.reset();
  return costs;
}
