import { openQueues, sweep } from '@bindery/jobs';
import { jobCollection, type JobRecord } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { claimJob } from '../../packages/jobs/src/state/claims.ts';
import {
  endRun,
  renewLease,
  requeueRun,
  writeCheckpoint,
  writeReport,
} from '../../packages/jobs/src/state/transitions.ts';
import { startJobLab, testJobs, type JobLab } from '../support/processes/jobLab.ts';
import { until } from '../support/until.ts';
import { bound } from '../support/machine.ts';

let lab: JobLab;

beforeAll(async () => {
  lab = await startJobLab();
});
afterEach(() => lab.reset());
afterAll(() => lab.close());

const asWorker = (worker: string) => ({
  worker,
  known: [testJobs.work, testJobs.workInLane],
  deadlineMs: () => 60_000,
  leaseMs: 600,
});

async function claim(job: Pick<JobRecord, '_id' | 'dispatch'>, worker = 'a-worker'): Promise<JobRecord> {
  const claimed = await claimJob({ id: job._id, dispatch: job.dispatch }, asWorker(worker));
  if (!('job' in claimed)) throw new Error(`The claim was refused: ${claimed.refused}.`);
  return claimed.job;
}

async function endLease(id: string): Promise<void> {
  await jobCollection().updateOne({ _id: id }, { $set: { leaseUntil: new Date(0) } });
}

describe('a claim', () => {
  it('is won by one of twenty workers that try at once', async () => {
    const job = await lab.accept('wanted');
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        claimJob({ id: job._id, dispatch: job.dispatch }, asWorker(`worker-${index}`)),
      ),
    );
    expect(claims.filter((one) => 'job' in one)).toHaveLength(1);
    expect(claims.filter((one) => 'refused' in one && one.refused === 'gone')).toHaveLength(19);
    expect(await lab.find(job._id)).toMatchObject({ state: 'running', epoch: 1, crashes: 0 });
  });

  it('never takes over a run; the sweeper requeues the run of a lost worker and counts a crash', async () => {
    const first = await claim(await lab.accept('taken over'), 'first');
    await endLease(first._id);
    expect(await claimJob({ id: first._id, dispatch: first.dispatch }, asWorker('second'))).toEqual({
      refused: 'gone',
    });
    await sweep();
    const second = await claim(await lab.find(first._id), 'second');
    expect(second).toMatchObject({
      epoch: 2,
      crashes: 1,
      worker: 'second',
      attempts: [{ epoch: 1, outcome: 'crashed' }, { epoch: 2 }],
    });
    expect(second.attempts[0]?.endedAt).toBeInstanceOf(Date);
  });

  it('refuses an id of an earlier dispatch', async () => {
    const job = await lab.accept('dispatched again');
    await jobCollection().updateOne({ _id: job._id }, { $inc: { dispatch: 1 } });
    expect(await claimJob({ id: job._id, dispatch: job.dispatch }, asWorker('late'))).toEqual({
      refused: 'gone',
    });
  });
});

describe('a run that has lost its job', () => {
  it('cannot write a lease, a report, a checkpoint or an end', async () => {
    const zombie = await claim(await lab.accept('haunted'), 'zombie');
    await endLease(zombie._id);
    await sweep();
    await claim(await lab.find(zombie._id), 'heir');
    const before = await lab.find(zombie._id);

    expect(await renewLease(zombie._id, zombie.epoch, 60_000)).toBe('lost');
    expect(
      await writeReport(zombie._id, zombie.epoch, {
        progress: { stage: 'zombie' },
        log: [{ at: new Date(), level: 'info', message: 'zombie' }],
        logDropped: 0,
      }),
    ).toBe(false);
    expect(await writeCheckpoint(zombie._id, zombie.epoch, 'zombie')).toBe(false);
    expect(await requeueRun(zombie, { delayMs: 0, attempt: { outcome: 'retried' }, counts: 'tries' })).toBe(
      false,
    );
    for (const state of ['succeeded', 'failed', 'cancelled', 'timed_out', 'superseded'] as const)
      expect(await endRun(zombie, { state })).toBe(false);
    expect(await lab.find(zombie._id)).toEqual(before);
  });

  it('gets an error at its next checkpoint, and only the run that took over publishes', async () => {
    const published: number[] = [];
    const released = Promise.withResolvers<void>();
    const lost: unknown[] = [];
    await lab.startWorker(async (name, run) => {
      if (run.job.epoch === 1) {
        await released.promise;
        await run.checkpoint('zombie').catch((error: unknown) => lost.push(error));
      }
      return { result: { name }, publish: async () => void published.push(run.job.epoch) };
    });
    const job = await lab.accept('taken away');
    await lab.waitFor(job._id, 'running');
    // As if the worker had been frozen for longer than its lease while another one took the job.
    await jobCollection().updateOne({ _id: job._id }, { $inc: { epoch: 1 } });
    released.resolve();
    await until('zombie that was told', () => lost.length > 0);
    lab.startSweeper();
    expect(await lab.waitFor(job._id, 'succeeded')).toMatchObject({ epoch: 3 });
    expect(published).toEqual([3]);
  });
});

describe('a job that is delivered more than once', () => {
  it('runs once; the copies are acknowledged within 100 ms, also after its end', async () => {
    const runs: string[] = [];
    await lab.startWorker(async (name, run) => void runs.push(`${name} ${run.job.epoch}`));
    const queue = openQueues().find(({ name }) => name === 'maintenance')!;
    const job = await lab.accept('once');
    const copies = await Promise.all(
      ['first-copy', 'second-copy'].map((jobId) =>
        queue.add('job', { id: job._id, dispatch: job.dispatch }, { jobId }),
      ),
    );
    await lab.waitFor(job._id, 'succeeded');
    copies.push(await queue.add('job', { id: job._id, dispatch: job.dispatch }, { jobId: 'late-copy' }));
    for (const { id } of copies) {
      const acknowledged = await until('acknowledgement', async () => {
        const copy = await queue.getJob(id!);
        return copy?.finishedOn ? copy : undefined;
      });
      expect(acknowledged.failedReason).toBeUndefined();
      expect(acknowledged.finishedOn! - acknowledged.processedOn!).toBeLessThan(bound(100));
    }
    expect(runs).toEqual(['once 1']);
  });
});
