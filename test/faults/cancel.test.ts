import { GitRepository, PageDocument, Revision, Space, type SpaceRecord } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { areGone, childrenOf, type AppProcess } from '../support/processes/appProcess.ts';
import { rareSweeps, startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { fixtureRepository } from '../support/fixtureRepository.ts';
import { checkInvariants } from '../support/stores/invariants.ts';
import { createResultTable, inSeconds } from '../support/resultTable.ts';
import { until } from '../support/until.ts';
import { bound } from '../support/machine.ts';

let lab: FaultLab;
let api: AppProcess;
const table = createResultTable();
let made = 0;

beforeAll(async () => {
  lab = await startFaultLab(rareSweeps);
});
afterEach(() => lab.reset({ keep: ['api', 'worker-maintenance', 'worker-git'] }));
afterAll(async () => {
  table.print();
  await lab.close();
});

const requested = (kind: 'info' | 'fetch') => lab.gitServer.requests.some((request) => request.kind === kind);

type Stage = {
  name: string;
  /** Holds the import there: in the worker for a moment, or for as long as it takes at the git server. */
  fault?: string;
  hold?: () => void;
  isThere: (job: string, space: SpaceRecord) => Promise<boolean> | boolean;
};

const stages: Stage[] = [
  {
    name: 'claimed',
    fault: 'job.claimed:1:delay-400',
    isThere: async (job) => (await lab.find(job)).state === 'running',
  },
  {
    name: 'reading refs',
    hold: () => lab.gitServer.faults.set('info', { delayMs: Number.POSITIVE_INFINITY }),
    isThere: () => requested('info'),
  },
  {
    name: 'fetching',
    hold: () => lab.gitServer.faults.set('fetch', { dripBytes: 1 }),
    isThere: () => requested('fetch'),
  },
  {
    name: 'files stored',
    fault: 'git_import.files_stored:1:delay-400',
    isThere: async () => (await PageDocument.countDocuments()) > 1,
  },
  {
    name: 'revision built',
    fault: 'git_import.revision_written:1:delay-400',
    isThere: async (_, space) => (await GitRepository.exists({ space: space._id })) !== null,
  },
  {
    name: 'finishing',
    fault: 'job.finishing:1:delay-400',
    isThere: async (_, space) => (await GitRepository.exists({ space: space._id })) !== null,
  },
];

async function prepare(fault?: string): Promise<{ worker: AppProcess; space: SpaceRecord; url: string }> {
  // A repository and documents of its own, so that nothing of it is stored already.
  made += 1;
  const repository = await lab.gitServer.createRepository(`cancelled-${made}.git`, fixtureRepository());
  await repository.commit({ 'README.md': `# Guide ${made}\n` });
  await PageDocument.deleteMany({});
  lab.gitServer.requests.length = 0;
  const [started, , worker] = await Promise.all([
    lab.start('api'),
    lab.start('worker-maintenance'),
    lab.start('worker-git', { ...(fault !== undefined && { fault }) }),
  ]);
  api = started;
  return { worker, space: await lab.newSpace(), url: repository.url };
}

/** @returns how long it took from the request to the API until the job was cancelled */
async function cancel(job: string): Promise<number> {
  const startedMs = performance.now();
  const response = await lab.call(api, 'POST', `/jobs/${job}/cancel`);
  expect(response.status).toBe(200);
  await lab.waitFor(job, 'cancelled');
  return performance.now() - startedMs;
}

async function expectUntouched(space: SpaceRecord): Promise<void> {
  expect(await Space.findById(space._id).lean()).toEqual(Space.hydrate(space).toObject());
  expect(await Revision.countDocuments({ space: space._id })).toBe(1);
}

describe('an import that is cancelled by another process', () => {
  it.each(stages)(
    'while $name ends within a second and leaves the space as it was',
    async ({ name, fault, hold, isThere }) => {
      const { space, url } = await prepare(fault);
      hold?.();
      const job = await lab.import(space, url);
      await until(`import that is ${name}`, () => isThere(job._id, space));
      const tookMs = await cancel(job._id);
      table.add({
        fault: `cancel while ${name}`,
        runs: 1,
        result: 'cancelled, space unchanged',
        measured: inSeconds(tookMs),
        goal: '<= 1 s',
      });
      expect(tookMs).toBeLessThan(bound(1_000));
      await expectUntouched(space);
      lab.gitServer.faults.clear();
      // The worker is free for the next one, in the same lane.
      const next = await lab.import(space, url);
      await lab.waitFor(next._id, 'succeeded');
      await checkInvariants(lab, [job._id, next._id]);
    },
  );

  it('kills its reading process when that process is frozen', async () => {
    const { worker, space, url } = await prepare();
    lab.gitServer.faults.set('fetch', { dripBytes: 1 });
    const job = await lab.import(space, url);
    await until('transfer', () => requested('fetch'));
    const reading = childrenOf(worker.pid);
    expect(reading.length).toBeGreaterThan(0);
    for (const { pid } of reading) process.kill(pid, 'SIGSTOP');
    const tookMs = await cancel(job._id);
    await until('end of the reading process', () => areGone(reading));
    table.add({
      fault: 'cancel while the child is frozen',
      runs: 1,
      result: 'child killed, space unchanged',
      measured: inSeconds(tookMs),
      goal: '<= 10 s',
    });
    expect(tookMs).toBeLessThan(bound(10_000));
    await expectUntouched(space);
    await checkInvariants(lab, [job._id]);
  });
});
