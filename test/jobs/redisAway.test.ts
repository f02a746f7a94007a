import { cancelJob, explainWaiting, openJobFeed, pingRedis } from '@bindery/jobs';
import { jobCollection } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isRedisAnswering } from '../../packages/jobs/src/queue/client.ts';
import { startJobLab, untilAborted, type JobLab } from '../support/processes/jobLab.ts';
import { startOwnRedis, type OwnRedis } from '../support/stores/ownRedis.ts';
import { until } from '../support/until.ts';
import { bound } from '../support/machine.ts';

let redis: OwnRedis;
let lab: JobLab;

beforeAll(async () => {
  redis = await startOwnRedis();
  lab = await startJobLab({ REDIS_URL: redis.url });
});
afterEach(async () => {
  // Also after a test that failed while it was down: the others need it, and so does the reset.
  await redis.start();
  await lab.reset();
});
afterAll(async () => {
  await lab.close();
  await redis.close();
});

const isBack = () =>
  until('answer of Redis', () =>
    pingRedis(500).then(
      () => true,
      () => false,
    ),
  );

async function slowest(times: number, work: () => Promise<unknown>): Promise<number> {
  let most = 0;
  for (let index = 0; index < times; index += 1) {
    const startedMs = performance.now();
    await work();
    most = Math.max(most, performance.now() - startedMs);
  }
  return most;
}

describe('while Redis is down', () => {
  it('accepts jobs without delay, and runs them when it is back', async () => {
    lab.startSweeper();
    await lab.startWorker(async () => {});
    await redis.kill();
    await until('notice that Redis is down', () => !isRedisAnswering());
    const ids: string[] = [];
    const slowestMs = await slowest(30, async () => ids.push((await lab.accept('owed'))._id));
    expect(slowestMs).toBeLessThan(bound(200));
    expect(await lab.find(ids[0]!)).toMatchObject({ state: 'accepted' });
    expect(await explainWaiting(await lab.find(ids[0]!))).toMatchObject({ reason: 'dispatch' });
    await redis.start();
    for (const id of ids) await lab.waitFor(id, 'succeeded');
  });

  it('lets a run go on, end, be watched and be cancelled', async () => {
    const released = Promise.withResolvers<void>();
    await lab.startWorker((name, run) => (name === 'cancelled' ? untilAborted(run) : released.promise));
    const [ending, cancelled] = await Promise.all([lab.accept('ending'), lab.accept('cancelled')]);
    for (const { _id } of [ending, cancelled]) await lab.waitFor(_id, 'running');
    await redis.kill();
    await cancelJob(cancelled._id);
    await lab.waitFor(cancelled._id, 'cancelled');
    released.resolve();
    const feed = openJobFeed(lab.config);
    for await (const { job } of feed.follow(ending._id, AbortSignal.timeout(20_000)))
      if (job.state === 'succeeded') break;
    feed.close();
    expect(await lab.find(ending._id)).toMatchObject({ state: 'succeeded', epoch: 1 });
    await redis.start();
    await isBack();
  });

  it('runs jobs again within seconds of the return of Redis', async () => {
    lab.startSweeper();
    await lab.startWorker(async () => {});
    await lab.waitFor((await lab.accept('before'))._id, 'succeeded');
    await redis.kill();
    await until('notice that Redis is down', () => !isRedisAnswering());
    await redis.start();
    await isBack();
    const startedMs = performance.now();
    await lab.waitFor((await lab.accept('after'))._id, 'succeeded');
    expect(performance.now() - startedMs).toBeLessThan(bound(4_000));
  });
});

describe('while Redis hangs', () => {
  it('makes the first request wait for its timeout, and the next ones hardly at all', async () => {
    await redis.pause();
    try {
      const first = await slowest(1, () => lab.accept('first'));
      const others = await slowest(5, () => lab.accept('other'));
      expect(first).toBeLessThan(bound(lab.config.jobs.dispatchTimeoutMs + 200));
      expect(others).toBeLessThan(bound(150));
    } finally {
      redis.resume();
    }
    await isBack();
    lab.startSweeper();
    await lab.startWorker(async () => {});
    await until(
      'end of all jobs',
      async () => (await jobCollection().countDocuments({ state: { $ne: 'succeeded' } })) === 0,
    );
  });
});

describe('when Redis has lost everything', () => {
  it('queues the jobs again from MongoDB, and runs each once', async () => {
    const runs: string[] = [];
    const released = Promise.withResolvers<void>();
    lab.startSweeper();
    await lab.startWorker(
      async (name) => {
        runs.push(name);
        await released.promise;
      },
      { concurrency: 5 },
    );
    const jobs = await Promise.all(Array.from({ length: 60 }, (_, index) => lab.accept(String(index))));
    await until('five runs', () => runs.length === 5);
    await lab.redis.flushall();
    released.resolve();
    for (const { _id } of jobs) await lab.waitFor(_id, 'succeeded');
    expect(runs.toSorted()).toEqual(jobs.map((_, index) => String(index)).toSorted());
  });
});
