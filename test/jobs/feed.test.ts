import { openJobFeed, type JobFeed, type JobSnapshot } from '@bindery/jobs';
import { jobCollection } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findsDuring } from '../support/stores/examined.ts';
import { startJobLab, type JobLab } from '../support/processes/jobLab.ts';
import { bound } from '../support/machine.ts';
import { until } from '../support/until.ts';

let lab: JobLab;
let feed: JobFeed;

beforeAll(async () => {
  lab = await startJobLab();
  feed = openJobFeed(lab.config);
});
afterEach(() => lab.reset());
afterAll(async () => {
  feed.close();
  await lab.close();
});

const soon = () => AbortSignal.timeout(20_000);

/** Follows jobs, and keeps what each follower has seen. */
function followAll(ids: readonly string[]) {
  const seen = ids.map((): JobSnapshot[] => []);
  const leaving = new AbortController();
  const followers = ids.map(async (id, index) => {
    for await (const snapshot of feed.follow(id, leaving.signal)) seen[index]!.push(snapshot);
  });
  return {
    seen,
    allSee: (state: string) =>
      until(`state ${state}`, () => seen.every((states) => states.at(-1)?.job.state === state)),
    leave: async () => {
      leaving.abort();
      await Promise.all(followers);
    },
  };
}

describe('following a job', () => {
  it('yields its changes as they happen, beginning with the current state', async () => {
    const released = Promise.withResolvers<void>();
    const { _id } = await lab.accept('watched');
    const states: string[] = [];
    for await (const { job } of feed.follow(_id, soon())) {
      if (job.state !== states.at(-1)) states.push(job.state);
      if (states.length === 1 && job.seq === 1)
        await lab.startWorker(async (_name, run) => {
          run.progress('half-way');
          await released.promise;
        });
      if (job.state === 'running') released.resolve();
      if (job.state === 'succeeded') break;
    }
    expect(states).toEqual(['queued', 'running', 'succeeded']);
  });

  it('explains why a job waits only to followers that ask for it', async () => {
    const { _id } = await lab.accept('waits');
    const waitsForEnd = feed.follow(_id, soon());
    expect((await waitsForEnd.next()).value).toMatchObject({
      job: { _id, state: 'queued' },
      isExplained: false,
    });
    const { value } = await feed.follow(_id, soon(), { explains: true }).next();
    expect(value).toMatchObject({
      job: { _id, state: 'queued' },
      waiting: { reason: 'no_worker', position: 1 },
    });
    await waitsForEnd.return();
  });

  it('combines changes that arrive while the follower is busy, and delivers the newest', async () => {
    const { _id } = await lab.accept('busy');
    const seqs: number[] = [];
    for await (const { job } of feed.follow(_id, soon())) {
      seqs.push(job.seq);
      if (job.seq === 51) break;
      for (let change = 0; change < 50 && seqs.length === 1; change += 1)
        await jobCollection().updateOne({ _id }, { $inc: { seq: 1 } });
    }
    expect(seqs.length).toBeLessThan(20);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  });

  it('never yields a state older than the one that the follower has already seen', async () => {
    const { _id } = await lab.accept('newer');
    const others = followAll([_id]);
    await others.allSee('queued');
    await jobCollection().updateOne({ _id }, { $inc: { seq: 1 } });
    const { value } = await feed.follow(_id, soon(), { since: 2 }).next();
    expect(value?.job.seq).toBe(2);
    await others.leave();
  });

  it('ends when the follower aborts, before or after the start, and when the job is deleted', async () => {
    const { _id } = await lab.accept('left');
    let looks = 0;
    for await (const _ of feed.follow(_id, AbortSignal.abort())) looks += 1;
    expect(looks).toBe(0);
    const leaving = new AbortController();
    for await (const _ of feed.follow(_id, leaving.signal)) leaving.abort();
    for await (const _ of feed.follow(_id, soon())) await jobCollection().deleteOne({ _id });
    for await (const _ of feed.follow('there is none', soon())) looks += 1;
    expect(looks).toBe(0);
  });

  it('ignores malformed messages on its channel, and polls for changes that were not announced', async () => {
    const { _id } = await lab.accept('noise');
    const channel = `${lab.config.redis.prefix}:jobs`;
    for (const text of ['', 'null', '{"id":', '{"ids":7,"type":"changed"}', '[]'])
      await lab.redis.publish(channel, text);
    const startedMs = performance.now();
    for await (const { job } of feed.follow(_id, soon())) {
      if (job.state === 'failed') break;
      await jobCollection().updateOne({ _id }, { $set: { state: 'failed' }, $inc: { seq: 1 } });
    }
    expect(performance.now() - startedMs).toBeLessThan(bound(2_000));
  });
});

describe('many followers', () => {
  it('of one job cause one read for each change', async () => {
    const { _id } = await lab.accept('shared');
    await jobCollection().updateOne({ _id }, { $set: { state: 'running' } });
    const followers = followAll(Array<string>(300).fill(_id));
    await followers.allSee('running');
    const channel = `${lab.config.redis.prefix}:jobs`;
    const finds = await findsDuring('jobs', async () => {
      await jobCollection().updateOne({ _id }, { $set: { state: 'failed' }, $inc: { seq: 1 } });
      await lab.redis.publish(channel, JSON.stringify({ ids: [_id], type: 'changed' }));
      await followers.allSee('failed');
    });
    const whole = finds.filter(({ command }) => command.projection?.['seq'] === undefined);
    // The announcement, and a poll that came at the same moment.
    expect(whole.length).toBeLessThanOrEqual(2);
    // All have the same object.
    expect(new Set(followers.seen.map((states) => states.at(-1))).size).toBe(1);
    await followers.leave();
  });

  it('of different jobs share their queries, which read only the seq while nothing changes', async () => {
    const jobs = [];
    for (let n = 0; n < 60; n += 1) jobs.push(await lab.accept(`job ${n}`));
    const ids = jobs.map(({ _id }) => _id);
    await jobCollection().updateMany({}, { $set: { state: 'running' } });
    const followers = followAll(ids);
    await followers.allSee('running');
    const quiet = await findsDuring('jobs', async () => {
      const startMs = performance.now();
      await until('some polls', () => performance.now() - startMs > 1_700);
    });
    expect(quiet.length).toBeGreaterThan(0);
    expect(quiet.length).toBeLessThanOrEqual(6);
    expect(quiet.map(({ command }) => command.projection)).toEqual(quiet.map(() => ({ seq: 1 })));
    const finds = await findsDuring('jobs', async () => {
      await jobCollection().updateMany({}, { $set: { state: 'succeeded' }, $inc: { seq: 1 } });
      await followers.allSee('succeeded');
    });
    expect(finds.length).toBeLessThanOrEqual(10);
    await followers.leave();
  });
});
