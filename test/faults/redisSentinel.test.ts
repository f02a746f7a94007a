import { setTimeout as delay } from 'node:timers/promises';
import { mongoDatabase } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { effectCollection } from '../fixtures/standInWorker/jobs.ts';
import { bound } from '../support/machine.ts';
import { standInWorker } from '../support/processes/appProcess.ts';
import { acceptEffect, effects, expectOneEffectEach, waitForEnds } from '../support/processes/effectJobs.ts';
import { canary, startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { answersTo, sendSteadily } from '../support/processes/steadyWrites.ts';
import { createResultTable, inMilliseconds, inSeconds, isFull, percentile } from '../support/resultTable.ts';
import { checkInvariants } from '../support/stores/invariants.ts';
import { startOwnSentinels, type OwnSentinels } from '../support/stores/ownSentinels.ts';

let redis: OwnSentinels;
let lab: FaultLab;
const table = createResultTable();
const rounds = isFull ? 5 : 1;

beforeAll(async () => {
  redis = await startOwnSentinels();
  lab = await startFaultLab({ REDIS_URL: redis.url, BINDERY_RATE_LIMIT_POINTS: '1000000' });
  await mongoDatabase()
    .createCollection(effectCollection)
    .catch(() => {});
});
afterEach(async () => {
  await redis.restore();
  await effects().deleteMany({});
  await lab.reset({ keep: ['api', 'worker-maintenance', 'worker-git'] });
});
afterAll(async () => {
  table.print();
  await lab?.close();
  await redis?.close();
});

describe.each([
  { fault: 'primary is killed', breakIt: () => redis.killPrimary() },
  { fault: 'primary hangs', breakIt: () => redis.freezePrimary() },
  { fault: 'primary and replica are exchanged', breakIt: () => redis.exchange() },
])('F8: the $fault, with Sentinel', ({ fault, breakIt }) => {
  it.each(Array.from({ length: rounds }, (_, round) => ({ round })))(
    'no request is refused, and each job is done once with the new primary ($round)',
    { timeout: 120_000 },
    async ({ round }) => {
      const [api] = await Promise.all([
        lab.start('api'),
        lab.start('worker-maintenance'),
        lab.start('worker-git'),
        lab.start(standInWorker),
      ]);
      const name = `${fault.replaceAll(' ', '-')}-${round}.git`;
      const { url } = await lab.gitServer.createRepository(name, { 'README.md': '# Small\n' });
      const withLogin = url.replace('//', `//somebody:${canary}@`);
      const targets = await Promise.all(Array.from({ length: 40 }, () => lab.newSpace()));
      const effectJobs = await Promise.all(Array.from({ length: 60 }, () => acceptEffect(300)));
      const imports = sendSteadily(
        (key) => {
          const { _id } = targets.pop()!;
          const body = { url: withLogin, ref: 'refs/heads/main' };
          return lab.call(api, 'POST', `/spaces/${_id}/git/import`, body, { 'idempotency-key': key });
        },
        { perSecond: 1 },
      );
      const read = targets[0]!._id;
      const reads = sendSteadily(() => lab.call(api, 'GET', `/spaces/${read}`), { perSecond: 10 });
      // The load before the fault, not a wait for an effect.
      await delay(2_000);
      const brokenMs = performance.now();
      await breakIt();
      // The sentinels need their time to agree; then a job that is accepted runs as usual.
      await delay(1_000);
      const late = await acceptEffect(300);
      await lab.waitFor(late, 'succeeded', 30_000);
      const backMs = performance.now() - brokenMs;
      await delay(1_000);
      const sent = [...(await imports.stop()), ...(await reads.stop())];
      const answers = answersTo(sent);
      expect(answers.filter(({ status }) => status !== 200 && status !== 204)).toEqual([]);
      expect(sent.filter(({ result }) => !result?.headers.has('x-ratelimit-remaining'))).toEqual([]);

      const importIds = sent.flatMap(({ result }) => result?.headers.get('x-job-id') ?? []);
      const effectIds = [...effectJobs, late];
      const ids = [...effectIds, ...importIds];
      const jobs = await waitForEnds(ids);
      const doneMs = performance.now() - brokenMs;
      expect(jobs.filter(({ state }) => state !== 'succeeded')).toEqual([]);
      await expectOneEffectEach(effectIds);
      await checkInvariants(lab, ids);
      for (const { name: app, lines } of lab.apps)
        for (const secret of redis.secrets)
          expect(
            lines.filter((line) => line.includes(secret)),
            `log of ${app}`,
          ).toEqual([]);
      const p99Ms = percentile(
        answers.map(({ tookMs }) => tookMs),
        99,
      );
      table.add({
        fault: `F8 ${fault}, with Sentinel`,
        runs: 1,
        result: `${answers.length} of ${answers.length} requests answered; ${ids.length} of ${ids.length} jobs once`,
        measured: `p99 ${inMilliseconds(p99Ms)}; a new job done after ${inSeconds(backMs)}, all after ${inSeconds(doneMs)}`,
        goal: '0 refused, <= 15 s',
      });
      expect(backMs).toBeLessThan(bound(15_000));
    },
  );
});
