import { JobError } from '@bindery/contract';
import { cancelJob, retryJob } from '@bindery/jobs';
import { jobCollection } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startJobLab, untilAborted, type JobLab } from '../support/processes/jobLab.ts';
import { until } from '../support/until.ts';

let lab: JobLab;

beforeAll(async () => {
  lab = await startJobLab();
});
afterEach(() => lab.reset());
afterAll(() => lab.close());

describe('retrying a job by hand', () => {
  it('runs it again under the same id with a new count of attempts', async () => {
    let isBroken = true;
    await lab.startWorker(async (_, run) => {
      run.log('info', `run ${run.job.epoch}`);
      if (isBroken) throw new JobError('auth', 'The login was refused.');
    });
    const failed = await lab.waitFor((await lab.accept('twice'))._id, 'failed');
    isBroken = false;
    const retried = await retryJob(failed._id);
    expect(retried).toMatchObject({
      _id: failed._id,
      state: 'queued',
      tries: 0,
      crashes: 0,
      dispatch: failed.dispatch + 1,
    });
    for (const gone of ['error', 'finishedAt', 'expireAt', 'startedAt', 'progress', 'result'])
      expect(retried).not.toHaveProperty(gone);
    const ended = await lab.waitFor(failed._id, 'succeeded');
    expect(ended.attempts.map(({ outcome }) => outcome)).toEqual(['failed', 'succeeded']);
    expect(ended.log.map(({ message }) => message)).toEqual(['run 1', 'run 2']);
    expect(ended.error).toBeUndefined();
  });

  it('is refused while the job has not ended, and after it has succeeded', async () => {
    await lab.startWorker(async (name, run) => {
      if (name === 'running') await untilAborted(run);
    });
    const running = await lab.accept('running');
    await lab.waitFor(running._id, 'running');
    await expect(retryJob(running._id)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('running'),
    });
    const done = await lab.waitFor((await lab.accept('done'))._id, 'succeeded');
    await expect(retryJob(done._id)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('succeeded'),
    });
    await expect(retryJob('no-such-job')).rejects.toMatchObject({ code: 'conflict' });
    expect(await lab.find(done._id)).toEqual(done);
  });

  it('is granted once for many simultaneous requests', async () => {
    const { _id } = await lab.accept('popular');
    await cancelJob(_id);
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => retryJob(_id)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await lab.find(_id)).toMatchObject({ state: 'queued', dispatch: 2 });
  });

  it('ignores the delayed delivery of its last attempt', async () => {
    let isBroken = true;
    const runs: number[] = [];
    await lab.startWorker(async (_, run) => {
      runs.push(run.job.dispatch);
      if (isBroken) throw new JobError('timeout', 'Too slow.', { retryAfterMs: 700 });
    });
    const waiting = await lab.waitFor((await lab.accept('delayed'))._id, (job) => job.runAfter);
    isBroken = false;
    await cancelJob(waiting._id);
    await retryJob(waiting._id);
    const ended = await lab.waitFor(waiting._id, 'succeeded');
    // The old delivery comes due meanwhile; it carries the dispatch of then.
    await until(
      'old delivery',
      async () => (await lab.redis.zcard(`${lab.config.redis.prefix}:maintenance:delayed`)) === 0,
    );
    expect(await lab.find(waiting._id)).toEqual(ended);
    expect(runs).toEqual([1, 3]);
  });

  it('waits for its lane like any other job', async () => {
    const first = await lab.accept('first', { lane: 'again' });
    await cancelJob(first._id);
    await lab.startWorker((name, run) => (name === 'second' ? untilAborted(run) : Promise.resolve()));
    const second = await lab.accept('second', { lane: 'again' });
    await lab.waitFor(second._id, 'running');
    expect(await retryJob(first._id)).toMatchObject({ state: 'accepted', waiting: { reason: 'lane' } });
    await cancelJob(second._id);
    await lab.waitFor(first._id, 'succeeded');
    expect(await jobCollection().countDocuments({ waiting: { $exists: true } })).toBe(0);
  });
});
