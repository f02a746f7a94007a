import { setTimeout as delay } from 'node:timers/promises';
import { mongoDatabase } from '@bindery/models';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { effectCollection } from '../fixtures/standInWorker/jobs.ts';
import { bound } from '../support/machine.ts';
import { standInWorker } from '../support/processes/appProcess.ts';
import { acceptEffect, effects, expectOneEffectEach, waitForEnds } from '../support/processes/effectJobs.ts';
import { canary, startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { createResultTable, inSeconds, isFull } from '../support/resultTable.ts';
import { checkInvariants } from '../support/stores/invariants.ts';
import { startRedisMachine, type RedisMachine } from '../support/stores/redisMachine.ts';
import { until } from '../support/until.ts';

let redis: RedisMachine;
let lab: FaultLab;
const table = createResultTable();

beforeAll(async () => {
  redis = await startRedisMachine();
  lab = await startFaultLab({ REDIS_URL: redis.url });
  await mongoDatabase()
    .createCollection(effectCollection)
    .catch(() => {});
});
afterAll(async () => {
  table.print();
  await effects().deleteMany({});
  await lab?.close();
  await redis?.close();
});

it(
  'F8: goes on with all jobs soon after the machine of Redis was lost and replaced',
  { timeout: 90_000 },
  async () => {
    const [count, downMs] = isFull ? [200, 10_000] : [100, 2_000];
    const { url } = await lab.gitServer.createRepository('lost.git', { 'README.md': '# Small\n' });
    const [api] = await Promise.all([
      lab.start('api'),
      lab.start('worker-maintenance'),
      lab.start('worker-git'),
      lab.start(standInWorker),
    ]);
    const startImport = async () => {
      const { _id } = await lab.newSpace();
      const withLogin = url.replace('//', `//somebody:${canary}@`);
      const body = { url: withLogin, ref: 'refs/heads/main' };
      const answer = await lab.call(api, 'POST', `/spaces/${_id}/git/import`, body);
      expect(answer.status).toBe(204);
      return answer.headers.get('x-job-id')!;
    };
    const first = await startImport();
    await lab.waitFor(first, 'succeeded');
    const effectIds = await Promise.all(Array.from({ length: count }, () => acceptEffect(60)));
    await until('first effect', async () => (await effects().countDocuments()) > 0);
    await redis.lose();
    // The outage, not a wait for an effect.
    await delay(downMs / 2);
    const during = await startImport();
    await delay(downMs / 2);
    await redis.replace();
    const replacedMs = performance.now();
    const left = count - (await effects().countDocuments());
    const after = await startImport();
    const ids = [first, during, after];
    await waitForEnds([during, after]);
    const importsMs = performance.now() - replacedMs;
    await waitForEnds(effectIds);
    const allMs = performance.now() - replacedMs;
    await expectOneEffectEach(effectIds);
    table.add({
      fault: 'F8 machine of Redis lost and replaced',
      runs: 1,
      result: `${count} of ${count} once`,
      measured: `imports done ${inSeconds(importsMs)} after the restart, ${left} left jobs ${inSeconds(allMs)}`,
      goal: '<= 15 s',
    });
    expect(Math.max(importsMs, allMs)).toBeLessThan(bound(15_000));
    await checkInvariants(lab, [...ids, ...effectIds]);
  },
);
