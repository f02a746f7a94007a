import { ApiError, JobError } from '@bindery/contract';
import { Superseded } from '@bindery/jobs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { claimJob } from '../../packages/jobs/src/state/claims.ts';
import { startJobLab, testJobs, untilAborted, type JobLab } from '../support/processes/jobLab.ts';
import { bound } from '../support/machine.ts';

let lab: JobLab;

beforeAll(async () => {
  lab = await startJobLab();
});
afterEach(() => lab.reset());
afterAll(() => lab.close());

describe('a failed attempt', () => {
  it('is retried until the attempts are used up', async () => {
    await lab.startWorker(async () => {
      throw new JobError('connect', 'The remote does not answer.');
    });
    const job = await lab.waitFor((await lab.accept('unreachable'))._id, 'failed');
    expect(job.attempts.map(({ outcome }) => outcome)).toEqual(['retried', 'retried', 'failed']);
    expect(job).toMatchObject({
      tries: 2,
      epoch: 3,
      error: { class: 'transient', code: 'connect', message: 'The remote does not answer.' },
    });
  });

  it('puts the job back in the queue with the time of its retry', async () => {
    await lab.startWorker(async () => {
      throw new JobError('timeout', 'Too slow.', { retryAfterMs: 50_000 });
    });
    const job = await lab.waitFor((await lab.accept('later'))._id, ({ tries }) => tries === 1);
    expect(job).toMatchObject({
      state: 'queued',
      attempts: [{ outcome: 'retried', error: { code: 'timeout' } }],
    });
    expect(job.runAfter!.getTime() - Date.now()).toBeGreaterThan(45_000);
    expect(job.leaseUntil).toBeUndefined();
  });

  it('leaves no error message in the job when a later attempt succeeds', async () => {
    await lab.startWorker(async (_, { job }) => {
      if (job.epoch === 1) throw new Error('a $weird message of a library');
    });
    const job = await lab.waitFor((await lab.accept('second try'))._id, 'succeeded');
    expect(job.error).toBeUndefined();
    expect(job.runAfter).toBeUndefined();
    expect(job.attempts[0]).toMatchObject({ outcome: 'retried', error: { code: 'internal' } });
    expect(JSON.stringify(job)).not.toContain('weird');
  });

  it('is not counted when the remote asked to wait', async () => {
    await lab.startWorker(async (_, { job }) => {
      if (job.epoch <= 6) throw new JobError('throttled', 'Too many requests.', { retryAfterMs: 10 });
    });
    expect(await lab.waitFor((await lab.accept('throttled'))._id, 'succeeded')).toMatchObject({
      tries: 0,
      epoch: 7,
    });
  });

  it('is retried once when memory ran out', async () => {
    await lab.startWorker(async () => {
      throw new JobError('memory', 'The repository needs more memory than there is.');
    });
    expect(await lab.waitFor((await lab.accept('too large'))._id, 'failed')).toMatchObject({
      epoch: 2,
      resourceTries: 1,
      tries: 0,
      error: { class: 'resource', code: 'memory' },
    });
  });

  it.each([
    [
      new JobError('auth', 'The login was refused.', { action: 'Check it.' }),
      { class: 'auth', code: 'auth', action: 'Check it.' },
    ],
    [new ApiError('invalid_request', 'No such branch.'), { class: 'invalid', code: 'bad_content' }],
    [new ApiError('not_found', 'No such space.'), { class: 'not_found', code: 'not_found' }],
  ])('is not retried when another attempt would end the same: %s', async (error, shown) => {
    await lab.startWorker(async () => {
      throw error;
    });
    expect(await lab.waitFor((await lab.accept('final'))._id, 'failed')).toMatchObject({
      epoch: 1,
      error: shown,
      attempts: [{ outcome: 'failed', error: shown }],
    });
  });
});

describe('a job that crashes its workers', () => {
  it('is given up after three crashes, by the sweeper alone', async () => {
    const job = await lab.accept('poison');
    lab.startSweeper();
    for (const crash of [1, 2, 3]) {
      const queued = await lab.waitFor(
        job._id,
        ({ dispatch, state }) => state !== 'failed' && dispatch >= crash,
      );
      const claimed = await claimJob(
        { id: job._id, dispatch: queued.dispatch },
        {
          worker: `dying-${crash}`,
          known: [testJobs.work],
          deadlineMs: () => 60_000,
          leaseMs: 1,
        },
      );
      // Redis has delivered it: nothing there would deliver it again.
      await lab.redis.flushdb();
      expect(claimed).toHaveProperty('job.crashes', crash - 1);
      if (crash < 3) await lab.waitFor(job._id, ({ dispatch }) => dispatch > queued.dispatch);
    }
    const ended = await lab.waitFor(job._id, 'failed');
    expect(ended).toMatchObject({ crashes: 3, epoch: 3, error: { class: 'crash', code: 'quarantined' } });
    expect(ended.attempts.map(({ worker, outcome }) => `${worker} ${outcome}`)).toEqual([
      'dying-1 crashed',
      'dying-2 crashed',
      'dying-3 crashed',
    ]);
    expect(ended.expireAt).toBeInstanceOf(Date);
  });
});

describe('a job', () => {
  it('times out past its deadline', async () => {
    const quick = { work: { ...testJobs.work, deadlineMs: 300 } };
    await lab.startWorker((_, run) => untilAborted(run), { definitions: quick });
    const job = await lab.waitFor((await lab.accept('slow'))._id, 'timed_out');
    expect(job).toMatchObject({ error: { code: 'deadline' }, attempts: [{ outcome: 'timed_out' }] });
    expect(job.finishedAt!.getTime() - job.startedAt!.getTime()).toBeLessThan(bound(600));
  });

  it('is superseded when the processor or its last write reports it, and publishes nothing', async () => {
    await lab.startWorker(async (name) => {
      if (name === 'at the start') return { state: 'superseded', message: 'A newer one has been applied.' };
      return {
        result: { name },
        publish: async () => {
          throw new Superseded('A newer one was applied meanwhile.');
        },
      };
    });
    const [early, late] = await Promise.all([lab.accept('at the start'), lab.accept('at the end')]);
    expect(await lab.waitFor(early._id, 'superseded')).toMatchObject({
      error: { code: 'superseded', message: 'A newer one has been applied.' },
    });
    expect(await lab.waitFor(late._id, 'superseded')).toMatchObject({
      error: { code: 'superseded', message: 'A newer one was applied meanwhile.' },
      epoch: 1,
    });
  });
});
