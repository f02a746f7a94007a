import { setTimeout as delay } from 'node:timers/promises';
import { acceptJob } from '@bindery/jobs';
import { mongoDatabase } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { effectCollection, standInJobs } from '../fixtures/standInWorker/jobs.ts';
import { standInWorker } from '../support/processes/appProcess.ts';
import { startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { checkInvariants } from '../support/stores/invariants.ts';
import { startOwnMongo, type OwnMongo } from '../support/stores/ownMongo.ts';
import { createResultTable, inSeconds } from '../support/resultTable.ts';

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
  it('ends no run: each job has its effect once, and nobody has crashed', { timeout: 120_000 }, async () => {
    await Promise.all([lab.start('worker-maintenance'), lab.start(standInWorker)]);
    const { leaseMs } = lab.config.jobs;
    // Of those that run at once some end while it is frozen, and some after it.
    const jobs = await Promise.all([0.6, 1.2, 2.4, 4].map((leases) => accept(leases * leaseMs)));
    for (const { _id } of jobs) await lab.waitFor(_id, ({ state }) => state !== 'queued');
    mongo.freeze();
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
