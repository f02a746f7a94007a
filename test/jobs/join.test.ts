import { JobError } from '@bindery/contract';
import { acceptOrJoin, acceptJob } from '@bindery/jobs';
import { jobCollection, mongoDatabase, type JobRecord } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  organization,
  startJobLab,
  testJobs,
  untilAborted,
  type JobLab,
} from '../support/processes/jobLab.ts';
import { until } from '../support/until.ts';

let lab: JobLab;
beforeAll(async () => {
  lab = await startJobLab();
});
afterEach(() => lab.reset());
afterAll(() => lab.close());

const request = {
  organization,
  subject: { type: 'space', id: 'a-space' },
  startedBy: 'somebody',
  permission: 'space.edit',
} as const;
const join = (
  name: string,
  more: { isOfUse?: (job: JobRecord) => Promise<boolean>; also?: () => Promise<void> } = {},
) => acceptOrJoin(testJobs.work, { ...request, joinKey: `key of ${name}`, input: { name }, ...more });
const acceptInLane = (name: string, supersedes: 'unstarted' | 'waiting' = 'unstarted') =>
  acceptJob(testJobs.workInLane, { ...request, supersedes, input: { name, lane: 'one' } });

describe('a job that is accepted or joined', () => {
  it('is the same for all callers until it ends', async () => {
    const jobs = await Promise.all(Array.from({ length: 50 }, () => join('a')));
    expect(new Set(jobs.map(({ _id }) => _id)).size).toBe(1);
    expect(await jobCollection().countDocuments({})).toBe(1);
    expect((await join('b'))._id).not.toBe(jobs[0]?._id);
  });

  it('is joined while it waits, runs or is retried, and not once it has ended', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let runs = 0;
    const first = await join('a');
    await lab.startWorker(async () => {
      runs += 1;
      await gates[runs - 1]?.promise;
      if (runs === 1) throw new Error('once');
    });
    await lab.waitFor(first._id, 'running');
    expect((await join('a'))._id).toBe(first._id);
    gates[0]?.resolve();
    await until('second run', () => runs === 2);
    expect((await join('a'))._id).toBe(first._id);
    gates[1]?.resolve();
    await lab.waitFor(first._id, 'succeeded');
    const second = await join('a');
    expect(second._id).not.toBe(first._id);
    await lab.waitFor(second._id, 'succeeded');
  });

  it('is returned after its end too when its result is still usable', async () => {
    await lab.startWorker(async () => {});
    const first = await join('a');
    await lab.waitFor(first._id, 'succeeded');
    const asked: unknown[] = [];
    const isOfUse = (answer: boolean) => async (job: JobRecord) => asked.push(job.result) > 0 && answer;
    expect((await join('a', { isOfUse: isOfUse(true) }))._id).toBe(first._id);
    expect((await join('a', { isOfUse: isOfUse(false) }))._id).not.toBe(first._id);
    expect(asked).toEqual([{ name: 'a' }, { name: 'a' }]);
  });

  it('makes its accompanying write once', async () => {
    const writes = mongoDatabase().collection('joinWrites');
    await writes.deleteMany({});
    const also = async () => void (await writes.insertOne({}));
    await join('a', { also });
    await Promise.all([join('a', { also }), join('a', { also })]);
    expect(await writes.countDocuments({})).toBe(1);
    await writes.drop();
  });

  it('is not joined while it is being cancelled', async () => {
    const { _id } = await join('a');
    await lab.startWorker((_name, run) => untilAborted(run));
    await lab.waitFor(_id, 'running');
    await jobCollection().updateOne({ _id }, { $set: { cancelRequestedAt: new Date() } });
    await expect(join('a')).rejects.toMatchObject({ code: 'conflict' });
  });

  it('passes on other errors', async () => {
    const error = new Error('not now');
    await expect(join('a', { also: () => Promise.reject(error) })).rejects.toBe(error);
    expect(await jobCollection().countDocuments({})).toBe(0);
  });
});

describe('a job that supersedes the waiting jobs of its lane', () => {
  it('leaves running jobs alone, and starts when they have ended', async () => {
    const gate = Promise.withResolvers<void>();
    const ran: string[] = [];
    const first = await acceptInLane('first');
    await lab.startWorker(async (name) => {
      ran.push(name);
      if (name === 'first') await gate.promise;
    });
    await lab.waitFor(first._id, 'running');
    const second = await acceptInLane('second');
    const third = await acceptInLane('third');
    expect(await lab.find(second._id)).toMatchObject({ state: 'superseded', error: { code: 'superseded' } });
    expect(await lab.find(third._id)).toMatchObject({ state: 'accepted', waiting: { reason: 'lane' } });
    gate.resolve();
    await lab.waitFor(third._id, 'succeeded');
    expect(ran).toEqual(['first', 'third']);
  });

  it('is dispatched at once when nothing runs', async () => {
    const first = await acceptInLane('first');
    const second = await acceptInLane('second');
    expect([(await lab.find(first._id)).state, (await lab.find(second._id)).state]).toEqual([
      'superseded',
      'queued',
    ]);
    const ran: string[] = [];
    await lab.startWorker(async (name) => void ran.push(name));
    await lab.waitFor(second._id, 'succeeded');
    expect(ran).toEqual(['second']);
  });

  it('supersedes a job between two attempts only when it asks for that', async () => {
    const busy = new JobError('throttled', 'The other side is busy.', { retryAfterMs: 40_000 });
    await lab.startWorker(async (name) => {
      if (name === 'first') throw busy;
    });
    const first = await acceptInLane('first');
    await lab.waitFor(first._id, (job) => job.runAfter);
    const second = await acceptInLane('second');
    expect((await lab.find(first._id)).state).toBe('queued');
    expect(await lab.find(second._id)).toMatchObject({ state: 'accepted', waiting: { reason: 'lane' } });
    const third = await acceptInLane('third', 'waiting');
    await lab.waitFor(third._id, 'succeeded');
    for (const { _id } of [first, second])
      expect(await lab.find(_id)).toMatchObject({ state: 'superseded', error: { code: 'superseded' } });
  });

  it('leaves only the last job when many are accepted at once', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, i) => acceptInLane(`job ${i}`)));
    await acceptInLane('last');
    const ran: string[] = [];
    await lab.startWorker(async (name) => void ran.push(name));
    await until('the last one', () => ran.includes('last'));
    await until(
      'end of all',
      async () =>
        (await jobCollection().countDocuments({ state: { $in: ['accepted', 'queued', 'running'] } })) === 0,
    );
    expect(ran).toEqual(['last']);
  });
});
