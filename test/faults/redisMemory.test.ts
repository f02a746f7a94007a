import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../apps/cli/src/launcher/freePort.ts';
import { canary, startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { bound } from '../support/machine.ts';
import { createResultTable, inMilliseconds, inSeconds, isFull, percentile } from '../support/resultTable.ts';
import { checkInvariants } from '../support/stores/invariants.ts';
import { startOwnRedis, type OwnRedis } from '../support/stores/ownRedis.ts';
import { until } from '../support/until.ts';

let redis: OwnRedis;
let lab: FaultLab;
const table = createResultTable();

beforeAll(async () => {
  redis = await startOwnRedis();
  lab = await startFaultLab({ REDIS_URL: redis.url });
});
afterAll(async () => {
  table.print();
  await lab.close();
  await redis.close();
});

describe('F11: Redis has reached its maxmemory', () => {
  const imports = isFull ? 20 : 8;
  const points = 20 * imports + 40;

  it(
    'jobs are accepted and run once there is memory, and a metric counts the refusals',
    { timeout: 120_000 },
    async () => {
      const { url } = await lab.gitServer.createRepository('small.git', { 'README.md': '# Small\n' });
      const metricsPort = await freePort(undefined, '127.0.0.1');
      const [api] = await Promise.all([
        lab.start('api', {
          environment: {
            BINDERY_METRICS_PORT: String(metricsPort),
            BINDERY_RATE_LIMIT_POINTS: String(points),
          },
        }),
        lab.start('worker-maintenance'),
        lab.start('worker-git'),
      ]);
      const targets = await Promise.all(Array.from({ length: imports + 1 }, () => lab.newSpace()));
      const startImport = (index: number) =>
        lab.call(api, 'POST', `/spaces/${targets[index]!._id}/git/import`, {
          url: url.replace('//', `//somebody:${canary}@`),
          ref: 'refs/heads/main',
        });
      const jobIdOf = (response: Response) => response.headers.get('x-job-id') ?? '';
      const earlier = jobIdOf(await startImport(imports));
      await lab.waitFor(earlier, 'succeeded');

      await lab.redis.config('SET', 'maxmemory-policy', 'noeviction');
      await lab.redis.config('SET', 'maxmemory', '1');
      await expect(lab.redis.set('a-key', 'a value')).rejects.toThrow('OOM');
      const accepted: string[] = [];
      const acceptedMs: number[] = [];
      for (let index = 0; index < imports; index += 1) {
        const startedMs = performance.now();
        const response = await startImport(index);
        acceptedMs.push(performance.now() - startedMs);
        expect(response.status).toBe(204);
        accepted.push(jobIdOf(response));
      }
      const read = () => lab.call(api, 'GET', `/spaces/${targets[0]!._id}`);
      expect((await read()).status).toBe(200);
      // This process counts for itself: the points that it has seen since then, not those in Redis.
      const limited = await until('a refusal by the limit', async () => {
        const response = await read();
        expect([200, 429]).toContain(response.status);
        return response.status === 429 ? response : undefined;
      });
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      const refusals = /^bindery_redis_refusals_total\{reason="memory",app="api"\} (\d+)$/m.exec(metrics);
      expect(Number(refusals?.[1]), metrics.match(/.*refusals.*/g)?.join('\n')).toBeGreaterThan(0);
      for (const id of accepted) expect(['accepted', 'queued']).toContain((await lab.find(id)).state);

      await lab.redis.config('SET', 'maxmemory', '0');
      const freedMs = performance.now();
      for (const id of accepted) await lab.waitFor(id, 'succeeded', 30_000);
      const doneMs = performance.now() - freedMs;
      const p99Ms = percentile(acceptedMs, 99);
      table.add({
        fault: 'F11 Redis without memory',
        runs: 1,
        result: `${accepted.length}/${imports} accepted and done`,
        measured: `accepted in ${inMilliseconds(p99Ms)} (p99), done ${inSeconds(doneMs)} after there was memory`,
        goal: 'p99 <= 500 ms; reads unaffected; metric set',
      });
      expect(p99Ms).toBeLessThan(bound(500));
      expect(doneMs).toBeLessThan(bound(15_000));
      await checkInvariants(lab, [earlier, ...accepted]);
    },
  );
});
