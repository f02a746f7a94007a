import { acceptJob } from '@bindery/jobs';
import { jobCollection, mongoDatabase } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { effectCollection, standInJobs } from '../fixtures/standInWorker/jobs.ts';
import { standInWorker } from '../support/processes/appProcess.ts';
import { startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { checkInvariants } from '../support/stores/invariants.ts';
import { createResultTable } from '../support/resultTable.ts';
import { until } from '../support/until.ts';

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

const accept = (input: { workMs: number; endsItsWorker?: 'signal' }) =>
  acceptJob(standInJobs.makeEffect, {
    organization: 'organization',
    subject: { type: 'space', id: 'none' },
    startedBy: 'somebody',
    permission: 'space.edit',
    input,
  });

describe('F6: a job that ends every worker that runs it', () => {
  it('is given up, and the jobs that ran beside it succeed', { timeout: 60_000 }, async () => {
    await mongoDatabase().collection(effectCollection).deleteMany({});
    await lab.start('worker-maintenance');
    const beside = await Promise.all([1, 2, 3].map(() => accept({ workMs: 900 })));
    const poison = await accept({ workMs: 600, endsItsWorker: 'signal' });
    let deaths = 0;
    // As the launcher does: a worker that died is started again.
    const supervised = (async () => {
      while ((await (await lab.start(standInWorker)).ended) === 'SIGKILL') deaths += 1;
    })();
    const ended = await lab.waitFor(poison._id, 'failed');
    expect(ended).toMatchObject({ error: { code: 'quarantined' }, crashes: 3 });
    for (const { _id } of beside) await lab.waitFor(_id, 'succeeded');
    expect(await mongoDatabase().collection(effectCollection).countDocuments()).toBe(beside.length);
    expect(await jobCollection().countDocuments({ crashes: { $gt: 2 } })).toBe(1);
    await until(
      'worker after the third death',
      () => deaths === 3 && lab.apps.at(-1)!.name === standInWorker && !lab.apps.at(-1)!.hasEnded(),
    );
    await checkInvariants(lab, [poison._id, ...beside.map(({ _id }) => _id)]);
    table.add({
      fault: 'F6 poison beside three others',
      runs: 1,
      result: 'poison quarantined, the others once',
      measured: `${deaths} workers ended`,
      goal: '<= 3 workers',
    });
    lab.apps.at(-1)!.signal('SIGTERM');
    await supervised;
  });
});
