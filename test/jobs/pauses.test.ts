import { explainWaiting, pauseKind, readJobGauges, resumeKind, sweep } from '@bindery/jobs';
import { jobCollection, KindPause } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startJobLab, type JobLab } from '../support/processes/jobLab.ts';
import { examinedBy } from '../support/stores/examined.ts';

let lab: JobLab;

beforeAll(async () => {
  lab = await startJobLab();
});
afterEach(async () => {
  await KindPause.deleteMany({});
  await lab.reset();
});
afterAll(() => lab.close());

const isPutAside = ({ state, waiting }: { state: string; waiting?: { reason: string } | undefined }) =>
  state === 'accepted' && waiting?.reason === 'paused';

describe('a paused kind', () => {
  it('starts no job, and leaves the workers to other kinds', async () => {
    await pauseKind('test-work', 'an operator');
    await lab.startWorker(async () => {});
    const paused = await lab.accept('paused');
    const other = await lab.accept('other', { lane: 'of another kind' });
    await lab.waitFor(other._id, 'succeeded');
    const waiting = await lab.waitFor(paused._id, isPutAside);
    expect([waiting.attempts, await explainWaiting(waiting)]).toEqual([
      [],
      { reason: 'paused', message: expect.stringContaining('An operator has paused') },
    ]);
    // The sweeper brings back nothing of it.
    await sweep();
    expect(await lab.find(paused._id)).toMatchObject({ state: 'accepted', seq: waiting.seq });
  });

  it('starts its jobs in order after the resume, also in workers that started meanwhile', async () => {
    await pauseKind('test-work', 'an operator');
    const jobs = [await lab.accept('first'), await lab.accept('second'), await lab.accept('third')];
    const first = await lab.startWorker(async () => {});
    for (const { _id } of jobs) await lab.waitFor(_id, isPutAside);
    await first.stop(0);
    const order: string[] = [];
    await lab.startWorker(async (name) => void order.push(name), { concurrency: 1 });
    await resumeKind('test-work');
    for (const { _id } of jobs) await lab.waitFor(_id, 'succeeded');
    expect(order).toEqual(['first', 'second', 'third']);
  });

  it('keeps the order of a lane', async () => {
    await pauseKind('test-lane', 'an operator');
    const order: string[] = [];
    await lab.startWorker(async (name) => void order.push(name));
    const first = await lab.accept('first', { lane: 'shared' });
    await lab.waitFor(first._id, isPutAside);
    const second = await lab.accept('second', { lane: 'shared' });
    expect((await lab.find(second._id)).waiting?.reason).toBe('lane');
    await resumeKind('test-lane');
    for (const { _id } of [first, second]) await lab.waitFor(_id, 'succeeded');
    expect(order).toEqual(['first', 'second']);
  });

  it('is resumed by the sweeper when the resuming process died', async () => {
    await pauseKind('test-work', 'an operator');
    await lab.startWorker(async () => {});
    const { _id } = await lab.accept('left behind');
    await lab.waitFor(_id, isPutAside);
    // All that the process wrote.
    await KindPause.deleteOne({ _id: 'test-work' });
    lab.startSweeper();
    await lab.waitFor(_id, 'succeeded');
  });

  it('is paused once, by the first operator, and shown in the metrics', async () => {
    await pauseKind('test-work', 'the first');
    await pauseKind('test-work', 'the second');
    expect(await KindPause.find().lean()).toMatchObject([{ _id: 'test-work', pausedBy: 'the first' }]);
    const gauges = await readJobGauges();
    expect(gauges.find(({ gauge }) => gauge.name === 'bindery_jobs_kind_paused')?.values).toEqual([
      { labels: { kind: 'test-work' }, value: 1 },
    ]);
  });

  it('costs a sweep the same with 10 and 10,000 jobs', async () => {
    const pattern = await lab.accept('pattern');
    await pauseKind('test-work', 'an operator');
    const costs: number[] = [];
    for (const count of [10, 10_000]) {
      await jobCollection().deleteMany({});
      await jobCollection().insertMany(
        Array.from({ length: count }, (_, index) => ({
          ...pattern,
          _id: `job${index}`,
          state: 'accepted' as const,
          waiting: { reason: 'paused' as const, message: 'Paused.' },
        })),
        { ignoreUndefined: true },
      );
      const { documents, keys } = await examinedBy(['jobs'], () => sweep());
      costs.push(documents + keys);
    }
    expect(costs[1]).toBeLessThanOrEqual((costs[0] ?? 0) + 20);
  });
});
