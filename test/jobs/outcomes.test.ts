import { JobError } from '@bindery/contract';
import {
  cancelJob,
  keepOutcomes,
  lastGitOperationKey,
  oweEarlierOutcomes,
  publishSyncEvents,
  retryJob,
} from '@bindery/jobs';
import {
  jobCollection,
  jobOutcomeCollection,
  OutboxEvent,
  type JobRecord,
  type OrganizationRecord,
  type SpaceRecord,
} from '@bindery/models';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expireJobs } from '../support/stores/expireJobs.ts';
import { buildOrganization, buildSpace } from '../support/factories.ts';
import { startJobLab, untilAborted, type JobLab } from '../support/processes/jobLab.ts';
import { acceptImport, claimImport, startImporting, syncResult } from '../support/git/syncJobs.ts';

let lab: JobLab;
let organization: OrganizationRecord;
let space: SpaceRecord;

beforeAll(async () => {
  lab = await startJobLab();
  ({ organization } = await buildOrganization());
});
beforeEach(async () => {
  await Promise.all([OutboxEvent.deleteMany({}), jobOutcomeCollection().deleteMany({})]);
  space = await buildSpace(organization);
});
afterEach(async () => {
  delete process.env.BINDERY_FAULT;
  await lab.reset();
});
afterAll(() => lab.close());

const result = syncResult;
const accept = (options?: Parameters<typeof acceptImport>[1]) => acceptImport(space, options);
const work = (how: Parameters<typeof startImporting>[1]) => startImporting(lab, how);
const dies = async ({ _id }: JobRecord, fields: Partial<JobRecord>) =>
  jobCollection().updateOne({ _id }, { $set: { leaseUntil: new Date(0), ...fields } });
const ended = (job: JobRecord) => lab.waitFor(job._id, ({ finishedAt }) => finishedAt);
const keptOf = (job: JobRecord) => jobOutcomeCollection().findOne({ job: job._id });
const shown = () => jobOutcomeCollection().findOne({ _id: lastGitOperationKey(space._id) });

const ways: [string, string, () => Promise<JobRecord>][] = [
  [
    'success',
    'succeeded',
    async () => {
      await work(async () => ({ result }));
      return accept();
    },
  ],
  [
    'failure',
    'failed',
    async () => {
      await work(async () => Promise.reject(new JobError('auth', 'Wrong password.')));
      return accept();
    },
  ],
  [
    'a newer event',
    'superseded',
    async () => {
      await work(async () => ({ state: 'superseded', message: 'Too late.' }));
      return accept();
    },
  ],
  [
    'a cancel while it runs',
    'cancelled',
    async () => {
      await work(untilAborted);
      const job = await accept();
      await lab.waitFor(job._id, 'running');
      await cancelJob(job._id);
      return job;
    },
  ],
  [
    'a cancel between two attempts',
    'cancelled',
    async () => {
      await work(async () => Promise.reject(new JobError('throttled', 'Later.', { retryAfterMs: 60_000 })));
      const job = await accept();
      await lab.waitFor(job._id, ({ state, attempts }) => state === 'queued' && attempts.length === 1);
      await cancelJob(job._id);
      return job;
    },
  ],
  [
    'its last crash',
    'failed',
    async () => {
      const job = await accept();
      await claimImport(job);
      await dies(job, { crashes: 2 });
      lab.startSweeper();
      return job;
    },
  ],
  [
    'its deadline, with its worker',
    'timed_out',
    async () => {
      const job = await accept();
      await claimImport(job);
      await dies(job, { deadlineAt: new Date(0) });
      lab.startSweeper();
      return job;
    },
  ],
  [
    'its deadline between two attempts',
    'timed_out',
    async () => {
      const job = await accept();
      await jobCollection().updateOne(
        { _id: job._id },
        { $set: { startedAt: new Date(), deadlineAt: new Date(0) } },
      );
      lab.startSweeper();
      return job;
    },
  ],
];

describe('a job that a resource shows', () => {
  it.each(ways)(
    'keeps its record until its outcome has been copied, when it ends by %s',
    async (_name, state, end) => {
      const job = await ended(await end());
      expect(job).toMatchObject({ state, outcome: 'owed' });
      expect(job).not.toHaveProperty('expireAt');
      while (await publishSyncEvents());
      await keepOutcomes();
      const { expireAt, ...kept } = await lab.find(job._id);
      expect(kept.outcome).toBe('kept');
      expect(expireAt!.getTime() - job.finishedAt!.getTime()).toBe(
        lab.config.jobs.retentionDays * 86_400_000,
      );
      const { startedAt, finishedAt, error } = job;
      const fields = {
        job: job._id,
        organization: organization._id,
        space: space._id,
        state,
        startedAt,
        finishedAt,
        logLines: 0,
        attempts: [],
      };
      expect(await shown()).toMatchObject({ ...fields, ...(error && { error }) });
    },
  );

  it('has no outcome and expires when it never ran', async () => {
    const replaced = await accept();
    const cancelled = await accept({ supersedes: 'unstarted' });
    await cancelJob(cancelled._id);
    expect([(await lab.find(replaced._id)).state, (await lab.find(cancelled._id)).state]).toEqual([
      'superseded',
      'cancelled',
    ]);
    await expireJobs(replaced._id, cancelled._id);
    expect(await jobOutcomeCollection().countDocuments()).toBe(0);
  });

  it('stays until its events have been published', async () => {
    await work(async () => ({ result }));
    const job = await ended(await accept());
    await keepOutcomes();
    expect(await lab.find(job._id)).toMatchObject({
      outcome: 'owed',
      events: { owed: [{ type: 'started' }, { type: 'completed' }] },
    });
    await publishSyncEvents();
    await keepOutcomes();
    expect(await lab.find(job._id)).toMatchObject({ outcome: 'kept', expireAt: expect.any(Date) });
    expect(await OutboxEvent.countDocuments({ space: space._id })).toBe(2);
  });

  it('keeps its outcome although a process dies while copying it', async () => {
    await work(async () => ({ result }));
    const job = await ended(await accept());
    await publishSyncEvents();
    process.env.BINDERY_FAULT = 'outcome.kept:1:throw';
    await expect(keepOutcomes()).rejects.toThrow('Fault at outcome.kept');
    expect(await lab.find(job._id)).toMatchObject({ outcome: 'owed' });
    expect(await shown()).toBeNull();
    delete process.env.BINDERY_FAULT;
    await Promise.all([keepOutcomes(), keepOutcomes(), keepOutcomes()]);
    expect(await lab.find(job._id)).toMatchObject({ outcome: 'kept' });
    expect(await jobOutcomeCollection().countDocuments()).toBe(1);
  });

  it('keeps the outcome of its last end when it is run again', async () => {
    let runs = 0;
    await work(async () => {
      runs += 1;
      if (runs === 1) throw new JobError('auth', 'Wrong password.');
      return { result };
    });
    const job = await ended(await accept());
    await publishSyncEvents();
    await keepOutcomes();
    expect(await shown()).toMatchObject({ state: 'failed' });
    const again = await retryJob(job._id);
    for (const field of ['outcome', 'expireAt']) expect(again).not.toHaveProperty(field);
    await ended(job);
    await expireJobs(job._id);
    expect(await shown()).toMatchObject({ job: job._id, state: 'succeeded', result });
  });

  it('replaces the outcome of an older job but not of a newer one, in any order', async () => {
    await work(async () => ({ result }));
    const older = await ended(await accept());
    const newer = await ended(await accept());
    for (const _id of [newer._id, older._id]) {
      await jobCollection().updateOne({ _id }, { $set: { 'events.owed': [] } });
      await keepOutcomes();
    }
    await jobCollection().updateOne({ _id: older._id }, { $set: { outcome: 'owed' } });
    await keepOutcomes();
    expect(await shown()).toMatchObject({ job: newer._id });
  });

  it('keeps its outcome too when it ended before the platform was upgraded', async () => {
    await work(async () => ({ result }));
    const job = await ended(await accept());
    const expireAt = new Date(Date.now() + 86_400_000);
    await jobCollection().updateOne({ _id: job._id }, { $set: { expireAt }, $unset: { outcome: '' } });
    await oweEarlierOutcomes();
    expect(await lab.find(job._id)).not.toHaveProperty('expireAt');
    await expireJobs(job._id);
    expect(await shown()).toMatchObject({ job: job._id, state: 'succeeded' });
  });
});

it('a job that no resource shows gets its expiry time when it ends', async () => {
  await work(async () => ({ result }));
  const jobs = [await accept({ dryRun: true }), await accept({ standalone: true })];
  await lab.startWorker(async () => {});
  jobs.push(await lab.accept('plain'));
  for (const job of jobs) {
    const end = await ended(job);
    expect(end).not.toHaveProperty('outcome');
    expect(end.expireAt).toBeInstanceOf(Date);
    expect(await keptOf(job)).toBeNull();
  }
  await oweEarlierOutcomes();
  expect(await jobCollection().countDocuments({ outcome: { $exists: true } })).toBe(0);
});
