import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasProductionLeases, startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { fixtureRepository } from '../support/fixtureRepository.ts';
import { checkInvariants } from '../support/stores/invariants.ts';
import { createResultTable, inSeconds, isFull } from '../support/resultTable.ts';
import { bound } from '../support/machine.ts';

const points = [
  'job.claimed',
  'git_import.refs_read',
  'git_import.pack_indexed',
  'git_import.tree_read',
  'git_import.files_stored',
  'job.logging',
  'git_import.revision_written',
  'job.publishing',
  'job.finished',
];
/** Each test needs a sweeper, and has a worker left that took over from the one that was killed. */
const keep = ['worker-maintenance', 'worker-git'] as const;
const runsAtEach = isFull ? 5 : 1;
/** Beside the normal time. With short leases it is in proportion. */
const goalMs = hasProductionLeases ? 20_000 : 5_000;

let lab: FaultLab;
let url: string;
let normalMs = 1_000;
const table = createResultTable();

beforeAll(async () => {
  lab = await startFaultLab();
  ({ url } = await lab.gitServer.createRepository('fixture.git', fixtureRepository()));
  if (!isFull) console.log('F1: one run at each point here, five with BINDERY_FAULTS=full');
});
afterEach(() => lab.reset({ keep }));
afterAll(async () => {
  table.print();
  await lab.close();
});

describe('F1: a worker that is killed in an import', () => {
  it('takes a normal time without a fault', async () => {
    await Promise.all([lab.start('worker-maintenance'), lab.start('worker-git')]);
    const timesMs = [];
    for (let run = 0; run < 3; run += 1) {
      const job = await lab.import(await lab.newSpace(), url);
      const { finishedAt } = await lab.waitFor(job._id, 'succeeded');
      timesMs.push(finishedAt!.getTime() - job.createdAt.getTime());
    }
    await checkInvariants(lab, []);
    normalMs = Math.max(...timesMs);
    table.add({
      fault: 'F1 none',
      runs: 3,
      result: '3 once',
      measured: `${inSeconds(normalMs)} at most`,
      goal: '-',
    });
  });

  it.each(points)(
    'at %s has one effect',
    async (point) => {
      const timesMs: number[] = [];
      for (let run = 0; run < runsAtEach; run += 1) {
        const [, dying] = await Promise.all([
          lab.start('worker-maintenance'),
          lab.start('worker-git', { fault: `${point}:1:kill` }),
        ]);
        const space = await lab.newSpace();
        const job = await lab.import(space, url);
        expect(await dying.ended).toBe('SIGKILL');
        const killedMs = Date.now();
        await lab.start('worker-git');
        const ended = await lab.waitFor(job._id, 'succeeded');
        timesMs.push(Math.max(0, ended.finishedAt!.getTime() - killedMs));
        const hasCommitted = point === 'job.finished';
        expect(ended).toMatchObject({ epoch: hasCommitted ? 1 : 2, crashes: hasCommitted ? 0 : 1 });
        await checkInvariants(lab, [job._id]);
        await lab.reset({ keep });
      }
      const worstMs = Math.max(...timesMs);
      table.add({
        fault: `F1 ${point}`,
        runs: runsAtEach,
        result: `${timesMs.length} once`,
        measured: `done ${inSeconds(worstMs)} after the kill`,
        goal: `<= ${inSeconds(goalMs)} + normal`,
      });
      expect(worstMs).toBeLessThan(bound(goalMs + normalMs));
    },
    120_000 * runsAtEach,
  );
});

/** Each crash takes a lease, which is longer the busier the machine is. */
const patienceMs = 180_000;

describe('F6: further kills of the same job', { timeout: patienceMs }, () => {
  it('let it succeed after the second kill', async () => {
    await lab.start('worker-maintenance');
    const job = await lab.import(await lab.newSpace(), url);
    for (const point of ['git_import.files_stored', 'job.claimed'])
      expect(await (await lab.start('worker-git', { fault: `${point}:1:kill` })).ended).toBe('SIGKILL');
    await lab.start('worker-git');
    expect(await lab.waitFor(job._id, 'succeeded')).toMatchObject({ crashes: 2, epoch: 3 });
    await checkInvariants(lab, [job._id]);
    table.add({
      fault: 'F6 two kills',
      runs: 1,
      result: 'once',
      measured: 'succeeded at the third run',
      goal: 'ends',
    });
  });

  it('give it up after the third kill, and the next job of the same space runs', async () => {
    await lab.start('worker-maintenance');
    const space = await lab.newSpace();
    const poison = await lab.import(space, url);
    const next = await lab.import(space, url);
    for (const _ of [1, 2, 3])
      expect(await (await lab.start('worker-git', { fault: 'git_import.tree_read:1:kill' })).ended).toBe(
        'SIGKILL',
      );
    const killedMs = Date.now();
    const other = await lab.import(await lab.newSpace(), url);
    await lab.start('worker-git');
    const ended = await lab.waitFor(poison._id, 'failed');
    expect(ended).toMatchObject({ error: { class: 'crash', code: 'quarantined' }, crashes: 3, epoch: 3 });
    expect(new Set(ended.attempts.map(({ worker }) => worker)).size).toBe(3);
    // Its own lane is free once the dead run's lease has ended; nobody else waits for that.
    const waitedMs = async ({ _id }: { _id: string }) =>
      (await lab.waitFor(_id, 'succeeded')).startedAt!.getTime() - killedMs;
    const [nextMs, otherMs] = [await waitedMs(next), await waitedMs(other)];
    expect(otherMs).toBeLessThan(bound(10_000));
    expect(nextMs).toBeLessThan(bound(goalMs));
    await checkInvariants(lab, [poison._id, next._id, other._id]);
    table.add({
      fault: 'F6 three kills',
      runs: 1,
      result: 'quarantined, 3 workers touched',
      measured: `others start ${inSeconds(otherMs)} later, the next of the same space ${inSeconds(nextMs)}`,
      goal: '<= 3 workers, others <= 10 s',
    });
  });
});

describe('F7: a worker that is frozen for longer than its lease', { timeout: patienceMs }, () => {
  it.each(['job.claimed', 'git_import.files_stored', 'job.finishing'])(
    'at %s writes nothing when it wakes',
    async (point) => {
      const [, frozen] = await Promise.all([
        lab.start('worker-maintenance'),
        lab.start('worker-git', { fault: `${point}:1:freeze` }),
      ]);
      const space = await lab.newSpace();
      const job = await lab.import(space, url);
      await lab.waitFor(job._id, 'running');
      await lab.start('worker-git');
      // Also what it owed is told and kept.
      const ended = await lab.waitFor(
        job._id,
        ({ state, outcome }) => state === 'succeeded' && outcome === 'kept',
      );
      expect(ended).toMatchObject({ epoch: 2, crashes: 1 });
      const other = lab.apps.at(-1)!;
      frozen.signal('SIGCONT');
      // It is alive and well when it does another job; by then it has long tried what it was about to write.
      other.signal('SIGTERM');
      await other.ended;
      const later = await lab.import(await lab.newSpace(), url);
      await lab.waitFor(later._id, 'succeeded');
      expect(await lab.find(job._id)).toEqual(ended);
      await checkInvariants(lab, [job._id, later._id]);
      table.add({
        fault: `F7 ${point}`,
        runs: 1,
        result: 'once',
        measured: '0 writes with the old epoch',
        goal: '0 writes',
      });
    },
  );
});
