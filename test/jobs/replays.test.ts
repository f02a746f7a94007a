import { audited, continueReplays, maxReplayed, proposeReplay, retryJob, startReplay } from '@bindery/jobs';
import { ApiError } from '@bindery/contract';
import { jobCollection, JobReplay, OperatorAction, type JobRecord } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startJobLab, type JobLab } from '../support/processes/jobLab.ts';

let lab: JobLab;
let pattern: JobRecord;

beforeAll(async () => {
  lab = await startJobLab();
  pattern = await lab.accept('pattern');
  await lab.reset();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await JobReplay.deleteMany({});
  await lab.reset();
});
afterAll(() => lab.close());

/** Inserts failed jobs, the first the oldest. */
async function insertFailed(count: number, fields: Partial<JobRecord> = {}): Promise<string[]> {
  const jobs = Array.from({ length: count }, (_, index): JobRecord => ({
    ...pattern,
    _id: `job${String(index).padStart(5, '0')}`,
    state: 'failed',
    dispatch: 3,
    createdAt: new Date(Date.UTC(2026, 0, 1) + index),
    ...fields,
  }));
  await jobCollection().insertMany(jobs, { ignoreUndefined: true });
  return jobs.map(({ _id }) => _id);
}

const dispatches = async () =>
  (await jobCollection().find().sort({ _id: 1 }).toArray()).map(({ dispatch }) => dispatch);
const find = async (id: string) => (await JobReplay.findById(id).lean())!;

describe('a replay', () => {
  it('runs nothing before it is started, then all of its jobs, the oldest first', async () => {
    const ids = await insertFailed(5);
    await insertFailed(1, { _id: 'other', state: 'cancelled' });
    const { _id, jobs, hasMore } = await proposeReplay({ state: 'failed' }, 'an operator');
    expect([jobs.map(({ id }) => id), hasMore]).toEqual([ids, false]);
    await continueReplays();
    expect(await dispatches()).toEqual([3, 3, 3, 3, 3, 3]);
    await startReplay(_id);
    await startReplay(_id);
    await continueReplays();
    expect(await dispatches()).toEqual([4, 4, 4, 4, 4, 3]);
    expect(await find(_id)).toMatchObject({
      state: 'finished',
      done: 5,
      skipped: 0,
      createdBy: 'an operator',
    });
  });

  it('lists the newest failed jobs up to the limit, and sets hasMore when more match', async () => {
    await insertFailed(maxReplayed + 1);
    const { jobs, hasMore } = await proposeReplay({ state: 'failed' }, 'an operator');
    expect([jobs.length, jobs[0]?.id, hasMore]).toEqual([maxReplayed, 'job00001', true]);
  });

  it('runs no job that has run again since it was proposed, and skips jobs that are gone', async () => {
    const [first, second] = await insertFailed(3);
    const { _id } = await proposeReplay({ state: 'failed' }, 'an operator');
    await retryJob(first!);
    // It has failed again.
    await jobCollection().updateOne({ _id: first! }, { $set: { state: 'failed' } });
    await jobCollection().deleteOne({ _id: second! });
    await startReplay(_id);
    await continueReplays();
    expect(await dispatches()).toEqual([4, 4]);
    expect(await find(_id)).toMatchObject({ state: 'finished', done: 3, skipped: 1 });
  });

  it('runs each job once although its process dies between running a job and recording it', async () => {
    await insertFailed(4);
    const { _id } = await proposeReplay({ state: 'failed' }, 'an operator');
    await startReplay(_id);
    vi.stubEnv('BINDERY_FAULT', 'replay.replayed:2:throw');
    await expect(continueReplays()).rejects.toThrow('Fault at replay.replayed');
    expect([await dispatches(), (await find(_id)).done]).toEqual([[4, 4, 3, 3], 1]);
    vi.unstubAllEnvs();
    // The second job ends at once and fails again: the next process must not take it for one not replayed.
    await jobCollection().updateOne({ _id: 'job00001' }, { $set: { state: 'failed' } });
    await continueReplays();
    expect(await dispatches()).toEqual([4, 4, 4, 4]);
    expect(await find(_id)).toMatchObject({ state: 'finished', done: 4, skipped: 0 });
  });

  it('runs each job once in several processes at once', async () => {
    await insertFailed(30);
    const { _id } = await proposeReplay({ state: 'failed' }, 'an operator');
    await startReplay(_id);
    await Promise.all([continueReplays(), continueReplays(), continueReplays()]);
    await continueReplays();
    expect(new Set(await dispatches())).toEqual(new Set([4]));
    expect(await find(_id)).toMatchObject({ state: 'finished', done: 30 });
  });

  it('is refused when it does not exist', async () => {
    await expect(startReplay('nothing')).rejects.toThrow('There is no such replay');
  });
});

describe('an action of an operator', () => {
  it('leaves a record, also when it is refused', async () => {
    await OperatorAction.deleteMany({});
    const asked = { operator: 'somebody', action: 'retry', target: 'job1' } as const;
    expect(await audited(asked, async () => 1)).toBe(1);
    const refusal = new ApiError('conflict', 'It has ended.');
    await expect(audited({ ...asked, target: 'job2' }, async () => Promise.reject(refusal))).rejects.toBe(
      refusal,
    );
    expect(await OperatorAction.find().sort({ target: 1 }).lean()).toMatchObject([
      { ...asked, outcome: 'done' },
      { ...asked, target: 'job2', outcome: 'It has ended.' },
    ]);
  });
});
