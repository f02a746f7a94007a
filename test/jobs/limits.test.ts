import {
  clearLimit,
  explainWaiting,
  pauseKind,
  readLimitGauges,
  resumeKind,
  setLimit,
  sweep,
} from '@bindery/jobs';
import { jobCollection, JobLimit, KindPause, OperatorAction, Organization } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startJobLab, untilAborted, type JobLab, type Work } from '../support/processes/jobLab.ts';
import { examinedBy } from '../support/stores/examined.ts';
import { until } from '../support/until.ts';

const kind = 'test-work';
const [one, other] = ['limited-one', 'limited-other'] as const;
const acting = { operator: 'an operator' };
const ofAll = { kind, per: 'organization' } as const;
const ofOne = { ...ofAll, organization: one };
const inProcess = { kind, per: 'process' } as const;

let lab: JobLab;
/** Ends the jobs with these names. */
const ended = new Set<string>();
const untilEnded: Work = async (name, run) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setInterval(() => ended.has(name) && resolve(), 10);
  await Promise.race([promise, untilAborted(run)]).finally(() => clearInterval(timer));
};

beforeAll(async () => {
  lab = await startJobLab();
  await Organization.insertMany(
    [one, other].map((_id) => ({
      _id,
      title: _id,
      emailDomains: [],
      defaultRole: 'read',
      createdAt: new Date(),
    })),
  );
});
afterEach(async () => {
  ended.clear();
  await lab.reset();
  for (const { kind: of, per, organization } of await JobLimit.find().lean())
    await clearLimit({ kind: of, per, ...(organization !== undefined && { organization }) }, acting);
});
afterAll(async () => {
  await Organization.deleteMany({ _id: { $in: [one, other] } });
  await OperatorAction.deleteMany({});
  await lab.close();
});

const accept = async (count: number, organization: string = one) => {
  const jobs = [];
  for (let index = 0; index < count; index += 1)
    jobs.push(await lab.accept(`${organization}${index}`, { organization }));
  return jobs;
};
const running = (organization: string = one) =>
  jobCollection().countDocuments({ organization, state: 'running' });
const untilRunning = (count: number, organization?: string) =>
  until(`${count} running jobs`, async () => (await running(organization)) === count);

describe('a limit for every organization', () => {
  it('ends no running job when it is lowered, and starts none until fewer run', async () => {
    // Without a limit, running jobs hold no seat.
    await lab.startWorker(untilEnded, { concurrency: 8 });
    await accept(4);
    await untilRunning(4);
    await setLimit(ofAll, '2', acting);
    const newcomer = await lab.accept('newcomer', { organization: one });
    expect(await explainWaiting(newcomer)).toMatchObject({
      reason: 'limit',
      message: expect.stringContaining('its limit of running jobs of this kind, 2'),
    });
    await accept(1, other);
    await untilRunning(1, other);
    ended.add(`${one}0`).add(`${one}1`);
    await untilRunning(2);
    // A job of another organization passes the workers after it, and it still waits.
    await lab.accept('passes', { organization: other });
    await untilRunning(2, other);
    expect((await lab.find(newcomer._id)).attempts).toEqual([]);
    ended.add(`${one}2`);
    await lab.waitFor(newcomer._id, 'running');
    expect(await running()).toBe(2);
  });

  it('lets waiting jobs start when it is raised or cleared', async () => {
    await setLimit(ofAll, '1', acting);
    await lab.startWorker(untilEnded, { concurrency: 8 });
    await accept(4);
    await untilRunning(1);
    await setLimit(ofAll, '3', acting);
    await untilRunning(3);
    await clearLimit(ofAll, acting);
    await untilRunning(4);
  });

  it('is overridden by the limit of one organization, also by a higher one', async () => {
    await setLimit(ofAll, '1', acting);
    await setLimit(ofOne, '3', acting);
    await lab.startWorker(untilEnded, { concurrency: 8 });
    await accept(5);
    await accept(3, other);
    await untilRunning(3);
    await untilRunning(1, other);
    await clearLimit(ofOne, acting);
    ended.add(`${one}0`).add(`${one}1`).add(`${one}2`);
    await until('the next', async () => (await running()) === 1);
  });

  it('applies to two workers together while jobs started under an earlier limit end', async () => {
    await setLimit(ofAll, '4', acting);
    for (let worker = 0; worker < 2; worker += 1) await lab.startWorker(untilEnded, { concurrency: 4 });
    await accept(16);
    await untilRunning(4);
    await setLimit(ofAll, '2', acting);
    const most: number[] = [];
    for (let left = 16; left > 0; left -= 1) {
      const jobs = await until('a running job', async () => {
        const found = await jobCollection().find({ state: 'running' }).toArray();
        return found.length > 0 ? found : undefined;
      });
      most.push(jobs.length);
      ended.add(String(jobs[0]!.input['name']));
      await lab.waitFor(jobs[0]!._id, 'succeeded');
    }
    // A claim that waited for a seat when the limit was set may still take one by the earlier limit.
    const obeyed = most.slice(most.findIndex((count) => count <= 2));
    expect([most[0], Math.max(...obeyed)]).toEqual([4, 2]);
    expect(obeyed.length).toBeGreaterThan(8);
  });
});

describe('a limit of 0 of an organization', () => {
  it('holds its jobs back, and they start in order once it is cleared', async () => {
    await setLimit(ofOne, '0', acting);
    const order: string[] = [];
    const first = await lab.startWorker(async (name) => void order.push(name));
    const jobs = await accept(3);
    const free = await lab.accept('free', { organization: other });
    await lab.waitFor(free._id, 'succeeded');
    for (const { _id } of jobs) {
      const aside = await lab.waitFor(_id, ({ waiting }) => waiting?.reason === 'limit');
      expect([aside.state, aside.attempts]).toEqual(['accepted', []]);
      expect(await explainWaiting(aside)).toEqual({
        reason: 'limit',
        message: expect.stringContaining('lets no jobs of this kind run in its organization'),
      });
    }
    // It holds for the next process too, and for the sweeper.
    await first.stop(0);
    await lab.startWorker(async (name) => void order.push(name), { concurrency: 1 });
    await sweep();
    expect(await jobCollection().countDocuments({ 'waiting.reason': 'limit' })).toBe(3);
    await clearLimit(ofOne, acting);
    for (const { _id } of jobs) await lab.waitFor(_id, 'succeeded');
    expect(order).toEqual(['free', `${one}0`, `${one}1`, `${one}2`]);
  });

  it('is lifted by the sweeper when the process that changed it has died', async () => {
    await setLimit(ofOne, '0', acting);
    await lab.startWorker(async () => {});
    const [job] = await accept(1);
    await lab.waitFor(job!._id, ({ waiting }) => waiting?.reason === 'limit');
    // All that the process wrote.
    await JobLimit.updateOne({}, { $set: { limit: 1 } });
    lab.startSweeper();
    await lab.waitFor(job!._id, 'succeeded');
  });

  it('is reported as the reason of a wait only after a pause of the kind', async () => {
    await pauseKind(kind, 'an operator');
    await setLimit(ofOne, '0', acting);
    await lab.startWorker(async () => {});
    const [job] = await accept(1);
    await lab.waitFor(job!._id, ({ waiting }) => waiting?.reason === 'paused');
    await resumeKind(kind);
    await lab.waitFor(job!._id, ({ waiting }) => waiting?.reason === 'limit');
    await KindPause.deleteMany({});
  });

  it('costs a sweep the same with 10 and 10,000 jobs', async () => {
    const [pattern] = await accept(1);
    await setLimit(ofOne, '0', acting);
    const costs: number[] = [];
    for (const count of [10, 10_000]) {
      await jobCollection().deleteMany({});
      await jobCollection().insertMany(
        Array.from({ length: count }, (_, index) => ({
          ...pattern!,
          _id: `job${index}`,
          state: 'accepted' as const,
          waiting: { reason: 'limit' as const, message: 'Limited.' },
        })),
        { ignoreUndefined: true },
      );
      const { documents, keys } = await examinedBy(['jobs'], () => sweep());
      costs.push(documents + keys);
    }
    expect(costs[1]).toBeLessThanOrEqual((costs[0] ?? 0) + 20);
  });
});

describe('a limit per process', () => {
  it('applies to each of two workers, follows changes, and is the reported reason of a wait', async () => {
    for (let worker = 0; worker < 2; worker += 1) await lab.startWorker(untilEnded, { concurrency: 4 });
    await setLimit(inProcess, '1', acting);
    await accept(6);
    await untilRunning(2);
    const last = await lab.accept('last', { organization: one });
    expect(await explainWaiting(last)).toMatchObject({
      reason: 'limit',
      message: 'Each worker runs at most 1 jobs of this kind at once; this one starts when one of them ends.',
    });
    await setLimit(inProcess, '2', acting);
    await untilRunning(4);
    await clearLimit(inProcess, acting);
    await untilRunning(7);
  });
});

describe('a change of a limit', () => {
  it('is refused with a clear message when invalid, and always recorded', async () => {
    await OperatorAction.deleteMany({});
    const refusals = [
      [ofAll, '0', /from 1 to 1000, not "0"/],
      [inProcess, '0', /from 1 to 1000/],
      [ofOne, '-1', /from 0 to 1000, not "-1"/],
      [ofOne, '1.5', /whole number/],
      [ofOne, '1001', /to 1000/],
      [ofOne, '', /not ""/],
      [{ ...ofAll, kind: 'test-wrok' }, '1', /There is no kind of job test-wrok/],
      [{ ...ofAll, organization: 'nobody' }, '1', /no organization with the id nobody/],
    ] as const;
    for (const [place, text, message] of refusals)
      await expect(setLimit(place, text, acting)).rejects.toThrow(message);
    await expect(clearLimit(ofOne, acting)).rejects.toThrow('There is no limit of test-work of limited-one.');
    expect(await JobLimit.countDocuments()).toBe(0);
    await setLimit(ofOne, '5', acting);
    await setLimit(ofOne, '6', acting);
    expect(await JobLimit.find().lean()).toMatchObject([
      { organization: one, limit: 6, setBy: 'an operator' },
    ]);
    const actions = await OperatorAction.find().sort({ at: 1 }).lean();
    expect(actions).toHaveLength(refusals.length + 3);
    expect(actions.at(-1)).toMatchObject({
      action: 'set limit',
      target: 'test-work of limited-one: 6',
      outcome: 'done',
    });
  });

  it('is refused when there are 500 limits already', async () => {
    await JobLimit.insertMany(
      Array.from({ length: 500 }, (_, index) => ({
        _id: `test-work organization ${index}`,
        ...ofAll,
        organization: String(index),
        limit: 1,
        setBy: 'x',
        setAt: new Date(),
      })),
    );
    await expect(setLimit(ofOne, '1', acting)).rejects.toThrow('There are 500 limits already.');
    await JobLimit.deleteMany({});
  });
});

describe('the metrics of limits', () => {
  const values = async () =>
    Object.fromEntries((await readLimitGauges()).map(({ gauge, values: all }) => [gauge.name, all]));

  it('list limits by scope without organizations, and count the jobs that a reached limit holds back', async () => {
    expect(await values()).toEqual({ bindery_jobs_limit: [], bindery_jobs_held_by_limit: [] });
    await lab.startWorker(untilEnded, { concurrency: 8 });
    await setLimit(ofAll, '2', acting);
    await setLimit({ ...ofAll, organization: other }, '0', acting);
    await accept(3);
    await untilRunning(2);
    const [stopped] = await accept(1, other);
    await lab.waitFor(stopped!._id, ({ waiting }) => waiting?.reason === 'limit');
    await lab.accept('elsewhere', { organization: 'elsewhere' });
    await untilRunning(1, 'elsewhere');
    const found = await values();
    expect(found.bindery_jobs_limit).toHaveLength(2);
    expect(found).toEqual({
      bindery_jobs_limit: expect.arrayContaining([
        { labels: { kind, scope: 'organization' }, value: 2 },
        { labels: { kind, scope: 'one_organization' }, value: 0 },
      ]),
      bindery_jobs_held_by_limit: [{ labels: { kind }, value: 2 }],
    });
    await setLimit(inProcess, '3', acting);
    await lab.accept('waits, too', { organization: 'elsewhere' });
    expect((await values()).bindery_jobs_held_by_limit).toEqual([{ labels: { kind }, value: 3 }]);
  });
});
