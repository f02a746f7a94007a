import { acceptJob, explainWaiting } from '@bindery/jobs';
import { jobCollection, mongoDatabase, type JobRecord } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { after, before } from '../fixtures/versionedWorker/jobs.ts';
import type { AppProcess } from '../support/processes/appProcess.ts';
import { startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { createResultTable, inSeconds } from '../support/resultTable.ts';
import { until } from '../support/until.ts';

const table = createResultTable();
const request = {
  organization: 'an-organization',
  subject: { type: 'space', id: 'a-space' },
  startedBy: 'somebody',
  permission: 'space.edit',
} as const;

let lab: FaultLab;
let accepted: JobRecord[] = [];

beforeAll(async () => {
  lab = await startFaultLab();
});
afterEach(async () => {
  accepted = [];
  await mongoDatabase().collection('testEffects').deleteMany({});
  await lab.reset();
});
afterAll(async () => {
  table.print();
  await lab.close();
});

const startWorker = (version: 'old' | 'new') =>
  lab.start('test/fixtures/versionedWorker/main.ts', { environment: { BINDERY_TEST_WORKER: version } });

/** Accepts jobs as the API of either version does. */
async function acceptBoth(count: number): Promise<{ old: JobRecord[]; new: JobRecord[] }> {
  const jobs = { old: [] as JobRecord[], new: [] as JobRecord[] };
  for (let index = 0; index < count; index += 1) {
    jobs.old.push(await acceptJob(before, { ...request, input: { name: `old ${index}` } }));
    jobs.new.push(await acceptJob(after, { ...request, input: { title: `new ${index}` } }));
  }
  accepted.push(...jobs.old, ...jobs.new);
  return jobs;
}

/** Waits until every job has succeeded with one effect, and none had an attempt that failed. */
async function expectAllDone(): Promise<JobRecord[]> {
  for (const { _id } of accepted) await lab.waitFor(_id, 'succeeded', 30_000);
  const effects = await mongoDatabase()
    .collection<{ job: string }>('testEffects')
    .find({} as never)
    .toArray();
  expect(effects.map(({ job }) => job).toSorted()).toEqual(accepted.map(({ _id }) => _id).toSorted());
  const jobs = await jobCollection().find({ kind: before.kind }).toArray();
  const outcomes = new Set(jobs.flatMap(({ attempts }) => attempts.map(({ outcome }) => outcome)));
  outcomes.delete('handed_back');
  expect([...outcomes]).toEqual(['succeeded']);
  return jobs;
}

const stop = async (worker: AppProcess) => {
  worker.signal('SIGTERM');
  expect(await worker.ended).toBe(0);
};

describe('while the platform is upgraded process by process', () => {
  it(
    'no job fails for its version, whether the API or the worker is newer',
    { timeout: 120_000 },
    async () => {
      const startedMs = performance.now();
      const old = await startWorker('old');
      const first = await acceptBoth(20);
      for (const { _id } of first.old) await lab.waitFor(_id, 'succeeded', 30_000);
      // A new API before a new worker: its jobs wait, and both the job and the worker say why.
      const waiting = await lab.waitFor(first.new[0]!._id, (job) => job.waiting?.reason === 'version');
      expect([waiting.attempts, await explainWaiting(waiting)]).toEqual([
        [],
        expect.objectContaining({
          reason: 'version',
          message: expect.stringContaining('needs a newer worker'),
        }),
      ]);
      await until('a line of the worker', () =>
        old.lines.some((line) => line.includes('a job needs a newer version of this worker')),
      );
      // Both workers beside each other, then the new one alone with jobs of an old API.
      const next = await startWorker('new');
      await acceptBoth(20);
      await stop(old);
      await acceptBoth(20);
      const jobs = await expectAllDone();
      const ran = (version: number) =>
        new Set(
          jobs
            .filter((job) => job.version === version)
            .flatMap(({ attempts }) => attempts.map(({ worker }) => worker.slice(0, 'xxx-worker'.length))),
        );
      expect([ran(2), ran(1)]).toEqual([new Set(['new-worker']), new Set(['old-worker', 'new-worker'])]);
      expect(jobs.find(({ _id }) => _id === accepted.at(-21)!._id)?.result).toEqual({
        title: 'old 19, upgraded',
      });
      expect(old.lines.filter((line) => line.includes('needs a newer version'))).toHaveLength(1);
      await stop(next);
      table.add({
        fault: 'F30: rolling upgrade, old and new API and worker in each combination',
        runs: 1,
        result: `${jobs.length} of ${accepted.length} jobs once, none failed`,
        measured: inSeconds(performance.now() - startedMs),
        goal: 'no job failed for its version',
      });
    },
  );

  it('jobs of the new version survive the loss of a new worker', { timeout: 120_000 }, async () => {
    await startWorker('old');
    const next = await startWorker('new');
    await acceptBoth(5);
    next.signal('SIGKILL');
    await next.ended;
    const { new: left } = await acceptBoth(5);
    await lab.waitFor(left[0]!._id, (job) => job.waiting?.reason === 'version');
    await lab.start('worker-maintenance');
    await startWorker('new');
    for (const { _id } of accepted) await lab.waitFor(_id, 'succeeded', 60_000);
  });
});
