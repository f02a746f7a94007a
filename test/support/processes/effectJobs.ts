import { acceptJob } from '@bindery/jobs';
import { jobCollection, mongoDatabase, type JobRecord } from '@bindery/models';
import { expect } from 'vitest';
import { effectCollection, standInJobs } from '../../fixtures/standInWorker/jobs.ts';
import { until } from '../until.ts';

/** The effects of the stand-in worker's jobs, one document each. */
export const effects = () => mongoDatabase().collection<{ _id: string; job: string }>(effectCollection);

/** Accepts a job of the stand-in worker that works for this long. @returns its id */
export async function acceptEffect(workMs: number): Promise<string> {
  const { _id } = await acceptJob(standInJobs.makeEffect, {
    organization: 'organization',
    subject: { type: 'space', id: 'none' },
    startedBy: 'somebody',
    permission: 'space.edit',
    input: { workMs },
  });
  return _id;
}

/** Waits until all these jobs have ended. */
export async function waitForEnds(ids: readonly string[], timeoutMs = 60_000): Promise<JobRecord[]> {
  const find = () =>
    jobCollection()
      .find({ _id: { $in: [...ids] } })
      .toArray();
  await until('end of all jobs', async () => (await find()).every(({ finishedAt }) => finishedAt), {
    timeoutMs,
  });
  return find();
}

/** Expects that each of these jobs had its effect once, and no other job had one. */
export async function expectOneEffectEach(ids: readonly string[]): Promise<void> {
  const made = await effects().find().toArray();
  expect(made.map(({ job }) => job).toSorted()).toEqual(ids.toSorted());
}
