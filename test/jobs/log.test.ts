import { isDeepStrictEqual } from 'node:util';
import { readLog, readLogPart, retryJob } from '@bindery/jobs';
import {
  jobCollection,
  jobLogCollection,
  upgradeRecords,
  type JobLogLine,
  type JobRecord,
} from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { claimJob } from '../../packages/jobs/src/state/claims.ts';
import { endRun, renewLease, writeReport } from '../../packages/jobs/src/state/transitions.ts';
import { until } from '../support/until.ts';
import { startJobLab, testJobs, type JobLab } from '../support/processes/jobLab.ts';
import { findLoggedJob, type LoggedJob } from '../support/processes/loggedJob.ts';
import { oplogDuring } from '../support/stores/oplog.ts';

let lab: JobLab;

beforeAll(async () => {
  lab = await startJobLab();
});
afterEach(() => lab.reset());
afterAll(() => lab.close());

const long = 'x'.repeat(1_000);

/** A job that this test runs. */
async function running(): Promise<JobRecord> {
  const { _id, dispatch } = await lab.accept('logged');
  const known = [{ kind: testJobs.work.kind, version: 1 }];
  const claim = await claimJob(
    { id: _id, dispatch },
    { worker: 'test', known, deadlineMs: () => 60_000, leaseMs: 60_000 },
  );
  if ('refused' in claim) throw new Error(`The claim was refused: ${claim.refused}.`);
  return claim.job;
}

/** Writes a report with so many lines, numbered from `first`. */
async function tell({ _id, epoch }: JobRecord, count: number, first = 0): Promise<boolean> {
  const log = Array.from({ length: count }, (_, n) => ({
    at: new Date(),
    level: 'info' as const,
    message: `${first + n} ${long}`,
  }));
  return writeReport(_id, epoch, { log, logDropped: 0 });
}

/** Loads the job once all its writes are on the disk, where every reader sees them. */
async function settled({ _id, epoch }: JobRecord): Promise<LoggedJob> {
  await renewLease(_id, epoch, 60_000);
  return findLoggedJob(_id);
}

const numbers = (lines: readonly JobLogLine[]) => lines.map(({ message }) => Number(message.split(' ')[0]));
const upTo = (end: number, start = 0) => Array.from({ length: end - start }, (_, n) => start + n);

describe('the log of a job', () => {
  it('writes no more than the added line, also when it is full', async () => {
    const job = await running();
    for (let first = 0; first < 1_000; first += 250) await tell(job, 250, first);
    const lines = 40;
    const bytes = await oplogDuring(async () => {
      for (let n = 0; n < lines; n += 1) await tell(job, 1, 1_000 + n);
    });
    // Each line adds its text, the fields around it, and the counts of the record.
    expect(bytes / lines).toBeLessThan(2_000);
    expect(bytes / lines).toBeGreaterThan(1_000);
    const { log, logDropped } = await settled(job);
    expect(numbers(log)).toEqual(upTo(1_000 + lines, lines));
    expect(logDropped).toBe(lines);
  });

  it('keeps no more than a block beyond the newest thousand lines', async () => {
    const job = await running();
    for (let first = 0; first < 3_000; first += 300) await tell(job, 300, first);
    const { log, logDropped } = await settled(job);
    const blocks = await jobLogCollection().find({ job: job._id }).toArray();
    expect(blocks.flatMap(({ lines }) => lines).length).toBeLessThanOrEqual(1_032);
    expect(numbers(log)).toEqual(upTo(3_000, 2_000));
    expect(logDropped).toBe(2_000);
  });

  it('gives each line the seq of the write that added it', async () => {
    const job = await running();
    for (let n = 0; n < 5; n += 1) await tell(job, 20, 20 * n);
    const now = await settled(job);
    expect(now.seq).toBe(job.seq + 5);
    expect(now.log.map(({ seq }) => seq - job.seq)).toEqual(
      upTo(100).map((line) => 1 + Math.floor(line / 20)),
    );
    // The job as it was read before does not show later lines.
    expect(numbers(await readLog({ ...now, seq: now.seq - 2, logLines: 60 }))).toEqual(upTo(60));
  });

  it('is read in parts from any seq on', async () => {
    const job = await running();
    for (let n = 0; n < 12; n += 1) await tell(job, 100, 100 * n);
    const now = await settled(job);
    for (const since of [0, job.seq + 2, job.seq + 5, now.seq - 1, now.seq]) {
      const lines: JobLogLine[] = [];
      for (let from: number | undefined = 0; from !== undefined;) {
        const part: Awaited<ReturnType<typeof readLogPart>> = await readLogPart(now, {
          since,
          from,
          maxBlocks: 2,
        });
        expect(part.lines.length).toBeLessThanOrEqual(64);
        expect(part.lines.length > 0 || part.next === undefined).toBe(true);
        lines.push(...part.lines);
        from = part.next;
      }
      expect(lines).toEqual(now.log.filter(({ seq }) => seq > since));
    }
  });

  it('accepts no line from a run that has lost its job', async () => {
    const job = await running();
    await jobCollection().updateOne({ _id: job._id }, { $inc: { epoch: 1 } });
    expect(await tell(job, 5)).toBe(false);
    expect(await jobLogCollection().countDocuments({ job: job._id })).toBe(0);
  });

  it('expires with its job, and is kept longer when the job is run again', async () => {
    const job = await running();
    await tell(job, 100);
    await endRun(job, { state: 'failed', error: { class: 'invalid', code: 'limit', message: 'No.' } });
    const { expireAt } = await findLoggedJob(job._id);
    const times = () => jobLogCollection().distinct('expireAt', { job: job._id });
    // Written without waiting for the journal, and read from what a majority has.
    await until('time of the lines', async () => isDeepStrictEqual(await times(), [expireAt]));
    await retryJob(job._id);
    await until('later time of the lines', async () => (await times()).every((time) => time > expireAt!));
  });

  it('contains its last lines as soon as the job shows its end', async () => {
    await lab.startWorker(async (name, run) => {
      run.log('info', `the last words of ${name}`);
      return { result: { name }, publish: async () => {} };
    });
    const ids: string[] = [];
    for (let n = 0; n < 10; n += 1) ids.push((await lab.accept(`job ${n}`))._id);
    for (const id of ids) expect((await lab.waitFor(id, 'succeeded')).log).toHaveLength(1);
  });
});

describe('jobs of an earlier version that keep their log in their record', () => {
  const line = (n: number): JobLogLine => ({
    seq: 2,
    at: new Date(0),
    level: 'info',
    message: `${n} ${long}`,
  });
  const old = (count: number) => ({ log: upTo(count).map(line), logDropped: 7 });

  async function asBefore({ _id }: Pick<JobRecord, '_id'>, fields: object): Promise<void> {
    await jobCollection().updateOne({ _id }, { $set: fields, $unset: { logLines: '' } } as object);
  }

  it('are upgraded, by any number of processes at once', async () => {
    const [full, none] = [await running(), await running()];
    await asBefore(full, { ...old(1_000), seq: 5 });
    await asBefore(none, { log: [], logDropped: 0 });
    await Promise.all([upgradeRecords(), upgradeRecords(), upgradeRecords()]);
    expect(await findLoggedJob(full._id)).toMatchObject({
      logLines: 1_000,
      logDropped: 7,
      log: old(1_000).log,
    });
    expect(await findLoggedJob(none._id)).toMatchObject({ logLines: 0, logDropped: 0, log: [] });
    expect(await jobCollection().countDocuments({ log: { $exists: true } } as object)).toBe(0);
    await tell(full, 10, 1_000);
    const now = await settled(full);
    expect(numbers(now.log)).toEqual(upTo(1_010, 10));
    expect(now.logDropped).toBe(17);
  });

  it('keep the order of their lines when a run has added lines before the upgrade', async () => {
    const job = await running();
    await asBefore(job, { ...old(50), seq: 5 });
    await tell(job, 40, 50);
    await upgradeRecords();
    expect(numbers((await findLoggedJob(job._id)).log)).toEqual(upTo(90));
  });
});
