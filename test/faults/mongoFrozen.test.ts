import { setTimeout as delay } from 'node:timers/promises';
import { acceptJob } from '@bindery/jobs';
import { mongoDatabase } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../apps/cli/src/launcher/freePort.ts';
import { effectCollection, standInJobs } from '../fixtures/standInWorker/jobs.ts';
import { standInWorker } from '../support/processes/appProcess.ts';
import { canary, startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { checkInvariants } from '../support/stores/invariants.ts';
import { startOwnMongo, type OwnMongo } from '../support/stores/ownMongo.ts';
import { bound } from '../support/machine.ts';
import { createResultTable, inSeconds, isFull } from '../support/resultTable.ts';
import { until } from '../support/until.ts';

const table = createResultTable();
let mongo: OwnMongo;
let lab: FaultLab;

beforeAll(async () => {
  mongo = await startOwnMongo();
  lab = await startFaultLab({ MONGODB_URI: mongo.uri });
});
afterEach(() => lab.reset());
afterAll(async () => {
  mongo.thaw();
  table.print();
  await lab.close();
  await mongo.close();
});

const accept = (workMs: number) =>
  acceptJob(standInJobs.makeEffect, {
    organization: 'organization',
    subject: { type: 'space', id: 'none' },
    startedBy: 'somebody',
    permission: 'space.edit',
    input: { workMs },
  });

describe('F16: a MongoDB that is frozen for longer than a lease', () => {
  it('ends no run: each job has its effect once, and no crash is counted', { timeout: 120_000 }, async () => {
    await Promise.all([lab.start('worker-maintenance'), lab.start(standInWorker)]);
    const { leaseMs } = lab.config.jobs;
    // Of those that run at once some end while it is frozen, and some after it.
    const jobs = await Promise.all([0.6, 1.2, 2.4, 4].map((leases) => accept(leases * leaseMs)));
    for (const { _id } of jobs) await lab.waitFor(_id, ({ state }) => state !== 'queued');
    await mongo.freeze();
    const outageMs = 2.5 * leaseMs;
    // The length of the outage itself, not a wait for an effect.
    await delay(outageMs);
    mongo.thaw();
    const resumedMs = Date.now();
    for (const { _id } of jobs) {
      const { crashes, attempts } = await lab.waitFor(_id, 'succeeded', 60_000);
      expect(attempts.map(({ outcome }) => outcome)).not.toContain('crashed');
      expect(crashes).toBe(0);
    }
    const doneMs = Date.now() - resumedMs;
    expect(await mongoDatabase().collection(effectCollection).countDocuments()).toBe(jobs.length);
    await checkInvariants(
      lab,
      jobs.map(({ _id }) => _id),
    );
    // A worker that dies afterwards is found as soon as usual.
    const dying = lab.apps.find(({ name }) => name === standInWorker)!;
    const { _id } = await accept(60_000);
    await lab.waitFor(_id, 'running');
    dying.signal('SIGKILL');
    expect(await lab.waitFor(_id, 'queued')).toMatchObject({
      crashes: 1,
      attempts: [{ outcome: 'crashed' }],
    });
    table.add({
      fault: 'F16 MongoDB frozen',
      runs: 1,
      result: `${jobs.length} of ${jobs.length} once, 0 crashes counted`,
      measured: `frozen for ${inSeconds(outageMs)}, all done ${inSeconds(doneMs)} later`,
      goal: '0 crashes',
    });
  });
});

describe('F16: a MongoDB that is away for longer', () => {
  const awayMs = isFull ? 60_000 : 8_000;

  it(`is reported by /readyz, and used again after ${inSeconds(awayMs)}`, { timeout: 180_000 }, async () => {
    const environment = async () => ({
      BINDERY_WORKER_HEALTH_PORT: String(await freePort(undefined, '127.0.0.1')),
    });
    const [ofGit, ofMaintenance] = [await environment(), await environment()];
    const [api] = await Promise.all([
      lab.start('api'),
      lab.start('worker-git', { environment: ofGit }),
      lab.start('worker-maintenance', { environment: ofMaintenance }),
    ]);
    const ports = [api.port, ofGit.BINDERY_WORKER_HEALTH_PORT, ofMaintenance.BINDERY_WORKER_HEALTH_PORT];
    const statusOf = async (path: string) =>
      Promise.all(ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}${path}`)).status));
    const { url } = await lab.gitServer.createRepository('away.git', { 'README.md': '# Small\n' });
    const spaces = await Promise.all([lab.newSpace(), lab.newSpace()]);
    const isReady = async () => (await statusOf('/readyz')).every((status) => status === 200);
    await until('readiness', isReady);

    await mongo.freeze();
    const frozenMs = performance.now();
    await until('refusal of /readyz', async () =>
      (await statusOf('/readyz')).every((status) => status === 503),
    );
    const toldMs = performance.now() - frozenMs;
    expect(await statusOf('/healthz')).toEqual([200, 200, 200]);
    // The length of the outage itself, not a wait for an effect.
    await delay(Math.max(0, awayMs - (performance.now() - frozenMs)));
    expect(await statusOf('/readyz')).toEqual([503, 503, 503]);
    mongo.thaw();
    const thawedMs = performance.now();
    await until('readiness', isReady);
    const readyMs = performance.now() - thawedMs;
    const remote = { url: url.replace('//', `//somebody:${canary}@`), ref: 'refs/heads/main' };
    const ids = await Promise.all(
      spaces.map(async ({ _id }) => {
        const response = await lab.call(api, 'POST', `/spaces/${_id}/git/import`, remote);
        expect(response.status).toBe(204);
        return response.headers.get('x-job-id') ?? '';
      }),
    );
    for (const id of ids) await lab.waitFor(id, 'succeeded');
    const backMs = performance.now() - thawedMs;
    expect(lab.apps.map((app) => app.hasEnded())).toEqual([false, false, false]);
    table.add({
      fault: `F16 MongoDB frozen for ${inSeconds(awayMs)}: API, git and maintenance worker`,
      runs: 1,
      result: '/readyz 503, /healthz 200; the same processes go on',
      measured: `told ${inSeconds(toldMs)} after its begin; ready ${inSeconds(readyMs)}, imports done ${inSeconds(backMs)} after its end`,
      goal: 'told <= 5 s, back <= 10 s',
    });
    expect(toldMs).toBeLessThan(bound(5_000));
    expect(backMs).toBeLessThan(bound(10_000));
    await checkInvariants(lab, ids);
  });
});
