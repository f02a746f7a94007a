import { cancelJob, sweep } from '@bindery/jobs';
import { jobCollection, type JobErrorRecord, type JobRecord } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { claimJobs } from '../../packages/jobs/src/state/claims.ts';
import { endRun } from '../../packages/jobs/src/state/transitions.ts';
import { profiled } from '../support/stores/examined.ts';
import { startJobLab, testJobs, type JobLab } from '../support/processes/jobLab.ts';
import { until } from '../support/until.ts';

let lab: JobLab;

beforeAll(async () => {
  lab = await startJobLab();
});
afterEach(() => lab.reset());
afterAll(() => lab.close());

const claimant = {
  worker: 'a-worker',
  known: [testJobs.work, testJobs.workInLane],
  deadlineMs: () => 60_000,
  leaseMs: 60_000,
};
const claimAll = async (requests: Parameters<typeof claimJobs>[0]) =>
  Promise.all((await claimJobs(requests, claimant)).map(async (claim) => claim));
const requestOf = ({ _id, dispatch }: JobRecord) => ({ id: _id, dispatch });
const attemptOf = async ({ _id }: JobRecord) => (await lab.find(_id)).attempts.at(-1);

describe('claims that are written together', () => {
  it('each get their own result', async () => {
    const [free, twice, stale] = [
      await lab.accept('free'),
      await lab.accept('twice'),
      await lab.accept('stale'),
    ];
    const [newer, seated, crowded] = [
      await lab.accept('newer'),
      await lab.accept('seated'),
      await lab.accept('crowded'),
    ];
    const inLane = await lab.accept('first of the lane', { lane: 'shared' });
    const behind = await lab.accept('second of the lane', { lane: 'shared' });
    await jobCollection().updateOne(
      { _id: behind._id },
      { $set: { state: 'queued' }, $unset: { waiting: '' } },
    );
    await jobCollection().updateOne({ _id: newer._id }, { $set: { version: 99 } });
    const claims = await claimAll([
      { ...requestOf(free), seats: [] },
      requestOf(twice),
      requestOf(twice),
      { ...requestOf(stale), dispatch: stale.dispatch + 1 },
      requestOf(newer),
      { ...requestOf(seated), seats: ['queue:0'] },
      { ...requestOf(crowded), seats: ['queue:0'] },
      requestOf(inLane),
      requestOf(behind),
    ]);
    const answers = claims.map((claim) => ('job' in claim ? claim.job._id : claim.refused));
    expect([answers[0], ...answers.slice(3, 5)]).toEqual([free._id, 'gone', 'version']);
    // Of two claims for one job, or that exclude each other, one succeeds; it may be either.
    expect([`${twice._id} gone`, `gone ${twice._id}`]).toContain(answers.slice(1, 3).join(' '));
    expect([`${seated._id} seat`, `seat ${crowded._id}`]).toContain(answers.slice(5, 7).join(' '));
    expect([`${inLane._id} lane`, `lane ${behind._id}`]).toContain(answers.slice(7).join(' '));
    expect(await lab.find(free._id)).not.toHaveProperty('seats');
    const running = await jobCollection().find({ seats: 'queue:0' }).toArray();
    expect(running).toMatchObject([{ state: 'running', epoch: 1, attempts: [{ worker: 'a-worker' }] }]);
  });
});

describe('ends that are written together', () => {
  it('each get their own result', async () => {
    const [one, another, fails] = [
      await lab.accept('one'),
      await lab.accept('another'),
      await lab.accept('fails'),
    ];
    const [isCancelled, wasLost, reports] = [
      await lab.accept('cancelled'),
      await lab.accept('lost'),
      await lab.accept('reports'),
    ];
    await claimAll([one, another, fails, isCancelled, wasLost, reports].map(requestOf));
    await cancelJob(isCancelled._id);
    await jobCollection().updateOne({ _id: wasLost._id }, { $inc: { epoch: 1 } });
    const error: JobErrorRecord = {
      class: 'invalid',
      code: 'bad_content',
      message: '$epoch is no field here',
    };
    const run = ({ _id }: JobRecord) => ({ _id, epoch: 1 });
    const answers = await Promise.all([
      endRun(run(one), { state: 'succeeded', result: { name: 'one' } }),
      endRun(run(another), { state: 'succeeded', result: { name: '$input.name' } }),
      endRun(run(fails), { state: 'failed', error }),
      endRun(run(isCancelled), { state: 'succeeded', result: { name: 'too late' } }),
      endRun(run(wasLost), { state: 'succeeded', result: { name: 'lost' } }),
      endRun(run(reports), {
        state: 'succeeded',
        result: { name: 'reports' },
        report: { stats: { pages: 3 }, progress: { stage: 'done' } },
      }),
    ]);
    expect(answers).toEqual([true, true, true, false, false, true]);
    expect(await lab.find(one._id)).toMatchObject({
      state: 'succeeded',
      result: { name: 'one' },
      finishedAt: expect.any(Date),
    });
    expect(await lab.find(one._id)).not.toHaveProperty('error');
    expect(await lab.find(one._id)).not.toHaveProperty('end');
    expect(await lab.find(another._id)).toMatchObject({ result: { name: '$input.name' }, stats: {} });
    expect(await lab.find(fails._id)).toMatchObject({ state: 'failed', error });
    expect(await attemptOf(fails)).toMatchObject({ outcome: 'failed', error });
    expect(await attemptOf(one)).not.toHaveProperty('error');
    expect((await lab.find(isCancelled._id)).state).toBe('running');
    expect((await lab.find(wasLost._id)).state).toBe('running');
    expect(await lab.find(reports._id)).toMatchObject({ stats: { pages: 3 }, progress: { stage: 'done' } });
  });
});

it('a worker with many slots writes many claims and ends in one operation, and announces them together', async () => {
  const count = 200;
  for (let n = 0; n < count; n += 1) await lab.accept(String(n), { organization: `organization-${n % 5}` });
  let messages = 0;
  const subscriber = lab.redis.duplicate();
  subscriber.on('message', () => (messages += 1));
  await subscriber.subscribe(`${lab.config.redis.prefix}:jobs`);
  const operations = await profiled(async () => {
    await lab.startWorker(async () => {}, { concurrency: 50 });
    await sweep();
    await until(
      'end of all',
      async () => (await jobCollection().countDocuments({ state: 'succeeded' })) === count,
    );
  });
  subscriber.disconnect();
  expect(messages).toBeLessThan(count);
  const ownerReads = operations.filter(({ op, ns }) => op === 'query' && ns.endsWith('.spaces'));
  expect(ownerReads.length).toBeLessThan(count / 2);
  // Each write of a job, update or claim, modifies one document.
  const single = operations.filter(({ ns, nModified }) => ns.endsWith('.jobs') && nModified === 1);
  const modified = operations.reduce((sum, { nModified = 0 }) => sum + nModified, 0);
  expect(modified).toBeGreaterThan(2 * count);
  expect(single.length).toBeLessThan(count);
});
