import type { JobRecord } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectExportedOnce, newSubject, stateOf } from '../support/git/exportSubjects.ts';
import { startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { checkInvariants } from '../support/stores/invariants.ts';
import { createResultTable, isFull } from '../support/resultTable.ts';

const all = [
  'job.claimed',
  'git_export.refs_read',
  'git_export.trees_read',
  'git_export.tree_built',
  'git_export.committed',
  'git_export.noted',
  'git_export.pushed',
  'job.finishing',
];
const points = isFull ? all : all.slice(-4);
const runsOfAll = isFull ? 5 : 1;
/**
 * Long enough that no worker is taken for dead that is only slow: each point is to freeze one run of one job.
 */
const leaseMs = 5_000;
const oneAtATime = { BINDERY_WORKER_CONCURRENCY: '1' };

let lab: FaultLab;
let names = 0;
const table = createResultTable();

beforeAll(async () => {
  lab = await startFaultLab({ BINDERY_JOB_LEASE_MS: String(leaseMs) });
  if (!isFull) console.log('F7: one run at four points here, five at each of eight with BINDERY_FAULTS=full');
});
afterEach(() => lab.reset());
afterAll(async () => {
  table.print();
  await lab.close();
});

describe('F7: a worker that is frozen in an export for longer than its lease', () => {
  it(
    'writes nothing when it wakes, at any point of the export',
    { timeout: 180_000 * runsOfAll },
    async () => {
      for (let run = 0; run < runsOfAll; run += 1) {
        await lab.start('worker-maintenance');
        const subjects = await Promise.all(points.map(() => newSubject(lab)));
        const frozen = await Promise.all(
          points.map((point) =>
            lab.start('worker-git', { fault: `${point}:1:freeze`, environment: oneAtATime }),
          ),
        );
        const jobs = await Promise.all(
          subjects.map(({ space, repository }) => lab.export(space, repository.url)),
        );
        for (const { _id } of jobs) await lab.waitFor(_id, 'running');
        const other = await lab.start('worker-git');
        const ended: JobRecord[] = [];
        for (const { _id } of jobs)
          // Also what it owed is told and kept.
          ended.push(
            await lab.waitFor(_id, ({ state, outcome }) => state === 'succeeded' && outcome === 'kept'),
          );
        for (const job of ended) expect(job).toMatchObject({ epoch: 2, crashes: 1 });
        const heads = await Promise.all(subjects.map(({ repository }) => repository.oid('main')));
        const states = await Promise.all(subjects.map(({ space }) => stateOf(space)));
        other.signal('SIGTERM');
        await other.ended;
        for (const worker of frozen) worker.signal('SIGCONT');
        // They are alive and well when they do other jobs, one each; by then they have long tried what they
        // were about to write.
        const later = await Promise.all(
          points.map(async () =>
            lab.export(
              await lab.newSpace(),
              (await lab.gitServer.createRepository(`later${(names += 1)}.git`, {})).url,
            ),
          ),
        );
        for (const { _id } of later) await lab.waitFor(_id, 'succeeded');
        for (const worker of frozen) worker.signal('SIGTERM');
        expect(await Promise.all(frozen.map((worker) => worker.ended))).toEqual(points.map(() => 0));
        for (const [index, subject] of subjects.entries()) {
          expect(await lab.find(jobs[index]!._id)).toEqual(ended[index]);
          expect(await stateOf(subject.space)).toEqual(states[index]);
          expect(await subject.repository.oid('main')).toBe(heads[index]);
          await expectExportedOnce(subject, ended[index]!);
        }
        await checkInvariants(
          lab,
          [...jobs, ...later].map(({ _id }) => _id),
        );
        await lab.reset();
      }
      for (const point of points)
        table.add({
          fault: `F7 ${point}`,
          runs: runsOfAll,
          result: 'one commit',
          measured: '0 writes with the old epoch',
          goal: '0 writes',
        });
    },
  );
});
