import { openQueues, sweep } from '@bindery/jobs';
import { jobCollection, mongoDatabase, Organization, WorkerEntry, type JobRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { forgetSlots } from '../../packages/jobs/src/queue/slots.ts';
import { startJobLab, untilAborted, type JobLab, type Work } from '../support/processes/jobLab.ts';
import { bound } from '../support/machine.ts';
import { until } from '../support/until.ts';

const [large, small] = ['free-slot-large', 'free-slot-small'] as const;
let lab: JobLab;

beforeAll(async () => {
  lab = await startJobLab({ BINDERY_SLOTS_FOR_OTHERS: '1' });
  const organizations = [large, small].map((_id) => ({
    _id,
    title: _id,
    emailDomains: [],
    defaultRole: 'read',
    createdAt: new Date(),
  }));
  await Organization.insertMany(organizations);
});
afterEach(() => lab.reset());
afterAll(async () => {
  await Organization.deleteMany({ _id: { $in: [large, small] } });
  await lab.close();
});

const maintenance = () => openQueues().find(({ name }) => name === 'maintenance')!;
const running = (organization: string) => jobCollection().countDocuments({ organization, state: 'running' });
const largeJobsStay: Work = async (name, run) => (name === 'large' ? untilAborted(run) : undefined);

async function acceptLarge(count: number): Promise<JobRecord[]> {
  const jobs: JobRecord[] = [];
  for (let n = 0; n < count; n += 1) jobs.push(await lab.accept('large', { organization: large }));
  return jobs;
}

async function waitOfNewcomer(): Promise<number> {
  const { _id } = await lab.accept('newcomer', { organization: small });
  const { startedAt, createdAt } = await lab.waitFor(_id, 'succeeded');
  return startedAt!.getTime() - createdAt.getTime();
}

describe('the slot that an organization leaves to others is free', () => {
  it('although a larger worker has handed back more of its jobs than there are slots now', async () => {
    const gone = await lab.startWorker(largeJobsStay, { concurrency: 10 });
    await acceptLarge(9);
    await until('nine jobs', async () => (await running(large)) === 9);
    await gone.stop(0);
    await lab.startWorker(largeJobsStay, { concurrency: 5 });
    await until('four jobs', async () => (await running(large)) === 4);
    await until(
      'messages that were put back',
      async () => (await maintenance().getJobCounts('delayed'))['delayed']! >= 3,
    );
    for (let n = 0; n < 4; n += 1) expect(await waitOfNewcomer()).toBeLessThan(bound(3_000));
  });

  it('although one of its jobs has crashed twice and waits to run alone', async () => {
    await lab.startWorker(largeJobsStay, { concurrency: 5 });
    const [first] = await acceptLarge(4);
    await until('four jobs', async () => (await running(large)) === 4);
    const crashed = {
      ...first!,
      _id: newId(),
      state: 'queued' as const,
      crashes: 2,
      dispatch: 0,
      dispatchedAt: null,
      createdAt: new Date(0),
    };
    await jobCollection().insertOne(crashed, { ignoreUndefined: true });
    await sweep();
    await until(
      'message that was put back',
      async () => (await maintenance().getJobCounts('delayed'))['delayed'] === 1,
    );
    for (let n = 0; n < 4; n += 1) expect(await waitOfNewcomer()).toBeLessThan(bound(3_000));
  });

  it('after MongoDB failed to count the slots', async () => {
    await lab.startWorker(largeJobsStay, { concurrency: 2 });
    await waitOfNewcomer();
    const database = mongoDatabase();
    const { collectionName } = WorkerEntry.collection;
    await database.renameCollection(collectionName, 'workersAside');
    await database.createCollection(collectionName, {
      viewOn: 'workersAside',
      pipeline: [{ $set: { broken: { $divide: [1, 0] } } }],
    });
    forgetSlots();
    for (let n = 0; n < 3; n += 1) await lab.accept('refused', { organization: small });
    await until('refusals', async () => (await maintenance().getJobCounts('failed'))['failed'] === 3);
    await database.dropCollection(collectionName);
    await database.renameCollection('workersAside', collectionName);
    forgetSlots();
    expect(await waitOfNewcomer()).toBeLessThan(bound(3_000));
  });
});

it('jobs that wait for the limit of their organization hold no seat of their kind', async () => {
  const strict = await startJobLab({
    BINDERY_KIND_CONCURRENCY: 'test-work=2',
    BINDERY_KIND_PER_ORGANIZATION: 'test-work=1',
  });
  await strict.startWorker(largeJobsStay, { concurrency: 20 });
  await acceptLarge(15);
  await until('one job', async () => (await running(large)) === 1);
  for (let n = 0; n < 4; n += 1) expect(await waitOfNewcomer()).toBeLessThan(bound(3_000));
  await strict.reset();
  strict.redis.disconnect();
});
