import { globSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { JobError } from '@bindery/contract';
import { explainWaiting, hasLiveWorker, outputVersionsOf, workerQueues, workerStates } from '@bindery/jobs';
import { FailingApp, forgetFailingApp, jobCollection, noteFailingApp, WorkerEntry } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startJobLab, untilAborted, type JobLab } from '../support/processes/jobLab.ts';

let lab: JobLab;

beforeAll(async () => {
  lab = await startJobLab();
});
afterEach(() => lab.reset());
afterAll(() => lab.close());

const explain = async (id: string) => explainWaiting(await lab.find(id));

describe('the reason why a job waits', () => {
  it('is that no worker serves its queue', async () => {
    const { _id } = await lab.accept('early');
    expect(await explain(_id)).toEqual({
      position: 1,
      reason: 'no_worker',
      message: expect.stringContaining('No worker for test-work is running'),
    });
    expect(await hasLiveWorker({ queue: 'maintenance', kind: 'test-work' })).toBe(false);
  });

  it('is not the limit of its organization for another kind', async () => {
    const strict = await startJobLab({ BINDERY_KIND_PER_ORGANIZATION: 'test-lane=1,test-work=1' });
    await strict.startWorker((_, run) => untilAborted(run));
    const one = await lab.accept('one');
    await lab.waitFor(one._id, 'running');
    await jobCollection().updateOne(
      { _id: one._id },
      { $set: { seats: ['queue:maintenance:0', 'test-work:0'] } },
    );
    const waiting = { ...one, state: 'queued' as const, dispatchedAt: new Date() };
    expect((await explainWaiting(waiting))?.message).toContain('limit of running jobs');
    expect((await explainWaiting({ ...waiting, kind: 'test-lane' }))?.message).not.toContain(
      'limit of running jobs',
    );
    await strict.reset();
    strict.redis.disconnect();
    // The job layer of a process has one configuration.
    lab = await startJobLab();
  });

  it('is that the worker which serves its queue fails', async () => {
    const { _id } = await lab.accept('early');
    await noteFailingApp('worker-maintenance', {
      reason: 'exit code 3',
      deaths: 7,
      pauseMs: 30_000,
      pid: undefined,
    });
    expect(await explain(_id)).toEqual({
      position: 1,
      reason: 'no_worker',
      message: expect.stringMatching(
        /^No worker for test-work is running: worker-maintenance is failing \(exit code 3, 7 deaths in a row, next start in \d\d s\); the job/,
      ),
      until: expect.any(Date),
    });
    await noteFailingApp('worker-maintenance', { reason: '$x', deaths: 1, pauseMs: 0, pid: undefined });
    expect(await explain(_id)).toEqual({
      position: 1,
      reason: 'no_worker',
      message: expect.stringContaining('is failing ($x, 1 death, being started)'),
    });
    await noteFailingApp('worker-maintenance', {
      reason: 'Chromium is being downloaded',
      deaths: 0,
      pauseMs: 60_000,
      pid: undefined,
    });
    expect(await explain(_id)).toEqual({
      position: 1,
      reason: 'no_worker',
      message:
        'No worker for test-work is running: worker-maintenance is not started yet (Chromium is being downloaded); the job starts when one does.',
    });
    await forgetFailingApp('worker-maintenance');
    expect((await explain(_id))?.message).not.toContain('failing');
  });

  it('is its position in the queue', async () => {
    await lab.startWorker((_, run) => untilAborted(run), { concurrency: 1 });
    const running = await lab.accept('running');
    await lab.waitFor(running._id, 'running');
    expect(await explain(running._id)).toBeUndefined();
    const positions = [];
    for (const name of ['first', 'second', 'third'])
      positions.push(await explain((await lab.accept(name))._id));
    expect(positions).toMatchObject([1, 2, 3].map((position) => ({ position, reason: 'queue' })));
  });

  it('is its lane', async () => {
    await lab.startWorker((_, run) => untilAborted(run));
    const first = await lab.accept('first', { lane: 'x' });
    await lab.waitFor(first._id, 'running');
    const second = await lab.accept('second', { lane: 'x' });
    expect(await explain(second._id)).toEqual({ reason: 'lane', message: expect.any(String) });
  });

  it('is its next attempt', async () => {
    await lab.startWorker(async () => {
      throw new JobError('connect', 'No answer.', { retryAfterMs: 30_000 });
    });
    const job = await lab.waitFor((await lab.accept('again'))._id, ({ runAfter }) => runAfter);
    expect(await explain(job._id)).toMatchObject({ reason: 'retry', until: job.runAfter });
  });

  it('is that Redis has not received it', async () => {
    await lab.startWorker((_, run) => untilAborted(run), { concurrency: 1 });
    await lab.waitFor((await lab.accept('running'))._id, 'running');
    const { _id } = await lab.accept('owed');
    await jobCollection().updateOne(
      { _id },
      { $set: { createdAt: new Date(Date.now() - 10_000), dispatchedAt: null }, $inc: { dispatch: 1 } },
    );
    expect(await explain(_id)).toMatchObject({ reason: 'dispatch' });
  });

  it('is missing for a job that has ended', async () => {
    await lab.startWorker(async () => {});
    const { _id } = await lab.accept('done');
    await lab.waitFor(_id, 'succeeded');
    expect(await explain(_id)).toBeUndefined();
  });
});

describe('the register of workers', () => {
  it('does not count a worker whose entry has expired', async () => {
    const worker = await lab.startWorker(async () => {});
    expect(await hasLiveWorker({ queue: 'maintenance', kind: 'test-work' })).toBe(true);
    expect(await hasLiveWorker({ queue: 'maintenance', kind: 'space-pdf' })).toBe(false);
    await WorkerEntry.updateOne({ _id: worker.id }, { $set: { expireAt: new Date(Date.now() - 1) } });
    expect(await hasLiveWorker({ queue: 'maintenance', kind: 'test-work' })).toBe(false);
  });

  it('lists the output versions of the live workers', async () => {
    const kind = { queue: 'maintenance', kind: 'test-work' };
    expect(await outputVersionsOf(kind)).toEqual([]);
    await lab.startWorker(async () => {});
    expect(await outputVersionsOf(kind)).toEqual([]);
    const newer = await lab.startWorker(async () => {}, { outputVersion: 'newer' });
    for (const outputVersion of ['older', 'newer']) await lab.startWorker(async () => {}, { outputVersion });
    expect((await outputVersionsOf(kind)).toSorted()).toEqual(['newer', 'older']);
    expect(await outputVersionsOf({ ...kind, kind: 'space-pdf' })).toEqual([]);
    await WorkerEntry.updateMany({ _id: { $ne: newer.id } }, { $set: { expireAt: new Date(0) } });
    expect(await outputVersionsOf(kind)).toEqual(['newer']);
  });

  it('shows which apps run and which ones fail', async () => {
    const app = 'worker-git';
    const enter = (pid: number) =>
      WorkerEntry.create({
        _id: `${app}-${pid}`,
        app,
        queues: [],
        host: hostname(),
        pid,
        expireAt: new Date(Date.now() + 60_000),
      });
    expect(await workerStates()).toEqual({
      'worker-git': 'no worker is running',
      'worker-maintenance': 'no worker is running',
      'worker-openapi': 'no worker is running',
      'worker-pdf': 'no worker is running',
      'worker-translation': 'no worker is running',
    });
    await Promise.all([enter(1), enter(2)]);
    expect(await workerStates()).toMatchObject({ 'worker-git': 'ok' });
    // A process that died does not count, though its entry would have been good for another while.
    await noteFailingApp(app, { reason: 'SIGKILL', deaths: 1, pauseMs: 0, pid: 2 });
    expect(await workerStates()).toMatchObject({
      // The time of the database, as known here, may be a little behind.
      'worker-git': expect.stringMatching(
        /^1 running, another one failing: SIGKILL, 1 death, (being started|next start in 1 s)$/,
      ),
    });
    await noteFailingApp(app, { reason: 'SIGKILL', deaths: 2, pauseMs: 0, pid: 1 });
    expect(await workerStates()).toMatchObject({
      'worker-git': expect.stringMatching(
        /^failing: SIGKILL, 2 deaths in a row, (being started|next start in 1 s)$/,
      ),
    });
    // Its supervisor is gone too.
    await FailingApp.updateOne({ _id: app }, { $set: { expireAt: new Date(Date.now() - 1) } });
    expect(await workerStates()).toMatchObject({ 'worker-git': 'no worker is running' });
    await FailingApp.deleteMany({});
  });

  it('knows every worker app', () => {
    expect(Object.keys(workerQueues).toSorted()).toEqual(
      globSync('worker-*', { cwd: resolve(import.meta.dirname, '../../apps') }).toSorted(),
    );
  });
});
