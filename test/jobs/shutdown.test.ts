import { jobCollection, WorkerEntry } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startJobLab, untilAborted, type JobLab } from '../support/processes/jobLab.ts';
import { until } from '../support/until.ts';
import { bound } from '../support/machine.ts';

let lab: JobLab;

beforeAll(async () => {
  lab = await startJobLab();
});
afterEach(() => lab.reset());
afterAll(() => lab.close());

describe('a stopping worker', () => {
  it('lets a run finish that ends within the grace period', async () => {
    const released = Promise.withResolvers<void>();
    const worker = await lab.startWorker(async () => released.promise);
    const { _id } = await lab.accept('nearly done');
    await lab.waitFor(_id, 'running');
    const stopped = worker.stop(5_000);
    released.resolve();
    await stopped;
    expect(await lab.find(_id)).toMatchObject({ state: 'succeeded', epoch: 1 });
  });

  it('hands unfinished jobs back at no cost, and another worker runs them at once', async () => {
    const worker = await lab.startWorker((_, run) => untilAborted(run));
    const jobs = await Promise.all(Array.from({ length: 4 }, (_, index) => lab.accept(String(index))));
    for (const { _id } of jobs) await lab.waitFor(_id, 'running');
    await worker.stop(0);
    for (const { _id } of jobs) {
      const handedBack = await lab.find(_id);
      expect(handedBack).toMatchObject({
        state: 'queued',
        dispatch: 2,
        tries: 0,
        crashes: 0,
        attempts: [{ outcome: 'handed_back' }],
      });
      expect(handedBack.leaseUntil).toBeUndefined();
    }
    const startedMs = performance.now();
    await lab.startWorker(async () => {});
    for (const { _id } of jobs) await lab.waitFor(_id, 'succeeded');
    expect(performance.now() - startedMs).toBeLessThan(bound(1_000));
  });

  it('does not wait long for a run that ignores the abort', async () => {
    const worker = await lab.startWorker(() => new Promise(() => {}));
    const { _id } = await lab.accept('deaf');
    await lab.waitFor(_id, 'running');
    const startedMs = performance.now();
    await worker.stop(0);
    expect(performance.now() - startedMs).toBeLessThan(bound(4_500));
    expect(await lab.find(_id)).toMatchObject({ state: 'queued', attempts: [{ outcome: 'handed_back' }] });
  });

  it('loses none of the jobs that are delivered while it stops', async () => {
    const ended: string[] = [];
    const accepted: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      const worker = await lab.startWorker(async (name) => void ended.push(name), { concurrency: 8 });
      await until('first job of the round', async () => {
        accepted.push((await lab.accept(`${round}`))._id);
        return ended.includes(`${round}`);
      });
      const stopped = worker.stop(0);
      for (let index = 0; index < 20; index += 1) accepted.push((await lab.accept(`${round}.${index}`))._id);
      await stopped;
      expect(await jobCollection().countDocuments({ state: 'running' })).toBe(0);
    }
    await lab.startWorker(async (name) => void ended.push(name), { concurrency: 8 });
    for (const _id of accepted) await lab.waitFor(_id, 'succeeded');
    expect(
      await jobCollection().countDocuments({ $or: [{ crashes: { $gt: 0 } }, { tries: { $gt: 0 } }] }),
    ).toBe(0);
  });

  it('leaves the register at once, and does not return to it', async () => {
    const worker = await lab.startWorker(() => new Promise(() => {}));
    await lab.waitFor((await lab.accept('running'))._id, 'running');
    expect(await WorkerEntry.findById(worker.id).lean()).toMatchObject({
      app: 'test',
      queues: ['maintenance'],
      concurrency: 4,
      kinds: [
        { kind: 'test-work', version: 1 },
        { kind: 'test-lane', version: 1 },
      ],
    });
    const stopped = worker.stop(300);
    const countLive = async () => WorkerEntry.countDocuments({ expireAt: { $gt: new Date() } });
    await until('empty register', async () => (await countLive()) === 0, { timeoutMs: 250 });
    await stopped;
    expect(await WorkerEntry.countDocuments()).toBe(0);
  });
});
