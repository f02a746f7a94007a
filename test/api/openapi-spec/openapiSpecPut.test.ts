import { startWorker, openapiJobs, type Processor, type RunningWorker } from '@bindery/jobs';
import { JobError } from '@bindery/contract';
import { insertSpecVersion, jobCollection, OpenAPISpec, type OpenAPISpecRecord } from '@bindery/models';
import { createLogger } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { expireJobs } from '../../support/stores/expireJobs.ts';
import { buildOrganization, buildSpec, buildSpecVersion, specDocuments } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { until } from '../../support/until.ts';

const url = 'https://specs.example.org/petstore.json';

const jobOf = async (id: string | null) => jobCollection().findOne({ _id: id ?? '' });

// Room for all jobs of this file, so that none of them waits in MongoDB.
const it = base
  .extend('environment', { scope: 'file' }, { BINDERY_QUEUE_WINDOW: '10000' })
  .extend(
    'call',
    ({ api, organization, creator }) =>
      (
        method: string,
        path: string,
        json?: unknown,
        { token } = creator,
        headers: Record<string, string> = {},
      ) =>
        api.call(method, `/v1/orgs/${organization._id}/openapi/${path}`, {
          token,
          headers,
          ...(json !== undefined && { json }),
        }),
  )
  .extend(
    'put',
    ({ creator, call }) =>
      (slug: string, source: unknown = { url }, user = creator) =>
        call('PUT', slug, { source }, user),
  )
  .extend(
    'stored',
    ({ organization }) =>
      async (slug: string) =>
        OpenAPISpec.findOne({ organization: organization._id, slug }).lean<OpenAPISpecRecord>(),
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
   * A worker of the job layer, with what a test has it do for one specification; with all others it has
   * nothing to do.
   */
  .extend(
    'startSpecWorker',
    ({ api, workers }) =>
      async (spec: OpenAPISpecRecord, work: Processor<typeof openapiJobs.processSpec>): Promise<void> => {
        const logger = createLogger({ log: { level: 'silent' } }, { app: 'test' });
        const processSpec: typeof work = async (input, run) =>
          input.specId === spec._id ? work(input, run) : { result: { unchanged: true } };
        workers.running.push(
          await startWorker(
            { processSpec: openapiJobs.processSpec },
            { processSpec },
            { app: 'test', concurrency: 4, config: api.config, logger },
          ),
        );
      },
  );

describe('PUT /v1/orgs/{organizationId}/openapi/{specSlug}', () => {
  it('adds a specification under a slug that is free', async ({ put }) => {
    const { status, body, headers } = await put('put-new');
    expect([status, body]).toMatchObject([
      200,
      { slug: 'put-new', sourceURL: url, processingState: 'pending', visibility: 'private' },
    ]);
    expect(await jobOf(headers.get('x-job-id'))).toMatchObject({
      kind: 'openapi-processing',
      subject: { id: body.id },
    });
    expect(headers.get('etag')).toMatch(/^"1\./);
  });

  it('replaces the source of an existing specification and processes it; other fields stay', async ({
    organization,
    call,
    put,
  }) => {
    const spec = await buildSpec(organization, { visibility: 'public' });
    const version = await buildSpecVersion(spec);
    expect((await call('GET', spec.slug)).body).toMatchObject({
      processingState: 'complete',
      lastVersion: version._id,
    });
    const { status, body, headers } = await put(spec.slug);
    expect([status, body]).toMatchObject([
      200,
      {
        id: spec._id,
        sourceURL: url,
        processingState: 'pending',
        visibility: 'public',
        lastVersion: version._id,
      },
    ]);
    expect(body.lastProcessedAt).toBe(version.createdAt.toISOString());
    expect(await jobOf(headers.get('x-job-id'))).toMatchObject({
      input: { specId: spec._id, sourceRevision: 2 },
    });
    expect((await put(spec._id, { text: '{}' })).body).not.toHaveProperty('sourceURL');
  });

  it.for([
    'A',
    'a_b',
    '-a',
    'a--b',
    'a'.repeat(101),
    '__proto__',
    '%C3%A4',
    'a%20b',
    'a%2Fb',
    '%2e%2e%2f',
    'constructor()',
  ])('refuses to add a specification under the slug %s', async (slug, { put }) => {
    const { status, body } = await put(slug);
    expect([status, body.error.details[0].path]).toEqual([400, 'path.specSlug']);
  });

  it.for([
    {},
    { source: {} },
    { source: { url: 'http://127.0.0.1/' } },
    { source: null },
    { source: { url, text: 'x' } },
  ])('refuses the body %j and changes nothing', async (body, { organization, call, stored }) => {
    const spec = await buildSpec(organization);
    expect((await call('PUT', spec.slug, body)).status).toBe(400);
    expect(await stored(spec.slug)).toMatchObject({ source: spec.source, sourceRevision: 1, job: spec.job });
    expect((await call('PUT', 'put-refused', body)).status).toBe(400);
    expect(await stored('put-refused')).toBeNull();
  });

  it('needs openapi.edit for an existing specification', async ({ organization, reader, put, stored }) => {
    const spec = await buildSpec(organization);
    const { status, body } = await put(spec.slug, { url }, reader);
    expect([status, body.error.message]).toEqual([403, expect.stringContaining('openapi.edit')]);
    expect(await stored(spec.slug)).toMatchObject({ sourceRevision: 1 });
  });

  it('needs organization.createOpenAPISpec for a new slug', async ({ reader, put, stored }) => {
    const { status, body } = await put('put-by-reader', { url }, reader);
    expect([status, body.error.message]).toEqual([
      403,
      expect.stringContaining('organization.createOpenAPISpec'),
    ]);
    expect(await stored('put-by-reader')).toBeNull();
    const outsider = (await buildOrganization()).admin;
    expect((await put('put-by-outsider', { url }, outsider)).status).toBe(404);
  });

  it('changes only the state that If-Match names', async ({ organization, creator, call, stored }) => {
    const spec = await buildSpec(organization);
    const tag = (await call('GET', spec.slug)).headers.get('etag') ?? '';
    const send = (slug: string) => call('PUT', slug, { source: { url } }, creator, { 'if-match': tag });
    expect((await send(spec.slug)).status).toBe(200);
    expect((await send(spec.slug)).status).toBe(412);
    expect((await send('put-if-match')).status).toBe(412);
    expect(await stored('put-if-match')).toBeNull();
  });

  it('keeps the last of many sources sent at once, and supersedes the jobs of the others', async ({
    organization,
    put,
    stored,
  }) => {
    const spec = await buildSpec(organization);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => put(spec.slug, { url: `${url}?${i}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const record = await stored(spec.slug);
    expect(record?.sourceRevision).toBe(21);
    const jobs = await jobCollection().find({ 'subject.id': spec._id }).toArray();
    const waiting = jobs.filter(({ state }) => state === 'queued' || state === 'accepted');
    expect(waiting.map(({ _id, input }) => [_id, input])).toEqual([
      [record?.job, { specId: spec._id, sourceRevision: 21 }],
    ]);
    const superseded = jobs.filter(({ _id }) => _id !== record?.job);
    expect(new Set(superseded.map(({ state }) => state))).toEqual(new Set(['superseded']));
    expect(superseded[0]).toMatchObject({
      error: { code: 'superseded' },
      finishedAt: expect.any(Date),
      outcome: 'owed',
    });
  });

  it('creates one specification when many requests arrive at once under a free slug', async ({
    put,
    stored,
  }) => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => put('put-together')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await stored('put-together'))?.sourceRevision).toBe(10);
  });
});

describe('the processing of a source', () => {
  it('is in progress while the worker runs, and complete when it has published', async ({
    organization,
    call,
    startSpecWorker,
  }) => {
    const spec = await buildSpec(organization);
    const state = async () => (await call('GET', spec.slug)).body.processingState;
    const gate = Promise.withResolvers<void>();
    const content = { contentHash: 'h', ...specDocuments() };
    let published: string | undefined;
    await startSpecWorker(spec, async ({ specId, sourceRevision }) => {
      await gate.promise;
      return {
        result: { unchanged: false },
        publish: async (session) => {
          published = (await insertSpecVersion({ spec: specId, sourceRevision, ...content }, session))
            ?.version._id;
        },
      };
    });
    await until('worker at it', async () => (await state()) === 'progress');
    gate.resolve();
    await until('end', async () => (await state()) === 'complete');
    const { body } = await call('GET', spec.slug);
    expect(body).toMatchObject({
      lastVersion: published,
      lastProcessedAt: expect.any(String),
      lastProcessedErrorCount: 0,
    });
    expect(body).not.toHaveProperty('lastProcessErrorCode');
  });

  it.for([
    ['timeout', 'FETCH_TIMEOUT'],
    ['http_status', 'FETCH_ERROR'],
    ['refused_address', 'FETCH_ERROR'],
    ['dns', 'FETCH_ERROR'],
    ['too_large', 'FETCH_ERROR'],
    ['bad_content', 'PARSE_ERROR'],
  ] as const)(
    'reports the failure %s as %s, and keeps the last version',
    async ([code, shown], { organization, call, put, startSpecWorker, workers }) => {
      const spec = await buildSpec(organization);
      const version = await buildSpecVersion(spec);
      await startSpecWorker(spec, async () => {
        throw new JobError(code, 'It did not work.', { class: 'invalid' });
      });
      const job = (await put(spec.slug)).headers.get('x-job-id');
      const failed = await until('failure', async () => {
        const { body } = await call('GET', spec.slug);
        return body.processingState === 'complete' && body;
      });
      expect(failed).toMatchObject({
        lastVersion: version._id,
        lastProcessErrorCode: shown,
        lastProcessedAt: (await jobOf(job))?.finishedAt?.toISOString(),
        lastProcessedErrorCount: 1,
        lastProcessedErrors: [{ message: 'It did not work.', code }],
      });
      await workers.stop();
      await expireJobs(job ?? '');
      expect((await call('GET', spec.slug)).body).toEqual(failed);
      // It stays told while the next source waits.
      expect((await put(spec.slug)).body).toMatchObject({
        processingState: 'pending',
        lastProcessErrorCode: shown,
      });
      await buildSpecVersion(spec, { text: 'another' });
      const { body } = await call('GET', spec.slug);
      expect(body).toMatchObject({ processingState: 'complete', lastProcessedErrorCount: 0 });
      for (const field of ['lastProcessErrorCode', 'lastProcessedErrors'])
        expect(body).not.toHaveProperty(field);
    },
  );

  it('is still in progress between two attempts', async ({ organization, call }) => {
    const spec = await buildSpec(organization);
    await jobCollection().updateOne(
      { _id: spec.job },
      {
        $set: {
          state: 'queued',
          attempts: [{ epoch: 1, worker: 'w', startedAt: new Date(), outcome: 'retried' }],
        },
      },
    );
    expect((await call('GET', spec.slug)).body.processingState).toBe('progress');
  });

  it('is complete when its job was cancelled or is no longer stored', async ({
    api,
    organization,
    creator,
    call,
  }) => {
    const spec = await buildSpec(organization);
    expect((await api.call('POST', `/v1/jobs/${spec.job}/cancel`, { token: creator.token })).status).toBe(
      200,
    );
    expect((await call('GET', spec.slug)).body).toMatchObject({
      processingState: 'complete',
      lastProcessedErrorCount: 0,
    });
    await jobCollection().deleteOne({ _id: spec.job });
    expect((await call('GET', spec.slug)).body.processingState).toBe('complete');
  });

  it('publishes nothing of an older source', async ({ organization, put, startSpecWorker }) => {
    const spec = await buildSpec(organization);
    const gate = Promise.withResolvers<void>();
    const seen: number[] = [];
    await startSpecWorker(spec, async ({ specId, sourceRevision }) => {
      seen.push(sourceRevision);
      if (sourceRevision === 1) await gate.promise;
      const record = await OpenAPISpec.findById(specId).lean<OpenAPISpecRecord>();
      return record?.sourceRevision === sourceRevision
        ? { result: { unchanged: true } }
        : { state: 'superseded', message: 'There is a newer source.' };
    });
    await until('first run', () => seen.length === 1);
    const newer = (await put(spec.slug)).headers.get('x-job-id');
    // They never run together: the newer one waits for its lane.
    expect(await jobOf(newer)).toMatchObject({ state: 'accepted', waiting: { reason: 'lane' } });
    gate.resolve();
    await until('second run', async () => (await jobOf(newer))?.state === 'succeeded');
    expect((await jobOf(spec.job))?.state).toBe('superseded');
    expect(seen).toEqual([1, 2]);
  });
});
