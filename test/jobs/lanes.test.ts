import { cancelJob, openQueues } from '@bindery/jobs';
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

/** Lets one run at a time go on, and sees which are under way. */
function createGate() {
  const waiting = new Map<string, () => void>();
  return {
    enter: (name: string) => new Promise<void>((resolve) => waiting.set(name, resolve)),
    isInside: (name: string) => waiting.has(name),
    names: () => [...waiting.keys()],
    async leave(name: string) {
      await until(`run of ${name}`, () => waiting.has(name));
      waiting.get(name)?.();
      waiting.delete(name);
    },
  };
}

describe('a lane', () => {
  it('lets one job run at a time, oldest first, while other lanes go on', async () => {
    const gate = createGate();
    const order: string[] = [];
    await lab.startWorker(async (name) => {
      order.push(name);
      await gate.enter(name);
    });
    const jobs = [];
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) jobs.push(await lab.accept(name, { lane: 'a' }));
    const other = await lab.accept('b1', { lane: 'b' });
    await until('both lanes in use', () => gate.isInside('a1') && gate.isInside('b1'));
    await gate.leave('b1');
    await lab.waitFor(other._id, 'succeeded');
    expect(gate.names()).toEqual(['a1']);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) await gate.leave(name);
    for (const { _id } of jobs) await lab.waitFor(_id, 'succeeded');
    expect(order.filter((name) => name.startsWith('a'))).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a6']);
  });

  it('never runs two of its jobs at once while several workers race', async () => {
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
    };
    await Promise.all([lab.startWorker(work), lab.startWorker(work), lab.startWorker(work)]);
    lab.startSweeper();
    const jobs = await Promise.all(
      Array.from({ length: 60 }, (_, index) => lab.accept(String(index), { lane: 'raced' })),
    );
    for (const { _id } of jobs) await lab.waitFor(_id, 'succeeded', 15_000);
    expect(most).toBe(1);
    const epochs = await jobCollection().distinct('epoch');
    expect(epochs).toEqual([1]);
  });

  it('keeps its order while one of its jobs waits for a retry', async () => {
    const order: string[] = [];
    await lab.startWorker(async (name, run) => {
      order.push(`${name} ${run.job.epoch}`);
      if (name === 'first' && run.job.epoch === 1) throw new Error('once');
    });
    const jobs = [
      await lab.accept('first', { lane: 'tried' }),
      await lab.accept('second', { lane: 'tried' }),
    ];
    for (const { _id } of jobs) await lab.waitFor(_id, 'succeeded');
    expect(order).toEqual(['first 1', 'first 2', 'second 1']);
  });

  it('reports that its next job waits for the lane, and skips cancelled jobs', async () => {
    await lab.startWorker((_, run) => untilAborted(run));
    const first = await lab.accept('first', { lane: 'cancelled' });
    await lab.waitFor(first._id, 'running');
    const second = await lab.accept('second', { lane: 'cancelled' });
    const third = await lab.accept('third', { lane: 'cancelled' });
    expect(await lab.waitFor(second._id, (job) => job.waiting)).toMatchObject({
      state: 'accepted',
      waiting: { reason: 'lane' },
    });
    await cancelJob(second._id);
    await cancelJob(first._id);
    await lab.waitFor(third._id, 'running');
    expect(await lab.find(second._id)).toMatchObject({ state: 'cancelled', epoch: 0 });
  });

  it('goes on when the worker died between the end of a job and the dispatch of the next', async () => {
    await lab.startWorker(async () => {});
    const job = await lab.accept('orphan', { lane: 'orphaned' });
    await lab.waitFor(job._id, 'succeeded');
    await jobCollection().updateOne(
      { _id: job._id },
      {
        $set: { state: 'accepted', waiting: { reason: 'lane', message: '' } },
        $unset: { finishedAt: '', expireAt: '' },
      },
    );
    lab.startSweeper();
    await lab.waitFor(job._id, 'succeeded');
  });

  it('holds at most one of its jobs in Redis, so that a window is not full of jobs that cannot start', async () => {
    for (let index = 0; index < 10; index += 1) await lab.accept(String(index), { lane: 'narrow' });
    const counts = await openQueues()
      .find(({ name }) => name === 'maintenance')!
      .getJobCounts('waiting', 'prioritized');
    expect(counts['waiting']! + counts['prioritized']!).toBe(1);
  });
});
