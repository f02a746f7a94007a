import { JobError } from '@bindery/contract';
import { explainWaiting, hasLiveWorker } from '@bindery/jobs';
import { jobCollection, WorkerEntry } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startJobLab, untilAborted, type JobLab } from '../support/jobLab.ts';

let lab: JobLab;

beforeAll(async () => {
  lab = await startJobLab();
});
afterEach(() => lab.reset());
afterAll(() => lab.close());

const explain = async (id: string) => explainWaiting(await lab.find(id));

describe('why a job waits', () => {
  it('is that no worker serves its queue', async () => {
    const { _id } = await lab.accept('early');
    expect(await explain(_id)).toEqual({ position: 1, reason: 'no_worker', message: expect.stringContaining('maintenance') });
    expect(await hasLiveWorker('maintenance')).toBe(false);
  });

  it('is that others come before it', async () => {
    await lab.startWorker((_, run) => untilAborted(run), { concurrency: 1 });
    const running = await lab.accept('running');
    await lab.waitFor(running._id, 'running');
    expect(await explain(running._id)).toBeUndefined();
    const positions = [];
    for (const name of ['first', 'second', 'third']) positions.push(await explain((await lab.accept(name))._id));
    expect(positions).toMatchObject([1, 2, 3].map((position) => ({ position, reason: 'queue' })));
  });

  it('is its lane', async () => {
    await lab.startWorker((_, run) => untilAborted(run));
    const first = await lab.accept('first', { lane: 'x' });
    await lab.waitFor(first._id, 'running');
    const second = await lab.accept('second', { lane: 'x' });
    expect(await explain(second._id)).toMatchObject({ position: 1, reason: 'lane' });
  });

  it('is its next try', async () => {
    await lab.startWorker(async () => {
      throw new JobError('connect', 'No answer.', { retryAfterMs: 30_000 });
    });
    const job = await lab.waitFor((await lab.accept('again'))._id, ({ runAfter }) => runAfter);
    expect(await explain(job._id)).toMatchObject({ reason: 'retry', until: job.runAfter });
  });

  it('is that Redis has not taken it', async () => {
    await lab.startWorker((_, run) => untilAborted(run), { concurrency: 1 });
    await lab.waitFor((await lab.accept('running'))._id, 'running');
    const { _id } = await lab.accept('owed');
    await jobCollection().updateOne(
      { _id },
      { $set: { createdAt: new Date(Date.now() - 10_000), dispatchedAt: null }, $inc: { dispatch: 1 } },
    );
    expect(await explain(_id)).toMatchObject({ reason: 'dispatch' });
  });

  it('is nothing for a job that has ended', async () => {
    await lab.startWorker(async () => {});
    const { _id } = await lab.accept('done');
    await lab.waitFor(_id, 'succeeded');
    expect(await explain(_id)).toBeUndefined();
  });
});

describe('the register of workers', () => {
  it('does not count one that has not been seen for a while', async () => {
    const worker = await lab.startWorker(async () => {});
    expect(await hasLiveWorker('maintenance')).toBe(true);
    expect(await hasLiveWorker('pdf')).toBe(false);
    await WorkerEntry.updateOne({ _id: worker.id }, { $set: { expireAt: new Date(Date.now() - 1) } });
    expect(await hasLiveWorker('maintenance')).toBe(false);
  });
});
