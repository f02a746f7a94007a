import { cancelJob, openQueues, translationJobs } from '@bindery/jobs';
import { jobCollection, Translation, WorkerEntry, type JobRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { buildSpace } from '../support/factories.ts';
import { buildRevision } from '../support/factories/content.ts';
import { itInNewOrganization } from '../support/it.ts';
import { bound } from '../support/machine.ts';
import { startApp, type AppProcess } from '../support/processes/appProcess.ts';
import { isFull } from '../support/resultTable.ts';
import {
  startEngineServer,
  type EngineMood,
  type EngineServer,
} from '../support/translation/engineServer.ts';
import { until } from '../support/until.ts';

/**
 * They begin at once, and are three times as many as calls that the gate lets through: without it, the first
 * ones alone would be refused more often than all may be. Each takes a second of processor time.
 */
const runs = isFull ? 20 : 12;

let engine: EngineServer;
beforeAll(async () => {
  engine = await startEngineServer(200);
});
afterEach(() => {
  engine.answers.length = 0;
  engine.translated.length = 0;
});
afterAll(() => engine.close());

/** Starts worker processes that share the engine of the tests. */
async function startWorkers(count: number, leaseMs = 10_000): Promise<AppProcess[]> {
  const environment = {
    ...process.env,
    TEST_ENGINE: `test-${newId()}`,
    TEST_ENGINE_URL: engine.url,
    BINDERY_TRANSLATION_CONCURRENCY: '7',
    BINDERY_JOB_LEASE_MS: String(leaseMs),
  };
  const start = async () => startApp('test/fixtures/translationWorker/main.ts', environment);
  return Promise.all(Array.from({ length: count }, start));
}

async function endWorkers(workers: readonly AppProcess[]): Promise<void> {
  for (const worker of workers) worker.signal('SIGKILL');
  await Promise.all(workers.map(({ ended }) => ended));
  await WorkerEntry.deleteMany({});
}

const it = itInNewOrganization
  .extend('workers', { scope: 'file' }, async ({ api: _started }, { onCleanup }) => {
    const workers = await startWorkers(3);
    onCleanup(() => endWorkers(workers));
    return workers;
  })
  /** Translates new spaces, each with eleven texts of its own. @returns the ids of the jobs */
  .extend('translate', ({ api, organization, admin }) => async (count: number): Promise<string[]> => {
    const jobs: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const source = await buildSpace(organization);
      const texts = Array.from({ length: 10 }, (_, line) => `Text ${line} of the space ${source._id}.`);
      await buildRevision(source, {
        pages: [{ id: 'page', title: `Space ${source._id}`, source: `${texts.join('\n\n')}\n` }],
      });
      const { status, text, headers } = await api.call('POST', `/v1/orgs/${organization._id}/translations`, {
        token: admin.token,
        json: { language: 'es', source: { space: source._id, language: 'en' } },
      });
      expect(status, text).toBe(201);
      jobs.push(headers.get('x-job-id')!);
    }
    return jobs;
  })
  .extend('ended', () => async (ids: readonly string[]): Promise<JobRecord[]> => {
    const find = async () =>
      jobCollection()
        .find({ _id: { $in: [...ids] } })
        .toArray();
    await until(
      'end of all runs',
      async () => (await find()).every(({ finishedAt }) => finishedAt !== undefined),
      { timeoutMs: bound(120_000) },
    );
    return find();
  });

/** Answers so for some time after the first call, and then well. */
function badAtFirst(ms: number, bad: EngineMood): () => EngineMood {
  let untilMs: number | undefined;
  return () => (performance.now() < (untilMs ??= performance.now() + ms) ? bad : { status: 200 });
}

describe('an engine that fails many runs in three workers for some seconds', { timeout: 240_000 }, () => {
  it.for([
    { how: '429 with Retry-After', mood: { status: 429, headers: { 'retry-after': '1' } } },
    { how: '429 without Retry-After', mood: { status: 429 } },
    { how: '500', mood: { status: 500 } },
  ])(
    'by $how gets few requests, and all runs succeed once each',
    async ({ mood }, { workers: _started, organization, translate, ended }) => {
      engine.mood = badAtFirst(4_000, mood);
      const queue = openQueues().find(({ name }) => name === translationJobs.runTranslation.queue)!;
      // All runs begin at once.
      await queue.pause();
      const started = await translate(runs);
      await queue.resume();
      const jobs = await ended(started);
      expect(jobs.map(({ state, error }) => [state, error])).toEqual(
        jobs.map(() => ['succeeded', undefined]),
      );
      expect(engine.answers.filter((status) => status !== 200).length).toBeLessThanOrEqual(10);
      expect(engine.mostAtOnce()).toBeLessThanOrEqual(4);
      expect(engine.translated).toHaveLength(runs * 11);
      expect(new Set(engine.translated).size).toBe(runs * 11);
      const translations = await Translation.find({ organization: organization._id }).lean();
      expect(translations.map(({ stats }) => stats.runs)).toEqual(translations.map(() => 1));
    },
  );
});

describe('an engine that asks for a long wait', { timeout: 120_000 }, () => {
  it('gets no further call; its runs free their slots and keep their attempts until they are cancelled', async ({
    api,
    admin,
    translate,
    workers: _started,
  }) => {
    engine.mood = () => ({ status: 429, headers: { 'retry-after': '200' } });
    const jobs = await translate(6);
    const find = async () =>
      jobCollection()
        .find({ _id: { $in: jobs } })
        .toArray();
    await until(
      'retry of all runs',
      async () => (await find()).every(({ state, attempts }) => state === 'queued' && attempts.length === 1),
      { timeoutMs: bound(30_000) },
    );
    for (const job of await find())
      expect(job).toMatchObject({
        tries: 0,
        attempts: [{ outcome: 'retried', error: { class: 'throttled', code: 'throttled' } }],
      });
    const { body } = await api.call('GET', `/v1/jobs/${jobs[0]}`, { token: admin.token });
    const waitMs = new Date(body.waiting.until).getTime() - Date.now();
    expect(waitMs).toBeGreaterThan(150_000);
    expect(waitMs).toBeLessThan(201_000);
    expect(engine.answers.length).toBeLessThanOrEqual(4);
    for (const job of jobs) await cancelJob(job);
    expect((await find()).map(({ state }) => state)).toEqual(jobs.map(() => 'cancelled'));
  });

  it('leaves a waiting run its lease, and the run can be cancelled at once', async ({
    translate,
    ended,
    workers,
  }) => {
    engine.mood = () => ({ status: 429, headers: { 'retry-after': '15' } });
    await endWorkers(workers);
    const own = await startWorkers(1, 1_500);
    onTestFinished(() => endWorkers(own));
    const [job = ''] = await translate(1);
    await until('refusal', () => engine.answers.length === 1, { timeoutMs: bound(30_000) });
    const refusedAt = Date.now();
    await until('lease that was renewed after it', async () => {
      const { leaseUntil } = (await jobCollection().findOne({ _id: job })) ?? {};
      return leaseUntil && leaseUntil.getTime() > refusedAt + 3_000;
    });
    const startedMs = performance.now();
    await cancelJob(job);
    expect(await ended([job])).toMatchObject([{ state: 'cancelled', crashes: 0 }]);
    expect(performance.now() - startedMs).toBeLessThan(bound(5_000));
    expect(engine.answers).toHaveLength(1);
  });
});
