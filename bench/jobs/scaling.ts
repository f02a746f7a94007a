import { setTimeout as delay } from 'node:timers/promises';
import { acceptJob } from '@bindery/jobs';
import { jobCollection, WorkerEntry } from '@bindery/models';
import { budgetRow, type Row } from '../support/figures.ts';
import { startProgram } from '../support/programs.ts';
import { noopJobs } from './noopJob.ts';

const jobMs = 50;
const jobsOfEach = 100;
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
    const seconds = await secondsOfAll();
    await Promise.all(workers.map((worker) => worker.stop()));
    await jobCollection().deleteMany({});
    const ideal = (processes * 1_000) / jobMs;
    const name = `waiting jobs of ${jobMs} ms a second with ${processes} ${processes === 1 ? 'process' : 'processes'} of one slot, beside ${ideal} without any cost`;
    rows.push(budgetRow(name, { ours: jobs / seconds, budget: 0.9 * ideal, unit: '/s', goal: '>= 1' }));
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

/** The time from the start of the first job to the end of the last one. */
async function secondsOfAll(): Promise<number> {
  const [times] = await jobCollection()
    .aggregate<{ first: Date; last: Date }>([
      { $group: { _id: null, first: { $min: '$startedAt' }, last: { $max: '$finishedAt' } } },
    ])
    .toArray();
  if (!times) throw new Error('No job was done.');
  return (times.last.getTime() - times.first.getTime()) / 1_000;
}
