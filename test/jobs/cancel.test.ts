import { setTimeout as delay } from 'node:timers/promises';
import { JobError } from '@bindery/contract';
import { cancelJob, cancelJobsAbout } from '@bindery/jobs';
import { jobCollection, mongoDatabase } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { profiled } from '../support/stores/examined.ts';
import { startJobLab, untilAborted, type JobLab } from '../support/processes/jobLab.ts';
import { until } from '../support/until.ts';
import { bound } from '../support/machine.ts';

let lab: JobLab;
const effects = () => mongoDatabase().collection<{ _id: string }>('testEffects');

beforeAll(async () => {
  lab = await startJobLab();
  await effects().deleteMany({});
});
afterEach(() => lab.reset());
afterAll(() => lab.close());

describe('the jobs of a space that is deleted', () => {
  it(
    'are cancelled in one write, including the jobs in lanes, and none of them starts',
    { timeout: 60_000 },
    async () => {
      const runs: string[] = [];
      await lab.startWorker(
        async (name, run) => {
          runs.push(name);
          await untilAborted(run);
        },
        { concurrency: 2 },
      );
      const running = await Promise.all(['first', 'second'].map((name) => lab.accept(name)));
      for (const { _id } of running) await lab.waitFor(_id, 'running');
      const { _id: _, ...pattern } = await lab.find((await lab.accept('pattern', { lane: 'x' }))._id);
      const waiting = Array.from({ length: 2_000 }, (_unused, index) => ({
        ...pattern,
        _id: newId(),
        lane: `lane-${index % 20}`,
        state: 'accepted' as const,
        ...(index >= 20 && { waiting: { reason: 'lane' as const, message: '' } }),
      }));
      await jobCollection().insertMany(waiting, { ignoreUndefined: true });
      const writes = await profiled(() => cancelJobsAbout(['a-space']));
      await until(
        'end of all',
        async () => (await jobCollection().countDocuments({ state: 'cancelled' })) === 2_003,
      );
      expect(runs.toSorted()).toEqual(['first', 'second']);
      // Notes that Redis has a job may come at any moment; they find it claimed and change nothing.
      const updates = writes.filter(
        ({ op, ns, nModified }) => op === 'update' && ns.endsWith('.jobs') && nModified,
      );
      expect(updates.filter(({ nModified }) => nModified! > 1)).toMatchObject([{ nModified: 2_001 }]);
      // One for all that waited; then the two runs, each with what follows.
      expect(updates.length).toBeLessThan(10);
      expect(await jobCollection().countDocuments({ cancelRequestedAt: null })).toBe(0);
    },
  );
});

describe('a cancel', () => {
  it('ends a waiting job at once, which then never runs', async () => {
    const queued = await lab.accept('queued', { lane: 'one' });
    const accepted = await lab.accept('accepted', { lane: 'one' });
    expect([queued.state, accepted.state]).toEqual(['queued', 'accepted']);
    for (const { _id } of [accepted, queued]) {
      const cancelled = await cancelJob(_id);
      expect(cancelled).toMatchObject({
        state: 'cancelled',
        cancelRequestedAt: expect.any(Date),
        finishedAt: expect.any(Date),
        expireAt: expect.any(Date),
      });
    }
    const runs: string[] = [];
    await lab.startWorker(async (name) => void runs.push(name));
    const last = await lab.accept('last');
    await lab.waitFor(last._id, 'succeeded');
    expect(runs).toEqual(['last']);
  });

  it('ends a run within a second in any worker', async () => {
    await Promise.all([
      lab.startWorker((_, run) => untilAborted(run)),
      lab.startWorker((_, run) => untilAborted(run)),
    ]);
    const jobs = await Promise.all(Array.from({ length: 8 }, (_, index) => lab.accept(String(index))));
    for (const { _id } of jobs) {
      await lab.waitFor(_id, 'running');
      const startedMs = performance.now();
      expect(await cancelJob(_id)).toMatchObject({ state: 'running' });
      expect(await lab.waitFor(_id, 'cancelled')).toMatchObject({ attempts: [{ outcome: 'cancelled' }] });
      expect(performance.now() - startedMs).toBeLessThan(bound(1_000));
    }
  });

  it('is not missed by a run that begins at the same moment', async () => {
    await lab.startWorker((_, run) => untilAborted(run));
    for (let index = 0; index < 40; index += 1) {
      const job = await lab.accept(String(index));
      await delay(index % 8);
      const startedMs = performance.now();
      await cancelJob(job._id);
      await lab.waitFor(job._id, 'cancelled', 2_000);
      // The next renewal of the lease would find it too; it takes 200 ms here, and three seconds in
      // production.
      expect(performance.now() - startedMs).toBeLessThan(bound(150));
    }
  });

  it('ends a run that ignores the cancel within ten seconds, and discards its later writes', async () => {
    const released = Promise.withResolvers<void>();
    let hasEnded = false;
    await lab.startWorker(async (name, run) => {
      await released.promise;
      hasEnded = true;
      run.log('info', 'too late');
      return {
        result: { name },
        publish: async () => void (await effects().insertOne({ _id: 'of a deaf run' })),
      };
    });
    const job = await lab.accept('deaf');
    await lab.waitFor(job._id, 'running');
    const startedMs = performance.now();
    await cancelJob(job._id);
    const cancelled = await lab.waitFor(job._id, 'cancelled', 11_000);
    expect(performance.now() - startedMs).toBeLessThan(bound(10_000));
    released.resolve();
    await until('end of the deaf run', () => hasEnded);
    expect(await effects().findOne({ _id: 'of a deaf run' })).toBeNull();
    expect(await lab.find(job._id)).toEqual(cancelled);
  });

  it('wins over a last write that has not committed, which then leaves nothing behind', async () => {
    const writing = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await lab.startWorker(async (name) => ({
      result: { name },
      publish: async (session) => {
        await effects().updateOne(
          { _id: 'too early' },
          { $set: { at: new Date() } },
          { upsert: true, session },
        );
        writing.resolve();
        await released.promise;
      },
    }));
    const job = await lab.accept('finishing');
    await writing.promise;
    await cancelJob(job._id);
    released.resolve();
    expect(await lab.waitFor(job._id, 'cancelled')).not.toHaveProperty('result');
    expect(await effects().findOne({ _id: 'too early' })).toBeNull();
  });

  it('ends a run as cancelled when it fails before its worker learns of the cancel', async () => {
    const { _id } = await lab.accept('fails');
    await lab.startWorker(async () => {
      // Like jobs of a deleted space, which find it gone and may fail before the announcement arrives.
      await jobCollection().updateOne({ _id }, [{ $set: { cancelRequestedAt: '$$NOW' } }]);
      throw new JobError('not_found', 'The space no longer exists.');
    });
    expect(await lab.waitFor(_id, 'cancelled')).toMatchObject({ attempts: [{ outcome: 'cancelled' }] });
  });

  it('is refused once the last write has committed', async () => {
    await lab.startWorker(async () => {});
    const job = await lab.waitFor((await lab.accept('done'))._id, 'succeeded');
    await expect(cancelJob(job._id)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('succeeded'),
    });
    expect(await lab.find(job._id)).toEqual(job);
  });

  it('changes nothing when the job is cancelled already', async () => {
    const { _id } = await lab.accept('twice');
    const cancelled = await cancelJob(_id);
    expect(await cancelJob(_id)).toEqual(cancelled);
  });

  it('is carried out by the sweeper when the worker of the run is dead', async () => {
    const { _id } = await lab.accept('dead');
    await lab.redis.flushdb();
    await jobCollection().updateOne(
      { _id },
      {
        $set: {
          state: 'running',
          epoch: 1,
          leaseUntil: new Date(Date.now() + 300),
          attempts: [{ epoch: 1, worker: 'dead', startedAt: new Date() }],
        },
      },
    );
    expect(await cancelJob(_id)).toMatchObject({ state: 'running' });
    lab.startSweeper();
    expect(await lab.waitFor(_id, 'cancelled')).toMatchObject({ attempts: [{ outcome: 'crashed' }] });
  });
});
