import { acceptJob } from '@bindery/jobs';
import { jobCollection, mongoDatabase } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { effectCollection, standInJobs } from '../fixtures/standInWorker/jobs.ts';
import { standInWorker } from '../support/processes/appProcess.ts';
import { canary, startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { checkInvariants } from '../support/stores/invariants.ts';
import { startOwnRedis, type OwnRedis } from '../support/stores/ownRedis.ts';
import { createResultTable, inMilliseconds, inSeconds, isFull, percentile } from '../support/resultTable.ts';
import { until } from '../support/until.ts';
import { bound } from '../support/machine.ts';

let redis: OwnRedis;
let lab: FaultLab;
const table = createResultTable();
const effects = () => mongoDatabase().collection<{ _id: string; job: string }>(effectCollection);

beforeAll(async () => {
  redis = await startOwnRedis();
  lab = await startFaultLab({ REDIS_URL: redis.url });
  await mongoDatabase()
    .createCollection(effectCollection)
    .catch(() => {});
});
afterEach(async () => {
  await effects().deleteMany({});
  await lab.reset({ keep: ['api', 'worker-maintenance', 'worker-git'] });
});
afterAll(async () => {
  table.print();
  await lab.close();
  await redis.close();
});

async function acceptEffects(count: number, workMs: number): Promise<string[]> {
  const ids: string[] = [];
  for (let start = 0; start < count; start += 20) {
    const jobs = await Promise.all(
      Array.from({ length: Math.min(20, count - start) }, (_, index) =>
        acceptJob(standInJobs.makeEffect, {
          organization: `organization-${(start + index) % 5}`,
          subject: { type: 'space', id: 'none' },
          startedBy: 'somebody',
          permission: 'space.edit',
          input: { workMs },
        }),
      ),
    );
    ids.push(...jobs.map(({ _id }) => _id));
  }
  return ids;
}

/** @returns how many of the jobs have had their effect exactly once */
async function countOnce(ids: readonly string[], timeoutMs: number): Promise<number> {
  const count = () => jobCollection().countDocuments({ _id: { $in: [...ids] }, state: 'succeeded' });
  await until('end of all jobs', async () => (await count()) === ids.length, { timeoutMs, everyMs: 50 });
  const byJob = new Map<string, number>();
  for await (const { job } of effects().find()) byJob.set(job, (byJob.get(job) ?? 0) + 1);
  return ids.filter((id) => byJob.get(id) === 1).length;
}

describe('F8: Redis is killed and started again', () => {
  const [count, downMs] = isFull ? [200, 10_000] : [100, 2_000];

  it(`all ${count} queued jobs are done soon after`, { timeout: 60_000 }, async () => {
    await Promise.all([lab.start('worker-maintenance'), lab.start(standInWorker)]);
    const ids = await acceptEffects(count, 60);
    await until('first effect', async () => (await effects().countDocuments()) > 0);
    await redis.kill();
    const killedMs = performance.now();
    await until('end of the outage', () => performance.now() - killedMs > downMs, {
      timeoutMs: downMs + 1_000,
    });
    const left = count - (await effects().countDocuments());
    await redis.start();
    const startedMs = performance.now();
    const once = await countOnce(ids, 20_000);
    const tookMs = performance.now() - startedMs;
    table.add({
      fault: 'F8 Redis killed with its file',
      runs: 1,
      result: `${once}/${count} once`,
      measured: `${left} left done ${inSeconds(tookMs)} after the restart`,
      goal: '<= 15 s',
    });
    expect(once).toBe(count);
    expect(tookMs).toBeLessThan(bound(15_000));
    await checkInvariants(lab, ids);
  });
});

describe('F9: Redis is emptied in mid run', () => {
  const [running, queued] = [50, isFull ? 500 : 200];

  it(
    `all ${running} running and ${queued} queued jobs are done, each once`,
    { timeout: 60_000 },
    async () => {
      await Promise.all([
        lab.start('worker-maintenance'),
        lab.start(standInWorker, { environment: { BINDERY_WORKER_CONCURRENCY: String(running) } }),
      ]);
      const ids = await acceptEffects(running + queued, 800);
      await until(
        'full worker',
        async () => (await jobCollection().countDocuments({ state: 'running' })) >= running,
      );
      await lab.redis.flushall();
      const flushedMs = performance.now();
      await until(
        'queue in Redis',
        async () => (await lab.redis.zcard(`${lab.config.redis.prefix}:maintenance:prioritized`)) > 0,
        {
          timeoutMs: 15_000,
        },
      );
      const backMs = performance.now() - flushedMs;
      const once = await countOnce(ids, 45_000);
      const crashed = await jobCollection().countDocuments({ crashes: { $gt: 0 } });
      table.add({
        fault: 'F9 Redis emptied',
        runs: 1,
        result: `${once}/${running + queued} once, ${crashed} run twice`,
        measured: `back in the queue after ${inSeconds(backMs)}`,
        goal: '<= 15 s, 0 lost, 0 double',
      });
      expect(once).toBe(ids.length);
      await checkInvariants(lab, ids);
    },
  );
});

describe('F10: Redis is away while the API gets requests', () => {
  const imports = isFull ? 20 : 8;

  async function measure(
    calls: number,
    call: () => Promise<Response>,
  ): Promise<{ timesMs: number[]; statuses: Set<number> }> {
    const timesMs: number[] = [];
    const statuses = new Set<number>();
    for (let index = 0; index < calls; index += 1) {
      const startedMs = performance.now();
      const response = await call();
      await response.arrayBuffer();
      timesMs.push(performance.now() - startedMs);
      statuses.add(response.status);
    }
    return { timesMs, statuses };
  }

  it.each(['killed', 'hung'] as const)(
    'requests are answered as usual when it is %s, and all jobs run afterwards',
    async (how) => {
      const { url } = await lab.gitServer.createRepository(`${how}.git`, { 'README.md': '# Small\n' });
      const [api] = await Promise.all([
        lab.start('api'),
        lab.start('worker-maintenance'),
        lab.start('worker-git'),
      ]);
      const space = await lab.newSpace();
      const read = () => lab.call(api, 'GET', `/spaces/${space._id}`);
      const accepted: string[] = [];
      const start = async () => {
        const target = await lab.newSpace();
        const response = await lab.call(api, 'POST', `/spaces/${target._id}/git/import`, {
          url: url.replace('//', `//somebody:${canary}@`),
          ref: 'refs/heads/main',
        });
        if (response.status === 204) accepted.push(response.headers.get('x-job-id')!);
        return response;
      };
      await measure(10, read);
      const before = await measure(30, read);
      if (how === 'killed') await redis.kill();
      else await redis.pause();
      const during = await measure(imports, start);
      const reads = await measure(30, read);
      if (how === 'killed') await redis.start();
      else redis.resume();
      for (const id of accepted) await lab.waitFor(id, 'succeeded', 30_000);
      expect([...during.statuses]).toEqual([204]);
      expect([...reads.statuses]).toEqual([200]);
      const [jobP99Ms, readP99Ms, beforeP99Ms] = [during, reads, before].map(({ timesMs }) =>
        percentile(timesMs, 99),
      );
      table.add({
        fault: `F10 Redis ${how}`,
        runs: 1,
        result: `${accepted.length}/${imports} accepted and done`,
        measured: `p99 ${inMilliseconds(jobP99Ms!)}; reads p99 ${inMilliseconds(readP99Ms!)}, before ${inMilliseconds(beforeP99Ms!)}`,
        goal: 'p99 <= 500 ms; reads unaffected',
      });
      expect(accepted).toHaveLength(imports);
      expect(jobP99Ms).toBeLessThan(bound(500));
      expect(readP99Ms).toBeLessThan(bound(250));
      await checkInvariants(lab, accepted);
    },
    60_000,
  );
});
