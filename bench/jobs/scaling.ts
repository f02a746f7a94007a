import { setTimeout as delay } from 'node:timers/promises';
import { acceptJob } from '@bindery/jobs';
import { jobCollection, WorkerEntry } from '@bindery/models';
import { budgetRow, type Row } from '../support/figures.ts';
import { startProgram } from '../support/programs.ts';
import { noopJobs } from './noopJob.ts';

const jobMs = 50;
const jobsOfEach = 200;
const organizations = 5;

/**
 * Measures how many waiting jobs several worker processes with one slot each do in a second, beside what they
 * would do without any cost between two jobs.
 */
export async function measureScaling(environment: Record<string, string>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const processes of [1, 2, 4, 8]) {
    console.error(`scaling with ${processes} processes`);
    // The slots of killed workers stay counted for a few seconds.
    await WorkerEntry.deleteMany({});
    const jobs = processes * jobsOfEach;
    const workers = await Promise.all(
      Array.from({ length: processes }, async () =>
        startProgram(new URL('worker.ts', import.meta.url), environment),
      ),
    );
    await Promise.all(Array.from({ length: jobs }, async (_, n) => accept(n)));
    await Promise.all(workers.map((worker) => worker.ask({ concurrency: 1 })));
    while (await jobCollection().findOne({ state: { $ne: 'succeeded' } })) await delay(jobMs);
    const ours = await middleRate();
    await Promise.all(workers.map((worker) => worker.stop()));
    await jobCollection().deleteMany({});
    const ideal = (processes * 1_000) / jobMs;
    const name = `waiting jobs of ${jobMs} ms a second with ${processes} ${processes === 1 ? 'process' : 'processes'} of one slot, beside ${ideal} without any cost`;
    rows.push(budgetRow(name, { ours, budget: 0.9 * ideal, unit: '/s', goal: '>= 1' }));
  }
  return rows;
}

async function accept(n: number): Promise<void> {
  await acceptJob(noopJobs.sleep, {
    organization: `organization-${n % organizations}`,
    subject: { type: 'space', id: 'space' },
    startedBy: 'user',
    permission: 'space.view',
    input: { ms: jobMs },
  });
}

/**
 * The jobs that ended in a second, without the first fifth of them, in which the processes compile their
 * code, and without the last tenth, in which there is no more work for all.
 */
async function middleRate(): Promise<number> {
  const ends = await jobCollection()
    .find({}, { projection: { _id: 0, finishedAt: 1 }, sort: { finishedAt: 1 } })
    .map(({ finishedAt }) => finishedAt?.getTime() ?? 0)
    .toArray();
  const [first, last] = [Math.floor(ends.length * 0.2), Math.floor(ends.length * 0.9)];
  return ((last - first) * 1_000) / ((ends[last] ?? 0) - (ends[first] ?? 0));
}
