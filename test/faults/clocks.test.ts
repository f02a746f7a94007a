import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { databaseTime, mongoDatabase, Space, type SpaceRecord } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { acceptJob } from '@bindery/jobs';
import { effectCollection, standInJobs } from '../fixtures/standInWorker/jobs.ts';
import { standInWorker, type AppName } from '../support/processes/appProcess.ts';
import { canary, startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { bound } from '../support/machine.ts';
import { createResultTable, inSeconds } from '../support/resultTable.ts';
import { checkInvariants } from '../support/stores/invariants.ts';
import { until } from '../support/until.ts';

/** Five leases of these tests, as far as the clocks of two machines may be apart. */
const shiftMs = 5_000;
const preload = pathToFileURL(join(import.meta.dirname, '../fixtures/shiftedClock.ts')).href;
const retentionMs = 7 * 24 * 60 * 60 * 1_000;

let lab: FaultLab;
const table = createResultTable();

beforeAll(async () => {
  lab = await startFaultLab();
});
afterEach(() => lab.reset());
afterAll(async () => {
  table.print();
  await lab.close();
});

/** Starts an app whose clock differs from those of the stores. */
function startShifted(name: AppName, byMs: number, environment: Record<string, string> = {}) {
  return lab.start(name, {
    environment: {
      NODE_OPTIONS: `--import=${preload}`,
      TEST_CLOCK_SHIFT_MS: String(byMs),
      ...environment,
    },
  });
}

const effects = () => mongoDatabase().collection(effectCollection);

describe('F31: processes with clocks 5 s fast and 5 s slow', () => {
  it('take no job from each other, and retry failed ones', { timeout: 120_000 }, async () => {
    await effects().deleteMany({});
    await Promise.all([-shiftMs, shiftMs].map((byMs) => startShifted('worker-maintenance', byMs)));
    const workers = await Promise.all([-shiftMs, shiftMs].map((byMs) => startShifted(standInWorker, byMs)));
    const { leaseMs } = lab.config.jobs;
    const accept = (input: { workMs: number; failures?: number }) =>
      acceptJob(standInJobs.makeEffect, {
        organization: 'organization',
        subject: { type: 'space', id: 'none' },
        startedBy: 'somebody',
        permission: 'space.edit',
        input,
      });
    const long = await Promise.all(Array.from({ length: 6 }, () => accept({ workMs: 3 * leaseMs })));
    const failing = await Promise.all(Array.from({ length: 4 }, () => accept({ workMs: 10, failures: 1 })));
    for (const { _id } of long)
      expect(await lab.waitFor(_id, 'succeeded', 60_000)).toMatchObject({ epoch: 1, crashes: 0 });
    const latenessMs: number[] = [];
    for (const { _id } of failing) {
      const { crashes, attempts } = await lab.waitFor(_id, 'succeeded', 60_000);
      expect([crashes, attempts.length]).toEqual([0, 2]);
      latenessMs.push(attempts[1]!.startedAt.getTime() - attempts[0]!.endedAt!.getTime());
    }
    expect(await effects().countDocuments()).toBe(long.length + failing.length);
    expect(workers.map((app) => app.isUntouched())).toEqual([true, true]);
    table.add({
      fault: 'F31 two workers and two maintenance workers, 5 s fast and slow',
      runs: 1,
      result: `${long.length} of ${long.length} jobs of 3 leases by their first worker; ${failing.length} retried`,
      measured: `retried ${inSeconds(Math.max(...latenessMs))} after the failure at most`,
      goal: 'no lease theft',
    });
    // Due times are those of MongoDB, so a retry is late by both differences at most.
    expect(Math.max(...latenessMs)).toBeLessThan(bound(2 * shiftMs + 2_000));
    await checkInvariants(
      lab,
      [...long, ...failing].map(({ _id }) => _id),
    );
  });

  it('accept imports, and start them at once', { timeout: 120_000 }, async () => {
    const { url } = await lab.gitServer.createRepository('small.git', { 'README.md': '# Small\n' });
    const apis = await Promise.all([-shiftMs, shiftMs].map((byMs) => startShifted('api', byMs)));
    await Promise.all([
      startShifted('worker-git', -shiftMs),
      startShifted('worker-git', shiftMs),
      startShifted('worker-maintenance', shiftMs),
    ]);
    const ids: string[] = [];
    for (const api of [...apis, ...apis]) {
      const space = await lab.newSpace();
      const response = await lab.call(api, 'POST', `/spaces/${space._id}/git/import`, {
        url: url.replace('//', `//somebody:${canary}@`),
        ref: 'refs/heads/main',
      });
      expect(response.status).toBe(204);
      ids.push(response.headers.get('x-job-id') ?? '');
    }
    const waitsMs: number[] = [];
    for (const id of ids) {
      const { createdAt, startedAt, epoch } = await lab.waitFor(id, 'succeeded', 30_000);
      expect(epoch).toBe(1);
      waitsMs.push(startedAt!.getTime() - createdAt.getTime());
    }
    table.add({
      fault: 'F31 two APIs and two git workers, 5 s fast and slow',
      runs: 1,
      result: `${ids.length} of ${ids.length} imports by their first worker`,
      measured: `started after ${inSeconds(Math.max(...waitsMs))} at most`,
      goal: 'at once',
    });
    expect(Math.max(...waitsMs)).toBeLessThan(bound(3_000));
    // Both are times of MongoDB.
    expect(Math.min(...waitsMs)).toBeGreaterThan(-500);
    await checkInvariants(lab, ids);
  });

  it('keep a deleted space until the end of its retention time', { timeout: 120_000 }, async () => {
    const [fast, slow] = await Promise.all([shiftMs, -shiftMs].map((byMs) => startShifted('api', byMs)));
    const space = await lab.newSpace();
    /** The time in which this test may still read and restore the space. */
    const restMs = Math.min(15_000, bound(3_000));
    await startShifted('worker-maintenance', shiftMs, { BINDERY_PURGE_INTERVAL_MS: '100' });
    const deletedAt = new Date((await databaseTime()).getTime() - retentionMs + restMs);
    await Space.updateOne({ _id: space._id }, { $set: { isDeleted: true, deletedAt } });
    const endsMs = deletedAt.getTime() + retentionMs;
    const statusAt = async (api: typeof fast) => (await lab.call(api!, 'GET', `/spaces/${space._id}`)).status;
    const seen: { leftMs: number; record: SpaceRecord | null; statuses: number[] }[] = [];
    await until(
      'purge of the space',
      async () => {
        const [statuses, record] = await Promise.all([
          Promise.all([statusAt(fast), statusAt(slow)]),
          Space.findById(space._id).lean<SpaceRecord>(),
        ]);
        // Read last: the answers above are of an earlier moment.
        seen.push({ leftMs: endsMs - (await databaseTime()).getTime(), record, statuses });
        return record === null;
      },
      { timeoutMs: restMs + 20_000 },
    );
    const before = seen.filter(({ leftMs }) => leftMs > 0);
    expect(before.length).toBeGreaterThan(0);
    expect(before.filter(({ record }) => !record || record.purgeStartedAt)).toEqual([]);
    expect(before.flatMap(({ statuses }) => statuses).filter((status) => status !== 200)).toEqual([]);
    table.add({
      fault: 'F31 purge by a maintenance worker 5 s fast',
      runs: 1,
      result: 'not before the 7 days are over; readable by its admin until then',
      measured: `gone ${inSeconds(-seen.at(-1)!.leftMs)} after them`,
      goal: 'no early purge',
    });
  });
});
