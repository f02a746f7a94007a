import { cancelJob, sweep } from '@bindery/jobs';
import { ContentMoved, jobCollection, mongoDatabase, type ClientSession } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bound } from '../support/machine.ts';
import { startJobLab, type JobLab } from '../support/processes/jobLab.ts';
import { until } from '../support/until.ts';

let lab: JobLab;

beforeAll(async () => {
  lab = await startJobLab();
});
afterEach(() => lab.reset());
afterAll(() => lab.close());

const effects = () => mongoDatabase().collection('testEffects');
const write = async (session: ClientSession) => void (await effects().insertOne({}, { session }));
const leaseOf = async (_id: string) => (await lab.find(_id)).leaseUntil!.getTime();
const isLeaseOver = async (_id: string) =>
  (await jobCollection().countDocuments({ _id, $expr: { $lt: ['$leaseUntil', '$$NOW'] } })) === 1;

describe('the last write of a run', () => {
  it('may take longer than the lease', async () => {
    await effects().deleteMany({});
    let published = 0;
    await lab.startWorker(async (name, { job }) => ({
      result: { name },
      publish: async (session) => {
        published += 1;
        await write(session);
        await until('end of the lease', () => isLeaseOver(job._id));
        await sweep();
      },
    }));
    const job = await lab.accept('slow to publish');
    const ended = await lab.waitFor(job._id, 'succeeded');
    expect(ended).toMatchObject({ epoch: 1, crashes: 0, attempts: [{ outcome: 'succeeded' }] });
    expect([published, await effects().countDocuments()]).toEqual([1, 1]);
  });

  it('begins with a full lease, which is renewed during its preparation', async () => {
    const { leaseMs } = lab.config.jobs;
    let leftMs = 0;
    await lab.startWorker(async (name, { job }) => ({
      result: { name },
      prepare: async () => {
        const first = await leaseOf(job._id);
        await until('renewal', async () => (await leaseOf(job._id)) > first + leaseMs);
      },
      publish: async () => {
        const [{ now }] = (await mongoDatabase()
          .aggregate([{ $documents: [{}] }, { $set: { now: '$$NOW' } }])
          .toArray()) as [{ now: Date }];
        leftMs = (await leaseOf(job._id)) - now.getTime();
      },
    }));
    const job = await lab.accept('slow to prepare');
    expect(await lab.waitFor(job._id, 'succeeded')).toMatchObject({ epoch: 1, crashes: 0 });
    expect(leftMs).toBeGreaterThan(leaseMs - bound(leaseMs / 2));
    expect(leftMs).toBeLessThanOrEqual(leaseMs);
  });

  it('is prepared again outside of its transaction when the content has changed', async () => {
    await effects().deleteMany({});
    const steps: string[] = [];
    await lab.startWorker(async (name) => ({
      result: { name },
      prepare: async () => void steps.push('prepare'),
      publish: async (session) => {
        steps.push('publish');
        await write(session);
        if (steps.length < 6) throw new ContentMoved();
      },
    }));
    const job = await lab.accept('moving');
    expect(await lab.waitFor(job._id, 'succeeded')).toMatchObject({
      tries: 0,
      attempts: [{ outcome: 'succeeded' }],
    });
    expect(steps).toEqual(['prepare', 'publish', 'prepare', 'publish', 'prepare', 'publish']);
    expect(await effects().countDocuments()).toBe(1);
  });

  it('is given up when the content keeps changing, and the job is retried', async () => {
    let prepared = 0;
    await lab.startWorker(async (name, { job }) => ({
      result: { name },
      prepare: async () => void (prepared += 1),
      publish: async () => {
        if (job.epoch === 1) throw new ContentMoved();
      },
    }));
    const job = await lab.accept('always moving');
    expect(await lab.waitFor(job._id, 'succeeded')).toMatchObject({
      tries: 1,
      attempts: [{ outcome: 'retried', error: { class: 'transient' } }, { outcome: 'succeeded' }],
    });
    expect(prepared).toBe(11);
  });

  it('is not made after a cancel during its preparation', async () => {
    let published = 0;
    await lab.startWorker(async (name, { job }) => ({
      result: { name },
      prepare: async () => void (await cancelJob(job._id)),
      publish: async () => void (published += 1),
    }));
    const job = await lab.accept('cancelled');
    expect(await lab.waitFor(job._id, 'cancelled')).toMatchObject({ attempts: [{ outcome: 'cancelled' }] });
    expect(published).toBe(0);
  });
});
