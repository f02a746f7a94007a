import { JobError } from '@bindery/contract';
import { cancelJob, publishSyncEvents, retryJob, Superseded } from '@bindery/jobs';
import {
  jobCollection,
  OutboxEvent,
  type OrganizationRecord,
  type OutboxEventRecord,
  type SpaceRecord,
} from '@bindery/models';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endLostRun } from '../../packages/jobs/src/state/transitions.ts';
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
  await OutboxEvent.deleteMany({});
  space = await buildSpace(organization);
});
afterEach(async () => {
  await lab.reset();
});
afterAll(() => lab.close());

const result = syncResult;
const accept = (options?: Parameters<typeof acceptImport>[1]) => acceptImport(space, options);
const work = (how: Parameters<typeof startImporting>[1]) => startImporting(lab, how);

/** The published events in order: the type, and the state of an end. */
async function told(): Promise<string[]> {
  await publishSyncEvents();
  return (await events()).map(
    ({ type, data }) => `${type.replace('space_gitsync_', '')}${'state' in data ? ` ${data.state}` : ''}`,
  );
}

const events = () => OutboxEvent.find().sort({ createdAt: 1 }).lean<OutboxEventRecord[]>();
const success = ['started', 'completed success'];
const failure = ['started', 'completed failure'];

describe('the events of a git sync', () => {
  it('report its start and its end', async () => {
    await work(async () => ({ result }));
    const job = await accept();
    const { startedAt, finishedAt } = await lab.waitFor(job._id, 'succeeded');
    expect(await told()).toEqual(success);
    const common = { organization: organization._id, space: space._id, fannedOutAt: null };
    expect(await events()).toMatchObject([
      { ...common, _id: `${job._id}-started-1`, createdAt: startedAt, data: { revisionId: space.revision } },
      {
        ...common,
        createdAt: finishedAt,
        data: { revisionId: 'the-new-revision', commitId: 'c0ffee', state: 'success' },
      },
    ]);
    expect(await told()).toEqual(success);
    expect((await lab.find(job._id)).events).toEqual({ isOpen: false, owed: [] });
  });

  it('report the start while the sync still runs', async () => {
    await work(untilAborted);
    const job = await accept();
    await lab.waitFor(job._id, 'running');
    expect(await told()).toEqual(['started']);
  });

  it('report a failure with the current revision of the space', async () => {
    await work(async () => Promise.reject(new JobError('auth', 'Wrong password.')));
    await lab.waitFor((await accept())._id, 'failed');
    expect(await told()).toEqual(failure);
    expect((await events())[1]!.data).toEqual({ revisionId: space.revision, state: 'failure' });
  });

  it('report several attempts once', async () => {
    let attempts = 0;
    await work(async () => {
      attempts += 1;
      if (attempts === 1) throw new JobError('connect', 'Not there.');
      return { result };
    });
    await lab.waitFor((await accept())._id, 'succeeded');
    expect(attempts).toBe(2);
    expect(await told()).toEqual(success);
  });

  it('report a superseded sync as a success, at its start or at its last write', async () => {
    let runs = 0;
    await work(async () => {
      runs += 1;
      if (runs === 1) return { state: 'superseded', message: 'Too late.' };
      return { result, publish: () => Promise.reject(new Superseded('Too late.')) };
    });
    await lab.waitFor((await accept())._id, 'superseded');
    await lab.waitFor((await accept())._id, 'superseded');
    expect(await told()).toEqual([...success, ...success]);
  });

  it('report a cancel as a failure, while the sync runs and while it waits for a retry', async () => {
    let runs = 0;
    await work(async (run) => {
      runs += 1;
      if (runs > 1) throw new JobError('throttled', 'Later.', { retryAfterMs: 60_000 });
      return untilAborted(run);
    });
    const running = await accept();
    await lab.waitFor(running._id, 'running');
    await cancelJob(running._id);
    await lab.waitFor(running._id, 'cancelled');
    const waiting = await accept();
    await lab.waitFor(waiting._id, ({ state, attempts }) => state === 'queued' && attempts.length === 1);
    await cancelJob(waiting._id);
    expect(await told()).toEqual([...failure, ...failure]);
  });

  it('report a failure of a run whose worker died, when its job is given up or times out', async () => {
    const job = await accept();
    await claimImport(job);
    await jobCollection().updateOne({ _id: job._id }, { $set: { leaseUntil: new Date(0), crashes: 2 } });
    lab.startSweeper();
    await lab.waitFor(job._id, 'failed');
    const late = await accept();
    await claimImport(late);
    await jobCollection().updateOne(
      { _id: late._id },
      { $set: { leaseUntil: new Date(0), deadlineAt: new Date(0) } },
    );
    await lab.waitFor(late._id, 'timed_out');
    expect(await told()).toEqual([...failure, ...failure]);
  });

  it('report each manual retry', async () => {
    let runs = 0;
    await work(async () => {
      runs += 1;
      if (runs === 1) throw new JobError('auth', 'Wrong password.');
      return { result };
    });
    const job = await accept();
    await lab.waitFor(job._id, 'failed');
    await retryJob(job._id);
    await lab.waitFor(job._id, 'succeeded');
    expect(await told()).toEqual([...failure, ...success]);
  });
});

describe('no sync event is published', () => {
  it('for a job that never ran', async () => {
    await cancelJob((await accept())._id);
    const replaced = await accept();
    await accept({ supersedes: 'unstarted' });
    expect((await lab.find(replaced._id)).state).toBe('superseded');
    expect(await told()).toEqual([]);
  });

  it('for a standalone import or a dry run', async () => {
    await work(async () => ({ result }));
    for (const input of [{ standalone: true }, { dryRun: true }])
      await lab.waitFor((await accept(input))._id, 'succeeded');
    expect(await told()).toEqual([]);
  });

  it('by a run that has lost its job', async () => {
    const job = await accept();
    await claimImport(job);
    expect(await endLostRun({ job: { _id: job._id, epoch: 7 }, isCrash: true }, { state: 'failed' })).toBe(
      false,
    );
    expect(await told()).toEqual(['started']);
  });

  it('twice when a process dies between the outbox and the job, or several publish at once', async () => {
    await work(async () => ({ result }));
    const job = await accept();
    const { events: owed } = await lab.waitFor(job._id, 'succeeded');
    await Promise.allSettled([publishSyncEvents(), publishSyncEvents(), publishSyncEvents()]);
    await jobCollection().updateOne({ _id: job._id }, { $set: { events: owed! } });
    await OutboxEvent.updateMany({}, { $set: { fannedOutAt: new Date(0) } });
    expect(await told()).toEqual(success);
    expect((await events()).every(({ fannedOutAt }) => fannedOutAt?.getTime() === 0)).toBe(true);
  });
});
