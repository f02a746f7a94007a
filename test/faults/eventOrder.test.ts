import { findRevision, loadTree } from '@bindery/content';
import { Space, type JobRecord, type SpaceRecord } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { rareSweeps, startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import type { GitRepository } from '../support/git/gitRepository.ts';
import { createResultTable, isFull } from '../support/resultTable.ts';

// F20: events of git, of which each has its time, arrive in any order at two workers.

let lab: FaultLab;
const table = createResultTable();
beforeAll(async () => {
  lab = await startFaultLab(rareSweeps);
  if (!isFull) console.log('F20: six orders here, all 24 with BINDERY_FAULTS=full');
});
afterEach(() => lab.reset({ keep: ['worker-maintenance', 'worker-git', 'worker-git'] }));
afterAll(async () => {
  table.print();
  await lab.close();
});

const all = permutations([0, 1, 2, 3]);
const orders = isFull ? all : all.filter((_, index) => index % 4 === 0);
const timeOf = (event: number) => `2026-03-0${event + 1}T00:00:00.000Z`;
let names = 0;

/** A repository with a branch for each event, each with a title of its own. */
async function branches(): Promise<GitRepository & { url: string }> {
  const repository = await lab.gitServer.createRepository(`order${(names += 1)}.git`, {
    'README.md': '# Main\n',
  });
  for (const event of [0, 1, 2, 3])
    await repository.commit({ 'README.md': `# Title ${event}\n` }, { branch: `b${event}` });
  return repository;
}

async function titleOf({ _id }: SpaceRecord): Promise<string | undefined> {
  const space = (await Space.findById(_id).lean<SpaceRecord>()) as SpaceRecord;
  const revision = await findRevision(_id, space.revision);
  return (await loadTree(space.organization, revision?.pages ?? ''))[0]?.title;
}

const statesOf = async (jobs: readonly JobRecord[]) =>
  Promise.all(jobs.map(async ({ _id }) => (await lab.waitFor(_id, ({ finishedAt }) => finishedAt)).state));

describe('F20: events in any order', () => {
  it('imports: the newest one stays, and older ones are dropped', { timeout: 240_000 }, async () => {
    await Promise.all([lab.start('worker-maintenance'), lab.start('worker-git'), lab.start('worker-git')]);
    const repository = await branches();
    for (const order of orders) {
      const space = await lab.newSpace();
      const jobs = [];
      for (const event of order)
        jobs.push(
          await lab.import(space, repository.url, { ref: `refs/heads/b${event}`, timestamp: timeOf(event) }),
        );
      const states = await statesOf(jobs);
      let newest = -1;
      for (const [index, event] of order.entries()) {
        expect(states[index], `${order.join()} at ${event}`).toBe(
          event > newest ? 'succeeded' : 'superseded',
        );
        newest = Math.max(newest, event);
      }
      expect(await titleOf(space), order.join()).toBe('Title 3');
    }
    table.add({
      fault: 'F20 imports',
      runs: orders.length,
      result: 'the newest stays',
      measured: '-',
      goal: 'all orders',
    });
  });

  it(
    'imports and exports: jobs older than the last applied one are dropped in both directions',
    { timeout: 240_000 },
    async () => {
      await Promise.all([lab.start('worker-maintenance'), lab.start('worker-git'), lab.start('worker-git')]);
      for (const order of orders) {
        const repository = await branches();
        const space = await lab.newSpace();
        const jobs = [];
        // Events 0 and 2 come from git, 1 and 3 go there.
        for (const event of order) {
          const timestamp = timeOf(event);
          if (event % 2 === 0)
            jobs.push(await lab.import(space, repository.url, { ref: `refs/heads/b${event}`, timestamp }));
          else
            jobs.push(
              await lab.export(space, repository.url, {
                ref: `refs/heads/out${event}`,
                timestamp,
                commitMessage: `Export ${event}`,
              }),
            );
        }
        const states = await statesOf(jobs);
        let newest = -1;
        let shown = 'Space';
        for (const [index, event] of order.entries()) {
          const isApplied = event > newest;
          expect(states[index], `${order.join()} at ${event}`).toBe(isApplied ? 'succeeded' : 'superseded');
          newest = Math.max(newest, event);
          if (isApplied && event % 2 === 0) shown = `Title ${event}`;
          const refs = (await repository.git(['for-each-ref', '--format=%(refname:short)'])).toString();
          if (event % 2 === 1)
            expect(refs.includes(`out${event}`), `${order.join()}: out${event}`).toBe(isApplied);
        }
        expect(await titleOf(space), order.join()).toBe(shown);
      }
      table.add({
        fault: 'F20 both directions',
        runs: orders.length,
        result: 'older ones dropped',
        measured: '-',
        goal: 'all orders',
      });
    },
  );

  it('force overrides the order once', { timeout: 60_000 }, async () => {
    await Promise.all([lab.start('worker-maintenance'), lab.start('worker-git'), lab.start('worker-git')]);
    const repository = await branches();
    const space = await lab.newSpace();
    const jobs = [
      await lab.import(space, repository.url, { ref: 'refs/heads/b3', timestamp: timeOf(3) }),
      await lab.import(space, repository.url, { ref: 'refs/heads/b1', timestamp: timeOf(1), force: true }),
      await lab.import(space, repository.url, { ref: 'refs/heads/b2', timestamp: timeOf(2) }),
    ];
    expect(await statesOf(jobs)).toEqual(['succeeded', 'succeeded', 'superseded']);
    expect(await titleOf(space)).toBe('Title 1');
  });
});

function permutations(items: number[]): number[][] {
  if (items.length <= 1) return [items];
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}
