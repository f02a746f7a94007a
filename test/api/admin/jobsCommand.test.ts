import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { continueReplays, openQueues } from '@bindery/jobs';
import {
  jobCollection,
  JobLimit,
  jobLimitId,
  JobReplay,
  KindPause,
  Lease,
  OperatorAction,
  WorkerEntry,
  type JobLimitRecord,
  type WorkerRecord,
} from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildJob } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { bound } from '../../support/machine.ts';

type Result = { code: number; output: string; json: any }; // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it

const error = {
  class: 'auth',
  code: 'auth',
  message: 'No https://me:hunter2secret@example.org\u001B[31m.',
} as const;

/** Runs `bindery jobs` in a process of its own, on the stores of this test. */
const it = base.extend(
  'jobs',
  ({ api: _started }) =>
    (...args: string[]): Promise<Result> =>
      runJobs(args),
);

async function runJobs(args: readonly string[], environment: Record<string, string> = {}): Promise<Result> {
  const env = { ...process.env, ...environment };
  return new Promise((resolve) => {
    const command = ['apps/cli/src/main.ts', 'jobs', ...args];
    execFile(process.execPath, command, { env }, (failure, stdout, stderr) => {
      const code = typeof failure?.code === 'number' ? failure.code : 0;
      const json = args.includes('--json') && stdout !== '' ? JSON.parse(stdout) : undefined;
      resolve({ code, output: stdout + stderr, json });
    });
  });
}

describe('bindery jobs', () => {
  it('lists and shows jobs, without secrets and without control characters', async ({ jobs, space }) => {
    const failed = await buildJob(space, { state: 'failed', error });
    await buildJob(space, { state: 'succeeded' });
    const listed = await jobs('list', '--subject', space._id, '--state', 'failed', '--json');
    expect([listed.code, listed.json]).toEqual([
      0,
      [expect.objectContaining({ id: failed._id, state: 'failed' })],
    ]);
    const table = await jobs('list', '--subject', space._id, '--limit', '1');
    expect([table.code, table.output.split('\n').length]).toEqual([0, 3]);
    const shown = await jobs('show', failed._id);
    expect(shown.output).toMatch(/^state +failed$/m);
    for (const { output } of [listed, table, shown]) {
      expect(output).not.toContain('hunter2secret');
      expect(output).not.toContain('\u001B');
    }
    expect((await jobs('show', failed._id, '--json')).json).toMatchObject({ _id: failed._id, log: [] });
  });

  it(
    'does not wait for a hanging Redis, and the doctor reports it',
    { timeout: bound(60_000) },
    async ({ space }) => {
      const job = await buildJob(space, { state: 'failed', error });
      const hanging = createServer().listen(0, '127.0.0.1');
      await once(hanging, 'listening');
      const REDIS_URL = `redis://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
      const [listed, found] = await Promise.all([
        runJobs(['list', '--subject', space._id], { REDIS_URL }),
        runJobs(['doctor'], { REDIS_URL }),
      ]);
      hanging.close();
      expect(listed.output).toContain(job._id);
      expect(found).toMatchObject({ code: 1, output: expect.stringMatching(/^FIX {2}Redis /m) });
    },
  );

  it('refuses unknown subcommands, states and ids', async ({ jobs }) => {
    for (const [args, message] of [
      [[], 'needs one of list'],
      [['nothing'], 'needs one of list'],
      [['list', '--state', 'x'], '--state must be one of'],
      [['replay', '--state', 'running'], '--state must be one of failed, timed_out, cancelled'],
      [['show'], 'needs the id of one job'],
      [['show', 'nothing'], 'There is no job with the id nothing.'],
      [['replay', '--start', 'nothing'], 'There is no such replay'],
    ] as const) {
      const { code, output } = await jobs(...args);
      expect([args, code, output]).toEqual([args, 1, expect.stringContaining(message)]);
    }
  });

  it('watches a job to its end, and exits with 1 when the job failed', async ({ jobs, space }) => {
    const job = await buildJob(space, { state: 'running', progress: { stage: 'fetch', done: 1, total: 2 } });
    const watching = jobs('watch', job._id);
    await jobCollection().updateOne({ _id: job._id }, { $set: { state: 'failed', error } });
    expect(await watching).toMatchObject({ code: 1, output: expect.stringContaining('failed: auth') });
    await jobCollection().updateOne({ _id: job._id }, { $set: { state: 'succeeded' } });
    expect((await jobs('watch', job._id)).code).toBe(0);
  });

  it('retries a job, and names the reason when it cannot', async ({ jobs, space }) => {
    const job = await buildJob(space, { state: 'failed', error });
    expect((await jobs('retry', job._id, '--json')).json).toEqual({ id: job._id, state: 'queued' });
    expect((await jobCollection().findOne({ _id: job._id }))?.dispatch).toBe(2);
    const again = await jobs('retry', job._id);
    expect([again.code, again.output]).toEqual([1, expect.stringContaining('this one is queued')]);
    expect(await OperatorAction.find({ target: job._id }).sort({ at: 1 }).lean()).toMatchObject([
      { operator: expect.stringMatching(/^cli:/), action: 'retry', outcome: 'done' },
      { action: 'retry', outcome: expect.stringContaining('this one is queued') },
    ]);
  });

  it('prepares a replay, and runs exactly its jobs', async ({ jobs, space }) => {
    const failed = await buildJob(space, { state: 'failed', error });
    const prepared = await jobs('replay', '--subject', space._id);
    expect(prepared.output).toContain('1 jobs would run again. Nothing has run yet.');
    const id = /--start (\w+)/.exec(prepared.output)?.[1] ?? '';
    const later = await buildJob(space, { state: 'failed', error });
    expect((await jobs('replay', '--start', id)).code).toBe(0);
    await continueReplays();
    const states = await Promise.all(
      [failed, later].map(async ({ _id }) => (await jobCollection().findOne({ _id }))?.state),
    );
    expect(states).toEqual(['queued', 'failed']);
    await JobReplay.deleteMany({});
  });
});

describe('bindery jobs limits', () => {
  it('sets, shows and clears limits, and explains invalid arguments', async ({ jobs, organization }) => {
    const of = ['--organization', organization._id];
    expect((await jobs('limits')).output).toContain('No limit is set');
    expect((await jobs('limits', 'set', 'git-import', '2', '--per', 'process')).code).toBe(0);
    const { output, code } = await jobs('limits', 'set', 'git-import', '0', ...of);
    expect([code, output]).toEqual([0, expect.stringMatching(/^git-import in each process +2 +cli:/m)]);
    const shown = await jobs('limits', 'clear', 'git-import', ...of, '--json');
    expect(shown.json).toMatchObject([{ limit: 'git-import in each process', jobs: '2' }]);
    for (const [args, message] of [
      [['set', 'git-import', '1'], 'Name the scope of the limit'],
      [['set', 'git-import', '1', '--per', 'process', ...of], 'Name the scope of the limit'],
      [['raise', 'git-import', '1'], 'takes [set <kind> <number> | clear <kind>]'],
      [['set', 'git-improt', '1', '--per', 'process'], 'There is no kind of job git-improt.'],
      [['set', 'git-import', '0', '--per', 'process'], 'pause the kind'],
    ] as const) {
      const refused = await jobs('limits', ...args);
      expect([args, refused.code, refused.output]).toEqual([args, 1, expect.stringContaining(message)]);
    }
    expect((await jobs('limits', 'clear', 'git-import', '--per', 'process')).output).toContain(
      'No limit is set',
    );
  });
});

describe('bindery jobs doctor', () => {
  it('reports no problem, then names each problem with its remedy', async ({ jobs, space }) => {
    await jobCollection().deleteMany({});
    for (const queue of openQueues()) await queue.obliterate({ force: true });
    await KindPause.deleteMany({});
    const soon = new Date(Date.now() + 60_000);
    const longAgo = new Date(Date.now() - 600_000);
    await Lease.updateOne({ _id: 'sweeper' }, { $set: { holder: 'x', until: soon } }, { upsert: true });
    const well = await jobs('doctor', '--json');
    // The disk is that of this machine.
    const found = well.json as { check: string; findings: unknown[] }[];
    expect(found.filter(({ check, findings }) => check !== 'Disk' && findings.length > 0)).toEqual([]);

    await Lease.updateOne({ _id: 'sweeper' }, { $set: { until: longAgo } });
    await KindPause.create({ _id: 'git-export', pausedBy: 'somebody', pausedAt: longAgo });
    await JobLimit.create(noneOf(space.organization, longAgo));
    await WorkerEntry.create(workerWithClock(10_000));
    await buildJob(space, { state: 'running', leaseUntil: longAgo });
    const orphan = await buildJob(space, { dispatchedAt: longAgo });
    for (const queue of openQueues()) await queue.obliterate({ force: true });
    const { code, output } = await jobs('doctor');
    expect(code).toBe(1);
    for (const problem of [
      /^FIX  Clocks +the clock of worker worker-1 is 1\d\.\d s ahead of MongoDB's$/m,
      /^FIX  Sweeper +it has not swept since/m,
      /^FIX  Workers +git-export is paused since .* by somebody; 0 jobs wait$/m,
      /^FIX  Workers +1 jobs of git-import wait, and no live worker runs this kind$/m,
      /^FIX  Limits +the limit of git-export of \w+ is 0 since .* by somebody; 0 jobs wait$/m,
      /`bindery jobs limits clear git-export --organization \w+`/,
      /^FIX  Runs +1 jobs run whose lease ended more than a minute ago$/m,
      /^FIX  Queues +1 queued jobs have no entry in the queue git$/m,
      /^ok   Redis +nothing is wrong$/m,
    ])
      expect(output).toMatch(problem);

    // An entry without a record, as after a restore of MongoDB.
    await openQueues()[0]!.add('job', {}, { jobId: 'j-gone-1' });
    await jobCollection().deleteOne({ _id: orphan._id });
    expect((await jobs('doctor')).output).toContain('1 entries of the queue git have no job');
    await WorkerEntry.deleteMany({});
    await KindPause.deleteMany({});
    await JobLimit.deleteMany({});
    await Lease.deleteMany({});
  });
});

function noneOf(organization: string, setAt: Date): JobLimitRecord {
  const place = { kind: 'git-export', per: 'organization', organization } as const;
  return { _id: jobLimitId(place), ...place, limit: 0, setBy: 'somebody', setAt };
}

function workerWithClock(aheadMs: number): WorkerRecord {
  const now = new Date();
  return {
    _id: 'worker-1',
    app: 'worker-pdf',
    queues: ['pdf'],
    kinds: [{ kind: 'space-pdf', version: 1 }],
    host: 'host-1',
    pid: 7,
    concurrency: 1,
    running: 0,
    runs: [],
    clockAt: new Date(now.getTime() + aheadMs),
    startedAt: now,
    seenAt: now,
    toldAt: now,
    expireAt: new Date(now.getTime() + 600_000),
  };
}
