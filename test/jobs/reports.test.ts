import { JobError } from '@bindery/contract';
import { cancelJob } from '@bindery/jobs';
import { jobCollection } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startJobLab, untilAborted, type JobLab } from '../support/processes/jobLab.ts';

let lab: JobLab;

beforeAll(async () => {
  lab = await startJobLab();
});
afterEach(() => lab.reset());
afterAll(() => lab.close());

describe('the report of a run', () => {
  it('shows progress, statistics and log while it runs', async () => {
    const released = Promise.withResolvers<void>();
    await lab.startWorker(async (_, run) => {
      run.progress('reading', 3, 7);
      run.stats({ pages: 1 });
      run.stats({ files: 2 });
      run.log('warning', 'Skipped.', 'docs/large.bin');
      await released.promise;
      run.progress('writing');
    });
    const { _id } = await lab.accept('talkative');
    const running = await lab.waitFor(_id, (job) => job.progress);
    expect(running).toMatchObject({
      state: 'running',
      progress: { stage: 'reading', done: 3, total: 7 },
      stats: { pages: 1, files: 2 },
      log: [{ level: 'warning', message: 'Skipped.', path: 'docs/large.bin', seq: running.seq }],
    });
    released.resolve();
    const ended = await lab.waitFor(_id, 'succeeded');
    expect(ended.progress).toEqual({ stage: 'writing' });
    expect(ended.seq).toBeGreaterThan(running.seq);
    expect(ended.log).toHaveLength(1);
  });

  it('is written at most four times a second', async () => {
    await lab.startWorker(async (_, run) => {
      const endMs = performance.now() + 600;
      for (let done = 0; performance.now() < endMs; done += 1) {
        run.progress('busy', done);
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    const ended = await lab.waitFor((await lab.accept('busy'))._id, 'succeeded');
    // Accepted, claimed, ended, and two or three times in 600 ms.
    expect(ended.seq).toBeLessThanOrEqual(6);
    expect(ended.progress?.done).toBeGreaterThan(10);
  });

  it('is in the last write of a run that fails at once', async () => {
    await lab.startWorker(async (_, run) => {
      // The next try may come before anybody has looked.
      if (run.job.epoch > 1) return;
      run.log('error', 'The file $HOME/README.md is not there.');
      run.stats({ pages: 5 });
      // The next try would log the same again.
      throw new JobError('timeout', 'Too slow.', { retryAfterMs: 50_000 });
    });
    const queued = await lab.waitFor((await lab.accept('short'))._id, (job) => job.tries > 0);
    expect(queued).toMatchObject({
      log: [{ message: 'The file $HOME/README.md is not there.' }],
      stats: { pages: 5 },
    });
  });

  it('is kept when a cancel prevents the success of the run', async () => {
    const writing = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await lab.startWorker(async (name, run) => {
      run.log('info', 'Pushed.');
      run.stats({ pages: 5 });
      const publish = async () => {
        writing.resolve();
        await released.promise;
      };
      return { result: { name }, publish };
    });
    const { _id } = await lab.accept('too late');
    await writing.promise;
    await cancelJob(_id);
    released.resolve();
    expect(await lab.waitFor(_id, 'cancelled')).toMatchObject({
      log: [{ message: 'Pushed.' }],
      stats: { pages: 5 },
    });
  });

  it('keeps the last thousand lines of a log, and counts the others', async () => {
    await lab.startWorker(async (_, run) => {
      for (let line = 0; line < 5_000; line += 1) run.log('info', `line ${line}`);
    });
    const job = await lab.waitFor((await lab.accept('flood'))._id, 'succeeded');
    expect(job.log).toHaveLength(1_000);
    expect(job.log.at(-1)?.message).toBe('line 4999');
    expect(job.log[0]?.message).toBe('line 4000');
    expect(job.logDropped).toBe(4_000);
  });

  it('truncates lines that would exceed the size limit of a document', async () => {
    await lab.startWorker(async (_, run) => {
      for (let line = 0; line < 2_000; line += 1) run.log('info', 'x'.repeat(100_000), 'p'.repeat(100_000));
    });
    const job = await lab.waitFor((await lab.accept('long lines'))._id, 'succeeded');
    expect(job.log).toHaveLength(1_000);
    expect(job.log[0]!.message.length).toBeLessThan(1_100);
    expect(job.log[0]!.path!.length).toBeLessThan(600);
  });

  it('is ignored after the end of the run', async () => {
    const tell: (() => void)[] = [];
    await lab.startWorker(async (name, run) => {
      tell.push(() => {
        run.progress('after the end');
        run.log('info', 'after the end');
      });
      if (name === 'aborted') await untilAborted(run);
    });
    const ended = await lab.waitFor((await lab.accept('ended'))._id, 'succeeded');
    tell[0]!();
    // Another job that reports and ends: whatever the first one still wrote has been written by then.
    await lab.waitFor((await lab.accept('next'))._id, 'succeeded');
    expect(await lab.find(ended._id)).toEqual(ended);
  });

  it('keeps a checkpoint for the run that follows', async () => {
    const seen: unknown[] = [];
    await lab.startWorker(async (_, run) => {
      seen.push(run.job.checkpoint);
      await run.checkpoint({ page: run.job.epoch });
      if (run.job.epoch === 1) throw new Error('once');
    });
    const job = await lab.waitFor((await lab.accept('in steps'))._id, 'succeeded');
    expect(seen).toEqual([undefined, { page: 1 }]);
    expect(await jobCollection().countDocuments({ _id: job._id, 'checkpoint.page': 2 })).toBe(1);
  });
});
