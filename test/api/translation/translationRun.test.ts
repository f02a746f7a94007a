import { startWorker, translationJobs, type Processor, type RunningWorker } from '@bindery/jobs';
import { JobError } from '@bindery/contract';
import { jobCollection, Space, Translation, type TranslationRecord } from '@bindery/models';
import { createLogger, newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { expireJobs } from '../../support/stores/expireJobs.ts';
import { buildOrganization, buildSpace, buildTranslation } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { until } from '../../support/until.ts';
import { bound } from '../../support/machine.ts';

const jobIdOf = ({ headers }: { headers: Headers }) => headers.get('x-job-id') ?? '';
const jobOf = async (id: string) => jobCollection().findOne({ _id: id });
const stored = async (id: string) => Translation.findById(id).lean<TranslationRecord>();
const document = (words: string) => ({
  object: 'document',
  data: { schemaVersion: 1 },
  nodes: [
    {
      object: 'block',
      type: 'paragraph',
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: words, marks: [] }] }],
    },
  ],
});

const newRevision = async ({ source }: TranslationRecord) =>
  Space.updateOne({ _id: source.space }, { $set: { revision: newId() } });

// Room for all jobs of this file, so that none of them waits in MongoDB.
const it = base
  .extend('environment', { scope: 'file' }, { BINDERY_QUEUE_WINDOW: '10000' })
  .extend(
    'call',
    ({ api, organization, creator }) =>
      (
        method: string,
        id: string,
        json?: unknown,
        { token } = creator,
        headers: Record<string, string> = {},
      ) =>
        api.call(method, `/v1/orgs/${organization._id}/translations/${id}`, {
          token,
          headers,
          ...(json !== undefined && { json }),
        }),
  )
  .extend(
    'run',
    ({ creator, call }) =>
      (id: string, user = creator) =>
        call('POST', `${id}/run`, undefined, user),
  )
  .extend(
    'get',
    ({ call }) =>
      async (id: string) =>
        (await call('GET', id)).body,
  )
  .extend(
    'build',
    ({ organization }) =>
      async (fields: Partial<TranslationRecord> = {}) =>
        buildTranslation(await buildSpace(organization), fields),
  )
  /** Workers of one test; they stop with it. */
  .extend('workers', ({ api: _started }, { onCleanup }) => {
    const running: RunningWorker[] = [];
    const stop = async () => {
      await Promise.all(running.splice(0).map((worker) => worker.stop(0)));
    };
    onCleanup(stop);
    return { running, stop };
  })
  /**
   * A worker of the job layer, with what a test has it do for one translation; all others are left as they
   * are.
   */
  .extend(
    'startTranslating',
    ({ api, workers }) =>
      async (
        translation: TranslationRecord,
        work: Processor<typeof translationJobs.runTranslation>,
      ): Promise<void> => {
        const logger = createLogger({ log: { level: 'silent' } }, { app: 'test' });
        const nothing = { result: { revision: 'r', engine: 'none', route: [], unchanged: true } };
        const runTranslation: typeof work = async (input, given) =>
          input.translationId === translation._id ? work(input, given) : nothing;
        workers.running.push(
          await startWorker(
            translationJobs,
            { runTranslation, estimateTranslation: () => Promise.reject(new Error('unused')) },
            { app: 'test', concurrency: 4, config: api.config, logger },
          ),
        );
      },
  );

describe('PUT /v1/orgs/{organizationId}/translations/{translationId}', () => {
  it('changes the instructions and starts a run with them', async ({ call, build }) => {
    const translation = await build();
    const { status, body, headers } = await call('PUT', translation._id, {
      instructions: document('Be brief.'),
    });
    expect([status, body]).toMatchObject([
      200,
      { id: translation._id, status: 'pending', instructions: document('Be brief.') },
    ]);
    expect(Date.parse(body.updatedAt)).toBeGreaterThan(translation.updatedAt.getTime());
    const job = await jobOf(jobIdOf({ headers }));
    expect(job).toMatchObject({
      kind: 'translation-run',
      state: 'queued',
      input: { translationId: translation._id },
    });
    expect(await stored(translation._id)).toMatchObject({ job: job?._id, version: 2 });
    // The run that had not started does nothing that the new one does not do.
    expect(await jobOf(translation.job)).toMatchObject({
      state: 'superseded',
      error: { code: 'superseded' },
    });
  });

  it.for([
    ['no instructions', {}],
    ['null', { instructions: null }],
    ['a list', { instructions: [] }],
    ['a version that is text', { instructions: { ...document('x'), data: { schemaVersion: '1' } } }],
    ['a version below 0', { instructions: { ...document('x'), data: { schemaVersion: -1 } } }],
    ['a node without type', { instructions: { ...document('x'), nodes: [{ object: 'block', nodes: [] }] } }],
    [
      'one key twice',
      {
        instructions: {
          ...document('x'),
          nodes: [
            { ...document('a').nodes[0], key: 'k' },
            { ...document('b').nodes[0], key: 'k' },
          ],
        },
      },
    ],
    ['data of 5 MB', { instructions: { ...document('x'), data: { more: 'a'.repeat(5_000_000) } } }],
    [
      '120 001 values',
      { instructions: { ...document('x'), data: { more: Array.from({ length: 120_001 }, () => 0) } } },
    ],
  ] as const)('refuses %s and changes nothing', async ([, body], { call, build }) => {
    const translation = await build();
    const startMs = Date.now();
    expect((await call('PUT', translation._id, body)).status).toBe(400);
    expect(Date.now() - startMs).toBeLessThan(bound(1_000));
    expect(await stored(translation._id)).toEqual(
      expect.objectContaining({ instructions: translation.instructions, job: translation.job }),
    );
  });

  it.for([
    ['5000 deep', `${'{"object":"block","type":"blockquote","nodes":['.repeat(5_000)}${']}'.repeat(5_000)}`],
    ['100 000 nested arrays', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['a million nodes', `[${'{"object":"block"},'.repeat(400_000)}{}]`],
  ] as const)('refuses %s at once', async ([, nodes], { api, organization, creator, build }) => {
    const translation = await build();
    const startMs = Date.now();
    const answer = await api.call('PUT', `/v1/orgs/${organization._id}/translations/${translation._id}`, {
      token: creator.token,
      headers: { 'content-type': 'application/json' },
      body: `{"instructions":{"object":"document","data":{},"nodes":${nodes}}}`,
    });
    expect(answer.status).toBe(400);
    expect(Date.now() - startMs).toBeLessThan(bound(1_000));
  });

  it('needs translation.edit', async ({ reader, call, build }) => {
    const translation = await build();
    for (const json of [{ instructions: document('x') }, []]) {
      const { status, body } = await call('PUT', translation._id, json, reader);
      expect([status, body.error.message]).toEqual([403, expect.stringContaining('translation.edit')]);
    }
    expect((await call('PUT', 'nothing', {})).status).toBe(404);
    expect((await call('PUT', translation._id, {}, (await buildOrganization()).admin)).status).toBe(404);
  });

  it('changes only the state that If-Match names', async ({ creator, call, get, build }) => {
    const translation = await build();
    const tag = (await call('GET', translation._id)).headers.get('etag') ?? '';
    const put = (words: string) =>
      call('PUT', translation._id, { instructions: document(words) }, creator, { 'if-match': tag });
    expect([(await put('one')).status, (await put('two')).status]).toEqual([200, 412]);
    expect((await get(translation._id)).instructions).toEqual(document('one'));
  });

  it('applies each of many requests at once, and leaves one run', async ({ call, build }) => {
    const translation = await build();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => call('PUT', translation._id, { instructions: document(`${i}`) })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const record = await stored(translation._id);
    expect(record).toMatchObject({ version: 11, instructionsRevision: 11 });
    const waiting = await jobCollection()
      .find({ 'subject.id': translation._id, state: { $in: ['queued', 'accepted'] } })
      .toArray();
    expect(waiting.map(({ _id }) => _id)).toEqual([record?.job]);
  });
});

describe('POST /v1/orgs/{organizationId}/translations/{translationId}/run', () => {
  it('joins a run that would give the same result', async ({ run, build }) => {
    const translation = await build();
    const answers = await Promise.all(Array.from({ length: 10 }, () => run(translation._id)));
    expect(answers.map((answer) => [answer.status, answer.text, jobIdOf(answer)])).toEqual(
      answers.map(() => [204, '', translation.job]),
    );
  });

  it('starts another run when the source has changed, and supersedes a run that has not started', async ({
    run,
    build,
  }) => {
    const translation = await build();
    await newRevision(translation);
    const second = jobIdOf(await run(translation._id));
    expect(second).not.toBe(translation.job);
    expect([(await jobOf(translation.job))?.state, (await jobOf(second))?.state]).toEqual([
      'superseded',
      'queued',
    ]);
    expect((await stored(translation._id))?.job).toBe(second);
  });

  it('starts another run when the last one has ended', async ({ run, build, startTranslating }) => {
    const translation = await build();
    await startTranslating(translation, async () => ({
      result: { revision: 'r', engine: 'pseudo', route: ['en', 'de'], unchanged: true },
    }));
    await until('end', async () => (await jobOf(translation.job))?.state === 'succeeded');
    const second = jobIdOf(await run(translation._id));
    expect(second).not.toBe(translation.job);
    await until('end of the second', async () => (await jobOf(second))?.state === 'succeeded');
  });

  it('needs translation.edit', async ({ reader, run, build }) => {
    const translation = await build();
    const { status, body } = await run(translation._id, reader);
    expect([status, body.error.message]).toEqual([403, expect.stringContaining('translation.edit')]);
    expect((await run(translation._id, (await buildOrganization()).admin)).status).toBe(404);
    expect((await run('nothing')).status).toBe(404);
  });

  it('is carried out once for one Idempotency-Key', async ({ creator, call, build }) => {
    const translation = await build();
    await newRevision(translation);
    const send = () =>
      call('POST', `${translation._id}/run`, undefined, creator, { 'idempotency-key': translation._id });
    const first = jobIdOf(await send());
    await newRevision(translation);
    expect(jobIdOf(await send())).toBe(first);
  });
});

describe('the status of a translation', () => {
  it('is running while a worker works on it, and completed when there is a result', async ({
    api,
    organization,
    reader,
    run,
    get,
    build,
    startTranslating,
    workers,
  }) => {
    const translation = await build();
    const gate = Promise.withResolvers<void>();
    const status = async () => (await get(translation._id)).status;
    await startTranslating(translation, async (input) => {
      await gate.promise;
      return {
        result: { revision: 'r1', engine: 'pseudo', route: ['en', 'de'], unchanged: false },
        publish: async (session) => {
          const stats = {
            runs: 1,
            totalWords: 5,
            totalPages: 1,
            totalDuration: 2,
            latestRunDuration: 2,
            latestPages: 1,
            latestWords: 5,
          };
          await Translation.updateOne(
            { _id: input.translationId },
            { $set: { 'result.revision': 'r1', stats } },
            { session },
          );
        },
      };
    });
    await until('worker at it', async () => (await status()) === 'running');
    // A run that waits for this one does not hide it.
    await newRevision(translation);
    const next = jobIdOf(await run(translation._id));
    expect(await jobOf(next)).toMatchObject({ state: 'accepted', waiting: { reason: 'lane' } });
    expect(await status()).toBe('running');
    const list = await api.call('GET', `/v1/orgs/${organization._id}/translations?limit=1000`, {
      token: reader.token,
    });
    expect(list.body.items.find(({ id }: { id: string }) => id === translation._id).status).toBe('running');
    gate.resolve();
    await until('end of both', async () => (await jobOf(next))?.state === 'succeeded');
    expect(await get(translation._id)).toMatchObject({
      status: 'completed',
      result: { space: translation.result.space, revision: 'r1', language: 'de' },
      stats: { runs: 1, totalWords: 5 },
    });
    await workers.stop();
    // It is completed until a worker takes the next run.
    await newRevision(translation);
    await run(translation._id);
    expect(await status()).toBe('completed');
  });

  it('is pending again when the first run fails, and completed when there is an older result', async ({
    get,
    build,
    startTranslating,
    workers,
  }) => {
    for (const [revision, status] of [
      [undefined, 'pending'],
      ['r0', 'completed'],
    ] as const) {
      const translation = await build();
      if (revision)
        await Translation.updateOne({ _id: translation._id }, { $set: { 'result.revision': revision } });
      await startTranslating(translation, async () => {
        throw new JobError('bad_content', 'The engine lost what must stay.');
      });
      await until('failure', async () => (await jobOf(translation.job))?.state === 'failed');
      const shown = await get(translation._id);
      expect(shown).toMatchObject({ status, stats: translation.stats });
      await expireJobs(translation.job);
      expect(await get(translation._id)).toEqual(shown);
      await workers.stop();
    }
  });

  it('is running between two attempts', async ({ get, build }) => {
    const translation = await build();
    const attempts = [{ epoch: 1, worker: 'w', startedAt: new Date(), outcome: 'retried' as const }];
    await jobCollection().updateOne({ _id: translation.job }, { $set: { state: 'queued', attempts } });
    expect((await get(translation._id)).status).toBe('running');
  });
});
