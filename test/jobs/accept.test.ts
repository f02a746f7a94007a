import { acceptJob } from '@bindery/jobs';
import { jobCollection, mongoDatabase } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dumpRedis } from '../support/stores/dumpStores.ts';
import { organization, startJobLab, testJobs, type JobLab } from '../support/processes/jobLab.ts';
import { until } from '../support/until.ts';

let lab: JobLab;
const resources = () => mongoDatabase().collection<{ _id: string }>('testResources');

beforeAll(async () => {
  lab = await startJobLab();
  await resources().deleteMany({});
});
afterEach(() => lab.reset());
afterAll(() => lab.close());

describe('accepting a job', () => {
  it('writes the job and its accompanying record together, and runs it', async () => {
    const job = await lab.accept('with a resource', {
      also: async (session, jobId) => void (await resources().insertOne({ _id: jobId }, { session })),
    });
    expect(await resources().findOne({ _id: job._id })).not.toBeNull();
    await lab.startWorker(async () => {});
    expect(await lab.waitFor(job._id, 'succeeded')).toMatchObject({
      input: { name: 'with a resource' },
      result: { name: 'with a resource' },
      epoch: 1,
      tries: 0,
      crashes: 0,
      attempts: [{ epoch: 1, outcome: 'succeeded' }],
    });
  });

  it('accepts nothing when the other write fails', async () => {
    const failing = lab.accept('never', {
      also: async (session, jobId) => {
        await resources().insertOne({ _id: jobId }, { session });
        throw new Error('the resource is not as it should be');
      },
    });
    await expect(failing).rejects.toThrow('the resource is not as it should be');
    expect(await jobCollection().countDocuments()).toBe(0);
    expect(await lab.redis.keys('*:j-*')).toEqual([]);
  });

  it('refuses input that the type of job does not take', async () => {
    const request = {
      organization,
      subject: { type: 'space', id: 'a-space' },
      startedBy: 'somebody',
      permission: 'space.edit',
    } as const;
    await expect(acceptJob(testJobs.work, { ...request, input: { name: 7 } as never })).rejects.toThrow(
      /name/,
    );
    expect(await jobCollection().countDocuments()).toBe(0);
  });

  it('gives Redis the id of the job and nothing of its input', async () => {
    const { _id } = await lab.accept('s3cret-input');
    const dump = await dumpRedis(lab.redis);
    expect(dump).toContain(_id);
    expect(dump).not.toContain('s3cret-input');
  });

  it('records which jobs Redis has accepted, except a job that was dispatched again meanwhile', async () => {
    const [one, two, again] = await Promise.all(['one', 'two', 'again'].map((name) => lab.accept(name)));
    await jobCollection().updateOne({ _id: again!._id }, { $inc: { dispatch: 1 } });
    const noted = { _id: { $in: [one!._id, two!._id] }, dispatchedAt: { $ne: null } };
    await until('the notes', async () => (await jobCollection().countDocuments(noted)) === 2);
    expect((await lab.find(again!._id)).dispatchedAt).toBeNull();
  });

  it('keeps a finished job for the configured retention time', async () => {
    await lab.startWorker(async () => {});
    const job = await lab.waitFor((await lab.accept('kept'))._id, 'succeeded');
    const keptMs = job.expireAt!.getTime() - job.finishedAt!.getTime();
    expect(keptMs / 86_400_000).toBeCloseTo(lab.config.jobs.retentionDays, 3);
  });
});
