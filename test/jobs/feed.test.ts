import { openJobFeed, type JobFeed } from '@bindery/jobs';
import { jobCollection } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startJobLab, type JobLab } from '../support/jobLab.ts';
import { bound } from '../support/machine.ts';

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

describe('watching a job', () => {
  it('shows its changes as they happen, the present state first', async () => {
    const released = Promise.withResolvers<void>();
    const { _id } = await lab.accept('watched');
    const states: string[] = [];
    let firstMs: number | undefined;
    const startedMs = performance.now();
    for await (const _ of feed.watch(_id, AbortSignal.timeout(10_000), 60_000)) {
      firstMs ??= performance.now() - startedMs;
      const { state } = await lab.find(_id);
      if (state !== states.at(-1)) states.push(state);
      if (states.length === 1)
        await lab.startWorker(async (_name, run) => {
          run.progress('half-way');
          await released.promise;
        });
      if (state === 'running') released.resolve();
      if (state === 'succeeded') break;
    }
    expect(states).toEqual(['queued', 'running', 'succeeded']);
    expect(firstMs).toBeLessThan(bound(100));
  });

  it('joins changes that come while the watcher looks', async () => {
    const { _id } = await lab.accept('busy');
    const channel = `${lab.config.redis.prefix}:jobs`;
    let looks = 0;
    for await (const _ of feed.watch(_id, AbortSignal.timeout(400), 60_000)) {
      looks += 1;
      if (looks > 1) continue;
      for (let change = 0; change < 50; change += 1) await lab.redis.publish(channel, JSON.stringify({ id: _id, type: 'changed' }));
    }
    expect(looks).toBeGreaterThanOrEqual(2);
    expect(looks).toBeLessThan(10);
  });

  it('ends when the watcher leaves, also when it had left before', async () => {
    const { _id } = await lab.accept('left');
    let looks = 0;
    for await (const _ of feed.watch(_id, AbortSignal.abort())) looks += 1;
    expect(looks).toBe(0);
    const leaving = new AbortController();
    for await (const _ of feed.watch(_id, leaving.signal, 60_000)) leaving.abort();
  });

  it('passes over texts on its channel that are none of ours', async () => {
    const { _id } = await lab.accept('noise');
    const channel = `${lab.config.redis.prefix}:jobs`;
    let looks = 0;
    for await (const _ of feed.watch(_id, AbortSignal.timeout(5_000), 60_000)) {
      looks += 1;
      if (looks === 2) break;
      for (const text of ['', 'null', '{"id":', '{"id":7,"type":"changed"}', '[]', JSON.stringify({ id: _id, type: 'changed' })])
        await lab.redis.publish(channel, text);
    }
    expect(looks).toBe(2);
  });

  it('finds a change that nobody announced at its next look', async () => {
    const { _id } = await lab.accept('silent');
    let looks = 0;
    for await (const _ of feed.watch(_id, AbortSignal.timeout(5_000), 50)) {
      looks += 1;
      if ((await lab.find(_id)).state === 'failed') break;
      await jobCollection().updateOne({ _id }, { $set: { state: 'failed' } });
    }
    expect(looks).toBe(2);
  });
});
