import { jobCollection, mongoDatabase } from '@bindery/models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkRun } from '../support/checker/checkRun.ts';
import { createClient } from '../support/checker/client.ts';
import { startContentServer, type ContentServer } from '../support/content/contentServer.ts';
import { findTestChromium } from '../support/pdf/chromium.ts';
import type { AppName } from '../support/processes/appProcess.ts';
import { startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { createResultTable, inSeconds } from '../support/resultTable.ts';
import { seededRandom, suiteSeed } from '../support/seededRandom.ts';
import { startCrew } from '../support/soak/crew.ts';
import { growthOf, sampleGrowth } from '../support/soak/growth.ts';
import { runMixedJobs, type Load } from '../support/soak/mixedJobs.ts';
import { causeFaults } from '../support/soak/randomFaults.ts';
import { startOwnMongo, type OwnMongo } from '../support/stores/ownMongo.ts';
import { startOwnRedis, type OwnRedis } from '../support/stores/ownRedis.ts';
import { until } from '../support/until.ts';

// `npm run test:soak` runs it for BINDERY_SOAK_MINUTES, by default 30; `npm test` only for a moment, which
// shows no growth.

const minutes = Number(process.env.BINDERY_SOAK_MINUTES ?? 0.75);
const durationMs = minutes * 60_000;
/** From here on growth can be told from warming up. */
const isLong = minutes >= 15;
const { executable, missing } = await findTestChromium();
const hasChromium = isLong && missing === undefined;
const workers: readonly AppName[] = [
  'worker-git',
  'worker-maintenance',
  'worker-openapi',
  'worker-translation',
  ...(hasChromium ? (['worker-pdf'] as const) : []),
];

let mongo: OwnMongo;
let redis: OwnRedis;
let server: ContentServer;
let lab: FaultLab;
const table = createResultTable();

beforeAll(async () => {
  [mongo, redis, server] = await Promise.all([startOwnMongo(), startOwnRedis(), startContentServer()]);
  lab = await startFaultLab({
    MONGODB_URI: mongo.uri,
    REDIS_URL: redis.url,
    BINDERY_OUTBOUND_ALLOW: server.hostPort,
    BINDERY_TRANSLATION_ENGINES: 'pseudo-locale',
    ...(hasChromium && { CHROME_PATH: executable }),
  });
});
afterAll(async () => {
  mongo.thaw();
  table.print();
  await lab.close();
  await Promise.all([mongo.close(), redis.close(), server.close()]);
});

describe('F36: jobs of all kinds, and a random fault again and again', () => {
  it(`no effect is lost or doubled in ${minutes} minutes`, { timeout: durationMs + 600_000 }, async () => {
    console.log(`soak: ${minutes} minutes, BINDERY_SEED=${suiteSeed}`);
    const steady: readonly AppName[] = isLong ? ['api', ...workers] : [];
    const crew = await startCrew(lab, {
      steady,
      exposed: ['api', 'worker-git', 'worker-maintenance', ...workers],
    });
    const client = createClient(lab, crew.api);
    const load: Load = { accepted: [], outcomes: new Map(), acknowledged: [], edited: [], checks: [] };
    const over = AbortSignal.timeout(durationMs);
    const sampled = new AbortController();
    const sampling = sampleGrowth(crew.steady, { redis: lab.redis, signal: sampled.signal });
    const faulting = causeFaults(lab, {
      crew,
      stores: { mongo, redis },
      random: seededRandom(suiteSeed),
      everyMs: isLong ? 20_000 : 4_000,
      signal: over,
    });
    const [caused] = await Promise.all([
      faulting,
      runMixedJobs(lab, load, { client, server, hasChromium, signal: over }),
    ]);
    const endedMs = performance.now();
    await until(
      'end of all jobs',
      async () => (await jobCollection().countDocuments({ finishedAt: { $exists: false } })) === 0,
      { timeoutMs: 120_000, everyMs: 200 },
    );
    const settledMs = performance.now() - endedMs;
    sampled.abort();
    const samples = await sampling;

    const list = (counts: Map<string, number>) =>
      [...counts]
        .map(([name, count]) => `${count} ${name}`)
        .toSorted()
        .join(', ');
    const statuses = new Map(
      [...client.statuses].map(([status, count]) => [status === 0 ? 'without one' : `of ${status}`, count]),
    );
    table.add({
      fault: `F36 ${minutes} minutes: ${list(caused)}`,
      runs: 1,
      result: list(load.outcomes),
      measured: `answers ${list(statuses)}; slowest ${inSeconds(client.slowestMs)}; settled ${inSeconds(settledMs)} after the load`,
      goal: 'all invariants',
    });
    const growth = isLong ? growthOf(samples, Math.min(600_000, durationMs / 3)) : undefined;
    if (growth) {
      const { memory, mongoPerJob, redisMebibytes } = growth;
      const processes = memory.map(
        ({ process, mebibytes, slope, heapSlope }) =>
          `${process}: ${mebibytes.toFixed(0)} MiB, ${slope.toFixed(2)} a minute, in use ${heapSlope.toFixed(2)}`,
      );
      const kibibytes = mongoPerJob.map((size) => size.toFixed(1)).join(', then ');
      table.add({
        fault: 'F36 growth after the first third',
        runs: 1,
        result: processes.join('; '),
        measured: `MongoDB ${kibibytes} KiB a job; Redis ${redisMebibytes.map((size) => size.toFixed(1)).join(' to ')} MiB`,
        goal: 'in use <= 1 MiB a minute; storage per job does not grow',
      });
      // For whoever looks for the cause of growth.
      const counts = new Map<string, number>();
      for (const collection of await mongoDatabase().collections())
        counts.set(collection.collectionName, await collection.countDocuments());
      console.log(`soak: documents at the end: ${list(counts)}`);
    }
    for (const check of load.checks) expect(await check()).toEqual([]);
    await checkRun(lab, { ...load, client });
    const failed = [...load.outcomes].filter(([outcome]) => !/ (succeeded|superseded)$/.test(outcome));
    // A job that was hit three times by chance is given up like one that is the cause.
    expect(failed.filter(([outcome]) => !outcome.endsWith(' failed quarantined'))).toEqual([]);
    expect(load.outcomes.size).toBeGreaterThan(0);
    if (!growth) return;
    for (const { process, heapSlope } of growth.memory) expect(heapSlope, process).toBeLessThan(1);
    expect(growth.mongoPerJob[1]).toBeLessThan(1.5 * growth.mongoPerJob[0]);
  });
});
