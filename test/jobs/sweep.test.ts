import { openQueues, retryJob, sweep } from '@bindery/jobs';
import { jobCollection, Lease, mongoClient, mongoDatabase, type JobRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { Worker } from 'bullmq';
import { MongoClient, type UpdateFilter } from 'mongodb';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  holdLeadership,
  releaseLeadership,
  takeLeadership,
} from '../../packages/jobs/src/state/leadership.ts';
import { startJobLab, type JobLab } from '../support/processes/jobLab.ts';
import { until } from '../support/until.ts';

let lab: JobLab;

beforeAll(async () => {
  lab = await startJobLab();
});
afterEach(() => lab.reset());
afterAll(() => lab.close());

const past = () => new Date(Date.now() - 60_000);
const maintenance = () => openQueues().find(({ name }) => name === 'maintenance')!;

/** A job as a fault has left it. */
async function left(
  name: string,
  fields: UpdateFilter<JobRecord>['$set'],
  options: { lane?: string } = {},
): Promise<string> {
  const { _id } = await lab.accept(name, options);
  await jobCollection().updateOne({ _id }, { $set: { createdAt: past(), ...fields } });
  return _id;
}

describe('a sweep', () => {
  it('dispatches jobs that Redis has not received', async () => {
    const owed = await left('owed', { dispatchedAt: null });
    const accepted = await left('accepted', { state: 'accepted' });
    await lab.redis.flushdb();
    await sweep();
    await lab.startWorker(async () => {});
    for (const id of [owed, accepted])
      expect(await lab.waitFor(id, 'succeeded')).toMatchObject({ dispatch: 2 });
  });

  it('dispatches again each job that Redis has lost, exactly once', async () => {
    const ids = [];
    for (let index = 0; index < 250; index += 1)
      ids.push(await left(String(index), { state: 'queued', dispatchedAt: past() }));
    await lab.redis.flushdb();
    await sweep();
    await sweep();
    const counts = await maintenance().getJobCounts('waiting', 'prioritized');
    expect(counts['waiting']! + counts['prioritized']!).toBe(250);
    const runs: string[] = [];
    await lab.startWorker(async (name) => void runs.push(name));
    for (const id of ids) await lab.waitFor(id, 'succeeded');
    expect(runs).toHaveLength(250);
  });

  it('leaves jobs alone that Redis will deliver', async () => {
    const waiting = await left('waiting', { dispatchedAt: past() });
    const before = await lab.find(waiting);
    await sweep();
    // Only when it was last looked for is noted.
    expect(await lab.find(waiting)).toEqual({ ...before, dispatchedAt: expect.any(Date) });
  });

  it('dispatches an overdue retry again when the clock of another machine delays it in Redis', async () => {
    const id = await left('late', { dispatchedAt: past(), runAfter: new Date(Date.now() - 30_000) });
    const { queue, dispatch } = await lab.find(id);
    await lab.redis.flushdb();
    await maintenance().add('job', { id, dispatch }, { jobId: `j-${id}-${dispatch}`, delay: 3_600_000 });
    await sweep();
    expect(await lab.find(id)).toMatchObject({ queue, dispatch: dispatch + 1 });
    await lab.startWorker(async () => {});
    await lab.waitFor(id, 'succeeded');
  });

  it('aborts the transaction of a dead process, and no other transaction', async () => {
    const records = mongoDatabase().collection<{ _id: string; count: number }>('testRecords');
    await records.deleteMany({});
    await records.insertMany([
      { _id: 'of the dead', count: 0 },
      { _id: 'of another program', count: 0 },
    ]);
    const other = await new MongoClient(lab.config.mongo.uri).connect();
    onTestFinished(() => other.close());
    for (const [client, _id] of [
      [mongoClient(), 'of the dead'] as const,
      [other, 'of another program'] as const,
    ]) {
      const session = client.startSession();
      onTestFinished(() => session.endSession());
      session.startTransaction();
      await client
        .db(mongoDatabase().databaseName)
        .collection<{ _id: string }>('testRecords')
        .updateOne({ _id }, { $inc: { count: 1 } }, { session });
    }
    const canWrite = async (_id: string) =>
      records.updateOne({ _id }, { $inc: { count: 10 } }, { maxTimeMS: 100 }).then(
        () => true,
        () => false,
      );
    expect(await canWrite('of the dead')).toBe(false);
    lab.startSweeper();
    await until('end of the transaction', () => canWrite('of the dead'));
    expect(await canWrite('of another program')).toBe(false);
    // Not the 1 of the transaction. A try that MongoDB gave up may have been written all the same.
    expect((await records.findOne({ _id: 'of the dead' }))!.count % 10).toBe(0);
  });

  it('completes its other parts when one part fails', async () => {
    const dead = { state: 'running', epoch: 1, leaseUntil: past() } as const;
    const attempts = [{ epoch: 1, worker: 'dead', startedAt: past() }];
    const broken = await left('broken', { ...dead, attempts: 'broken' as never });
    const run = await left('run', { ...dead, attempts });
    const owed = await left('owed', { dispatchedAt: null });
    await lab.redis.flushdb();
    await expect(sweep()).rejects.toThrow('1 of ');
    await lab.startWorker(async () => {});
    for (const id of [run, owed]) await lab.waitFor(id, 'succeeded');
    await jobCollection().deleteOne({ _id: broken });
  });

  it('keeps its leadership while it lasts, and ends when another process has it', async () => {
    await left('owed', { state: 'accepted' });
    let looks = 0;
    await sweep({ lead: async () => (looks += 1) < 3 });
    expect(looks).toBe(3);
  });

  it('ends a job that waited too long for its first start, and no worker starts it meanwhile', async () => {
    const waited = await left('forgotten', { deadlineAt: past() });
    const accepted = await left('forgotten too', { state: 'accepted', deadlineAt: past() });
    const runs: string[] = [];
    await lab.startWorker(async (name) => void runs.push(name));
    const other = await lab.accept('other');
    await lab.waitFor(other._id, 'succeeded');
    // A sweep leaves out a job that something else delivers meanwhile; the next one ends it.
    await until('end of both jobs', async () => {
      await sweep();
      const jobs = await Promise.all([waited, accepted].map(async (id) => lab.find(id)));
      return jobs.every((job) => job?.state === 'timed_out');
    });
    for (const id of [waited, accepted])
      expect(await lab.find(id)).toMatchObject({
        state: 'timed_out',
        attempts: [],
        error: { code: 'deadline', message: expect.stringContaining('was not started') },
        expireAt: expect.any(Date),
      });
    expect(runs).toEqual(['other']);
    // Retried by hand it may wait as long again.
    expect((await retryJob(waited)).deadlineAt!.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
    await lab.waitFor(waited, 'succeeded');
  });

  it('takes jobs over from queues of an earlier version of the platform', async () => {
    const id = await left('old', { queue: 'git-export' });
    await sweep();
    expect(await lab.find(id)).toMatchObject({ queue: 'git', state: 'queued' });
  });

  it('keeps the time of the next attempt', async () => {
    const id = await left('later', { dispatchedAt: past(), runAfter: new Date(Date.now() + 60_000) });
    await lab.redis.flushdb();
    await sweep();
    const job = await lab.find(id);
    const added = await maintenance().getJob(`j-${id}-${job.dispatch}`);
    expect(await added?.getState()).toBe('delayed');
    expect(added?.opts.delay).toBeGreaterThan(55_000);
  });

  it('leaves a late retry that a worker delays briefly, and dispatches one again that Redis delays long', async () => {
    const late = { dispatchedAt: past(), runAfter: new Date(Date.now() - 30_000) };
    const [putBack, putOff] = [await left('put back', late), await left('put off', late)];
    await lab.redis.flushdb();
    for (const [id, delay] of [
      [putBack, 1_000],
      [putOff, 3_600_000],
    ] as const)
      await maintenance().add(
        'job',
        { id, dispatch: (await lab.find(id)).dispatch },
        { jobId: `j-${id}-1`, delay },
      );
    const before = (await lab.find(putBack)).dispatch;
    await sweep();
    expect([(await lab.find(putBack)).dispatch, (await lab.find(putOff)).dispatch]).toEqual([
      before,
      before + 1,
    ]);
  });

  it('dispatches a job again that BullMQ gave up because it could not be claimed', async () => {
    const { _id } = await lab.accept('refused');
    // MongoDB does not take the claim; BullMQ then holds its job as failed.
    await jobCollection().updateOne({ _id }, { $set: { attempts: 'broken' as never } });
    await lab.startWorker(async () => {});
    const queue = maintenance();
    await until('failure in BullMQ', async () => (await queue.getJobCounts('failed'))['failed'] === 1);
    await jobCollection().updateOne(
      { _id },
      { $set: { attempts: [], createdAt: past(), dispatchedAt: past() } },
    );
    await sweep();
    expect(await lab.waitFor(_id, 'succeeded')).toMatchObject({ dispatch: 2, crashes: 0 });
  });

  it('requeues the run of a dead worker although Redis lists it as active', async () => {
    const attempts = [{ epoch: 1, worker: 'dead', startedAt: past() }];
    const id = await left('dead', { state: 'running', epoch: 1, leaseUntil: past(), attempts });
    // The dead worker's BullMQ job.
    const dead = new Worker('maintenance', () => new Promise(() => {}), {
      connection: lab.redis,
      prefix: lab.config.redis.prefix,
      lockDuration: 60_000,
    });
    await until('delivery', async () => (await maintenance().getJobCounts('active'))['active'] === 1);
    await dead.close(true);
    await sweep();
    await lab.startWorker(async () => {});
    expect(await lab.waitFor(id, 'succeeded')).toMatchObject({
      epoch: 2,
      crashes: 1,
      attempts: [{ outcome: 'crashed' }, { outcome: 'succeeded' }],
    });
  });

  it('does not touch a run that renews its lease', async () => {
    // As a claim leaves it: no note that Redis has it is still to come.
    const id = await left('alive', {
      state: 'running',
      epoch: 1,
      leaseUntil: new Date(Date.now() + 60_000),
      dispatchedAt: past(),
    });
    await lab.redis.flushdb();
    const before = await lab.find(id);
    await sweep();
    expect(await lab.find(id)).toEqual(before);
  });

  it.each(['accepted', 'queued', 'running'] as const)(
    'ends a job past its deadline that is %s, with the usual expiry time',
    async (state) => {
      const id = await left(
        'late',
        {
          state,
          deadlineAt: past(),
          startedAt: past(),
          ...(state === 'running' && { leaseUntil: past(), epoch: 1 }),
        },
        { lane: 'late' },
      );
      await left('next', { state: 'accepted', waiting: { reason: 'lane', message: '' } }, { lane: 'late' });
      await sweep();
      expect(await lab.find(id)).toMatchObject({
        state: 'timed_out',
        error: { code: 'deadline' },
        finishedAt: expect.any(Date),
        expireAt: expect.any(Date),
      });
      await lab.startWorker(async () => {});
      await until(
        'end of the next job in the lane',
        async () => (await jobCollection().countDocuments({ state: 'succeeded' })) === 1,
      );
    },
  );

  it('dispatches each job once when several sweeps run at once', async () => {
    const ids = [];
    for (let index = 0; index < 60; index += 1)
      ids.push(await left(String(index), { state: index % 2 ? 'queued' : 'accepted', dispatchedAt: null }));
    await lab.redis.flushdb();
    await Promise.all([sweep(), sweep(), sweep()]);
    const runs: string[] = [];
    await lab.startWorker(async (name) => void runs.push(name));
    lab.startSweeper();
    lab.startSweeper();
    for (const id of ids) await lab.waitFor(id, 'succeeded');
    expect(new Set(runs).size).toBe(60);
    expect(runs).toHaveLength(60);
  });
});

describe('leadership', () => {
  it('belongs to one process at a time, until it expires or is released', async () => {
    const [first, second] = [newId(), newId()];
    const wanted = await Promise.all(
      [first, second, newId(), newId()].map((holder) => takeLeadership('a-task', holder, 60_000)),
    );
    expect(wanted.filter(Boolean)).toHaveLength(1);
    await Lease.deleteMany({});
    expect(await takeLeadership('a-task', first, 60_000)).toBe(true);
    expect(await takeLeadership('a-task', first, 60_000)).toBe(true);
    expect(await takeLeadership('a-task', second, 60_000)).toBe(false);
    expect(await takeLeadership('another-task', second, 60_000)).toBe(true);
    await releaseLeadership('a-task', second);
    expect(await takeLeadership('a-task', second, 60_000)).toBe(false);
    await releaseLeadership('a-task', first);
    expect(await takeLeadership('a-task', second, 300)).toBe(true);
    await until('end of the lease', () => takeLeadership('a-task', first, 60_000), { timeoutMs: 2_000 });
  });

  it('is renewed only once a third of its lease is over', async () => {
    const endOf = async (name: string) => (await Lease.findById(name).lean())!.until.getTime();
    const leads = holdLeadership('a-task', newId(), 600_000);
    expect(await leads()).toBe(true);
    const end = await endOf('a-task');
    expect(await leads()).toBe(true);
    expect(await endOf('a-task')).toBe(end);
    expect(await holdLeadership('a-task', newId(), 600_000)()).toBe(false);
    const leadsBriefly = holdLeadership('another-task', newId(), 300);
    expect(await leadsBriefly()).toBe(true);
    const firstEnd = await endOf('another-task');
    await until('renewal', async () => (await leadsBriefly()) && (await endOf('another-task')) > firstEnd);
  });
});
