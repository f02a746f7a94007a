import { openQueues } from '@bindery/jobs';
import { jobCollection, type JobRecord } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  expectExportedOnce,
  newSubject,
  spaceNow,
  type ExportSubject,
} from '../support/git/exportSubjects.ts';
import { startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { checkInvariants } from '../support/stores/invariants.ts';
import { startOwnRedis, type OwnRedis } from '../support/stores/ownRedis.ts';
import { createResultTable, inMilliseconds, inSeconds, isFull } from '../support/resultTable.ts';
import { until } from '../support/until.ts';
import { bound } from '../support/machine.ts';

const count = isFull ? 20 : 8;

let redis: OwnRedis;
let lab: FaultLab;
let names = 0;
const table = createResultTable();

beforeAll(async () => {
  if (!isFull) console.log('F8, F9: 8 exports here, 20 with BINDERY_FAULTS=full');
  redis = await startOwnRedis();
  lab = await startFaultLab({ REDIS_URL: redis.url, BINDERY_WORKER_CONCURRENCY: '2' });
});
afterEach(async () => {
  delete lab.gitServer.options.latencyMs;
  await lab.reset({ keep: ['worker-maintenance', 'worker-git'] });
});
afterAll(async () => {
  table.print();
  await lab.close();
  await redis.close();
});

/** Exports of as many spaces into empty repositories, of which two run at a time and none is done at once. */
async function acceptExports(): Promise<{ subjects: ExportSubject[]; jobs: JobRecord[] }> {
  lab.gitServer.options.latencyMs = 30;
  const subjects = await Promise.all(
    Array.from({ length: count }, async () => ({
      space: await lab.newSpace(),
      repository: await lab.gitServer.createRepository(`redis${(names += 1)}.git`, {}),
    })),
  );
  await Promise.all([lab.start('worker-maintenance'), lab.start('worker-git')]);
  const jobs = await Promise.all(subjects.map(({ space, repository }) => lab.export(space, repository.url)));
  const inState = (state: JobRecord['state']) => jobCollection().countDocuments({ state });
  await until(
    'export that is done while others run and wait',
    async () => (await inState('succeeded')) > 0 && (await inState('running')) > 0,
  );
  return { subjects, jobs };
}

async function expectAllOnce({ subjects, jobs }: Awaited<ReturnType<typeof acceptExports>>): Promise<void> {
  for (const [index, { _id }] of jobs.entries())
    await expectExportedOnce(subjects[index]!, await lab.waitFor(_id, 'succeeded'));
  await checkInvariants(
    lab,
    jobs.map(({ _id }) => _id),
  );
}

const left = () => jobCollection().countDocuments({ state: { $ne: 'succeeded' } });

/**
 * @returns in words how soon the next export began and all were done; the latter is a matter of the
 *   processors
 */
async function measureFrom(startedMs: number, waiting: number): Promise<{ nextMs: number; words: string }> {
  const began = () => jobCollection().countDocuments({ startedAt: { $gt: new Date(startedMs) } });
  await until('export that begins', async () => (await began()) > 0, { timeoutMs: 30_000 });
  const nextMs = Date.now() - startedMs;
  await until('end of all exports', async () => (await left()) === 0, { timeoutMs: 60_000, everyMs: 50 });
  return {
    nextMs,
    words: `next begins after ${inSeconds(nextMs)}, ${waiting} left done after ${inSeconds(Date.now() - startedMs)}`,
  };
}

describe(`Redis goes away while ${count} exports run and wait`, { timeout: 120_000 }, () => {
  it.each(['killed, and started again with its file', 'emptied'])('%s', async (how) => {
    const accepted = await acceptExports();
    if (how === 'emptied') await lab.redis.flushall();
    else {
      await redis.kill();
      const killedMs = performance.now();
      await until('end of the outage', () => performance.now() - killedMs > 1_000);
      await redis.start();
    }
    const { nextMs, words } = await measureFrom(Date.now(), await left());
    await expectAllOnce(accepted);
    const fault = `${how === 'emptied' ? 'F9' : 'F8'} Redis ${how}`;
    table.add({
      fault,
      runs: 1,
      result: `${count}/${count} one commit`,
      measured: words,
      goal: 'goes on <= 15 s, 0 lost, 0 double',
    });
    expect(nextMs).toBeLessThan(bound(15_000));
  });
});

it('F13: an export that is delivered four times makes one commit', { timeout: 60_000 }, async () => {
  await Promise.all([lab.start('worker-maintenance'), lab.start('worker-git'), lab.start('worker-git')]);
  const subject = await newSubject(lab);
  lab.gitServer.options.latencyMs = 150;
  const job = await lab.export(subject.space, subject.repository.url);
  const queue = openQueues().find(({ name }) => name === 'git')!;
  const copy = (jobId: string) => queue.add('job', { id: job._id, dispatch: job.dispatch }, { jobId });
  await lab.waitFor(job._id, 'running');
  const copies = [await copy('while-running'), await copy('again')];
  const ended = await lab.waitFor(
    job._id,
    ({ state, outcome }) => state === 'succeeded' && outcome === 'kept',
  );
  const { revision } = await spaceNow(subject.space);
  copies.push(await copy('after-the-end'));
  const tookMs: number[] = [];
  for (const { id } of copies) {
    const acknowledged = await until('acknowledgement', async () => {
      const found = await queue.getJob(id!);
      return found?.finishedOn ? found : undefined;
    });
    tookMs.push(acknowledged.finishedOn! - acknowledged.processedOn!);
  }
  expect(await lab.find(job._id)).toEqual(ended);
  expect((await spaceNow(subject.space)).revision).toBe(revision);
  await expectExportedOnce(subject, ended);
  await checkInvariants(lab, [job._id]);
  table.add({
    fault: 'F13 export delivered four times',
    runs: 1,
    result: 'one commit',
    measured: `copies acknowledged in ${inMilliseconds(Math.max(...tookMs))}`,
    goal: '< 100 ms',
  });
});
