import { setTimeout as delay } from 'node:timers/promises';
import { acceptJob } from '@bindery/jobs';
import { jobCollection, WorkerEntry } from '@bindery/models';
import { buildOrganization } from '../../test/support/factories.ts';
import type { Row } from '../support/figures.ts';
import { startProgram } from '../support/programs.ts';
import { noopJobs } from './noopJob.ts';

const jobMs = 15_000;
const goalMs = 1_000;

/**
 * Measures how long the job of one organization waits while another one has twice as many long jobs as there
 * are slots. The reference is its wait when nothing else runs.
 */
export async function measureFairness(environment: Record<string, string>): Promise<Row[]> {
  const [large, small] = [
    (await buildOrganization()).organization._id,
    (await buildOrganization()).organization._id,
  ];
  const rows: Row[] = [];
  for (const slots of [2, 4]) {
    console.error(`fairness with ${slots} slots`);
    // The slots of a killed worker stay counted for a few seconds.
    await WorkerEntry.deleteMany({});
    const worker = await startProgram(new URL('worker.ts', import.meta.url), environment);
    await worker.ask({ concurrency: slots });
    const aloneMs = await waitOf(await accept(small, 0));
    for (let n = 0; n < 2 * slots; n += 1) await accept(large, jobMs);
    while ((await jobCollection().countDocuments({ organization: large, state: 'running' })) < slots - 1)
      await delay(20);
    const besideMs = await waitOf(await accept(small, 0));
    await worker.stop();
    await jobCollection().deleteMany({});
    rows.push({
      name: `${slots} slots, ${2 * slots} jobs of ${jobMs / 1_000} s of one organization: how long the job of another one waits`,
      reference: `${aloneMs} ms (nothing else runs)`,
      ours: `${besideMs} ms`,
      ratio: besideMs / aloneMs,
      goal: `<= ${goalMs} ms`,
      isMet: besideMs <= goalMs,
    });
  }
  return rows;
}

async function accept(organization: string, sleepMs: number): Promise<string> {
  const { _id } = await acceptJob(noopJobs.sleep, {
    organization,
    subject: { type: 'space', id: 'space' },
    startedBy: 'user',
    permission: 'space.view',
    input: { ms: sleepMs },
  });
  return _id;
}

/** Waits until a job starts. @returns the milliseconds since its acceptance */
async function waitOf(id: string): Promise<number> {
  for (;;) {
    const job = await jobCollection().findOne({ _id: id });
    if (job?.startedAt) return Math.max(1, job.startedAt.getTime() - job.createdAt.getTime());
    await delay(20);
  }
}
