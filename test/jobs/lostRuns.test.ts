import { sweep } from '@bindery/jobs';
import { jobCollection, WorkerEntry } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startJobLab, type JobLab } from '../support/processes/jobLab.ts';
import { until } from '../support/until.ts';

let lab: JobLab;

beforeAll(async () => {
  lab = await startJobLab();
});
afterEach(() => lab.reset());
afterAll(() => lab.close());

/** Blocks this process, with the worker in it. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** A job whose run has lost its lease. */
async function lapsedAt(worker: string): Promise<string> {
  const { _id } = await lab.accept('lapsed');
  await lab.redis.flushdb();
  const attempts = [{ epoch: 1, worker, startedAt: new Date() }];
  await jobCollection().updateOne(
    { _id },
    { $set: { state: 'running', epoch: 1, worker, attempts, leaseUntil: new Date(0) } },
  );
  return _id;
}

describe('a run whose lease has expired', () => {
  it('goes on when its process was only stalled', async () => {
    const { leaseMs } = lab.config.jobs;
    lab.startSweeper();
    let runs = 0;
    await lab.startWorker(async (name, run) => {
      runs += 1;
      // Twice the time after which a worker counts as dead.
      standStill(2 * leaseMs);
      await until('renewal', async () => (await lab.find(run.job._id)).leaseUntil!.getTime() > Date.now());
      run.signal.throwIfAborted();
      return { result: { name } };
    });
    const job = await lab.accept('stalled');
    expect(await lab.waitFor(job._id, 'succeeded')).toMatchObject({
      epoch: 1,
      crashes: 0,
      attempts: [{ outcome: 'succeeded' }],
    });
    expect(runs).toBe(1);
  });

  it('is queued again without counting a crash when its live worker has given it up', async () => {
    const id = await lapsedAt('alive');
    await WorkerEntry.create({ _id: 'alive', app: 'test', toldAt: new Date(), runs: [] } as never);
    await sweep();
    await lab.startWorker(async () => {});
    // The fault may have lost the writes of its acceptance with the rest of Redis: the next sweeps mend
    // that.
    lab.startSweeper();
    expect(await lab.waitFor(id, 'succeeded')).toMatchObject({
      epoch: 2,
      crashes: 0,
      attempts: [{ outcome: 'handed_back' }, { outcome: 'succeeded' }],
    });
  });

  it('counts as a crash once its worker has been silent for a lease', async () => {
    const id = await lapsedAt('silent');
    await WorkerEntry.create({ _id: 'silent', app: 'test', toldAt: new Date(), runs: [`${id}:1`] } as never);
    await sweep();
    expect((await lab.find(id)).state).toBe('running');
    await WorkerEntry.updateOne(
      { _id: 'silent' },
      { $set: { toldAt: new Date(Date.now() - 2 * lab.config.jobs.leaseMs) } },
    );
    await sweep();
    expect(await lab.find(id)).toMatchObject({
      state: 'queued',
      crashes: 1,
      attempts: [{ outcome: 'crashed' }],
    });
  });

  it('is left alone while its worker has had no time to renew', async () => {
    const id = await lapsedAt('nobody');
    await sweep({ mayTakeOver: () => false });
    expect(await lab.find(id)).toMatchObject({ state: 'running', crashes: 0 });
  });
});
