import { defineJob, acceptJob, startWorker, type RunningWorker } from '@bindery/jobs';
import { jobCollection } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { organization, startJobLab, testJobs, type JobLab } from '../support/processes/jobLab.ts';

const { input: _input, lane: _lane, isGitSync: _isGitSync, ...shared } = testJobs.work;

/** The same job type after an update of the platform: `name` has become `title`. */
const newer = defineJob({
  ...shared,
  version: 2,
  input: z.object({ title: z.string() }),
  upgrades: { 1: ({ name }) => ({ title: `${String(name)}, upgraded` }) },
});

let lab: JobLab;
const workers: RunningWorker[] = [];

beforeAll(async () => {
  lab = await startJobLab();
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
  await lab.reset();
});
afterAll(() => lab.close());

async function startNewerWorker(): Promise<void> {
  const options = { app: 'newer', concurrency: 2, config: lab.config, logger: lab.logger };
  workers.push(
    await startWorker({ work: newer }, { work: async ({ title }) => ({ result: { name: title } }) }, options),
  );
}

const request = {
  organization,
  subject: { type: 'space', id: 'a-space' },
  startedBy: 'somebody',
  permission: 'space.edit',
} as const;

describe('while the platform is updated', () => {
  it('runs a job of the older version in a newer worker', async () => {
    await startNewerWorker();
    const { _id } = await lab.accept('old');
    expect(await lab.waitFor(_id, 'succeeded')).toMatchObject({
      version: 1,
      result: { name: 'old, upgraded' },
    });
  });

  it('puts a job of the newer version aside in an older worker, until a newer one is there', async () => {
    await lab.startWorker(async () => {});
    const { _id } = await acceptJob(newer, { ...request, input: { title: 'new' } });
    const aside = await lab.waitFor(_id, ({ waiting }) => waiting);
    expect(aside).toMatchObject({
      state: 'queued',
      epoch: 0,
      attempts: [],
      waiting: { reason: 'version', until: expect.any(Date) },
    });
    await startNewerWorker();
    expect(await lab.waitFor(_id, 'succeeded', 20_000)).toMatchObject({
      result: { name: 'new' },
      attempts: [{ outcome: 'succeeded' }],
    });
    expect(await jobCollection().countDocuments({ waiting: { $exists: true } })).toBe(0);
  });

  it('fails a job of an unsupported version at once, with an action in the error', async () => {
    const { upgrades: _, ...withoutUpgrade } = newer;
    const options = { app: 'newest', concurrency: 2, config: lab.config, logger: lab.logger };
    workers.push(
      await startWorker({ work: withoutUpgrade }, { work: async () => ({ result: { name: '' } }) }, options),
    );
    const { _id } = await lab.accept('too old');
    expect(await lab.waitFor(_id, 'failed')).toMatchObject({
      epoch: 1,
      error: { class: 'invalid', code: 'unsupported_version', action: expect.any(String) },
    });
  });
});
