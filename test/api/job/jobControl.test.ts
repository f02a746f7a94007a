import { jobCollection, type JobRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import {
  buildJob,
  buildMember,
  buildOrganization,
  buildSpace,
  type TestUser,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { bound } from '../../support/machine.ts';

const attempt = (outcome?: JobRecord['attempts'][number]['outcome']): JobRecord['attempts'][number] => ({
  epoch: 1,
  worker: 'worker',
  startedAt: new Date(),
  ...(outcome && { endedAt: new Date(), outcome }),
});
const error = {
  class: 'auth',
  code: 'auth',
  message: 'The server refused the login.',
  action: 'Check it.',
} as const;
const failed: Partial<JobRecord> = {
  state: 'failed',
  error,
  attempts: [attempt('failed')],
  startedAt: new Date(),
  finishedAt: new Date(),
};

const it = base
  // Room for all jobs of this file, so that none of them waits in MongoDB.
  .extend('environment', { scope: 'file' }, { BINDERY_QUEUE_WINDOW: '10000' })
  .extend(
    'get',
    ({ api, reader }) =>
      ({ _id }: Pick<JobRecord, '_id'>, { token } = reader) =>
        api.call('GET', `/v1/jobs/${_id}`, { token }),
  )
  .extend(
    'post',
    ({ api, creator }) =>
      ({ _id }: Pick<JobRecord, '_id'>, action: string, { token } = creator) =>
        api.call('POST', `/v1/jobs/${_id}/${action}`, { token }),
  )
  .extend(
    'list',
    ({ api, organization, reader }) =>
      async (query = '', { token } = reader, id = organization._id) =>
        api.call('GET', `/v1/orgs/${id}/jobs${query}`, { token }),
  )
  .extend(
    'replay',
    ({ api, organization }) =>
      (json: unknown, { token }: TestUser, id = organization._id) =>
        api.call('POST', `/v1/orgs/${id}/jobs/replay`, { token, json }),
  );

describe('GET /v1/jobs/{jobId}', () => {
  it('reports whether the caller may cancel or retry the job', async ({ space, get, creator }) => {
    const job = await buildJob(space);
    expect((await get(job)).body.permissions).toEqual({ control: false });
    expect((await get(job, creator)).body.permissions).toEqual({ control: true });
  });
});

describe('POST /v1/jobs/{jobId}/cancel', () => {
  it('ends a waiting job, and changes nothing the second time', async ({ space, post }) => {
    const job = await buildJob(space);
    expect(await post(job, 'cancel')).toMatchObject({
      status: 200,
      body: { state: 'cancelled', finishedAt: expect.any(String) },
    });
    const { seq } = (await jobCollection().findOne({ _id: job._id })) ?? {};
    expect(await post(job, 'cancel')).toMatchObject({ status: 200, body: { state: 'cancelled' } });
    expect((await jobCollection().findOne({ _id: job._id }))?.seq).toBe(seq);
  });

  it('asks a running job to stop', async ({ space, get, post }) => {
    const job = await buildJob(space, { state: 'running', attempts: [attempt()] });
    expect(await post(job, 'cancel')).toMatchObject({ status: 200, body: { state: 'cancelling' } });
    expect((await get(job)).body.state).toBe('cancelling');
  });

  it.for(['succeeded', 'failed', 'timed_out', 'superseded'] as const)(
    'refuses when the job has %s',
    async (state, { space, post }) => {
      const { status, body } = await post(await buildJob(space, { state }), 'cancel');
      expect([status, body.error.type]).toEqual([409, 'conflict']);
      expect(body.error.message).toContain(state);
    },
  );

  it('needs the permission that starting the job needs', async ({
    organization,
    admin,
    space,
    get,
    post,
  }) => {
    const job = await buildJob(space);
    for (const role of ['read', 'comment', 'edit', 'review'] as const)
      expect((await post(job, 'cancel', await buildMember(organization, role))).status).toBe(403);
    expect((await get(job)).body.state).toBe('queued');
    expect((await post(job, 'cancel', admin)).status).toBe(200);
  });
});

describe('POST /v1/jobs/{jobId}/retry', () => {
  it.for(['failed', 'cancelled', 'timed_out', 'superseded'] as const)(
    'runs a job that has %s again, under its own id',
    async (state, { space, post }) => {
      const job = await buildJob(space, { ...failed, state });
      const { status, body, headers } = await post(job, 'retry');
      expect(status).toBe(200);
      expect(headers.get('x-job-id')).toBe(job._id);
      expect(headers.get('link')).toBe(`<http://api.test/v1/jobs/${job._id}>; rel="monitor"`);
      expect(body).toMatchObject({ id: job._id, state: 'queued', position: expect.any(Number) });
      for (const field of ['error', 'result', 'finishedAt']) expect(body).not.toHaveProperty(field);
      expect(body.attempts).toHaveLength(1);
    },
  );

  it.for(['accepted', 'queued', 'running', 'succeeded'] as const)(
    'refuses while the job is %s',
    async (state, { space, post }) => {
      const job = await buildJob(space, { state });
      const { status, body, headers } = await post(job, 'retry');
      expect([status, body.error.type]).toEqual([409, 'conflict']);
      expect(headers.get('x-job-id')).toBeNull();
    },
  );

  it('needs the permission that starting the job needs', async ({ reader, space, get, post }) => {
    const job = await buildJob(space, failed);
    expect((await post(job, 'retry', reader)).status).toBe(403);
    expect((await get(job)).body.state).toBe('failed');
  });
});

describe('GET /v1/orgs/{organizationId}/jobs', () => {
  const ids = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id);

  it('lists the jobs that the caller can view, newest first, in pages', async ({ list }) => {
    const { organization: own, admin: owner } = await buildOrganization();
    const open = await buildSpace(own);
    const closed = await buildSpace(own, { defaultLevel: null });
    const gone = await buildSpace(own, { deletedAt: new Date() });
    const jobs = [];
    for (const at of [open, closed, gone, open]) jobs.push(await buildJob(at));
    const [first, second, , fourth] = jobs.map(({ _id }) => _id);
    const member = await buildMember(own, 'create');
    expect(ids((await list('', owner, own._id)).body)).toEqual([fourth, second, first]);
    expect((await list('', member, own._id)).body).toMatchObject({
      count: 2,
      items: [{ id: fourth }, { id: first }],
    });
    expect((await list('', await buildMember(own, null), own._id)).body).toEqual({ count: 0, items: [] });
    const page = (await list('?limit=1', member, own._id)).body;
    expect(ids(page)).toEqual([fourth]);
    const rest = (await list(`?limit=1&page=${page.next.page}`, member, own._id)).body;
    expect([ids(rest), rest.next]).toEqual([[first], undefined]);
  });

  it('filters by kind, shown state, and subject', async ({ list }) => {
    const { organization: own, admin: owner } = await buildOrganization();
    const [one, two] = [await buildSpace(own), await buildSpace(own)];
    const states: Record<string, string> = {};
    for (const [name, fields] of Object.entries({
      queued: {},
      retrying: { attempts: [attempt('retried')], tries: 1 },
      running: { state: 'running', attempts: [attempt('retried'), attempt()], lane: 'a' },
      cancelling: { state: 'running', cancelRequestedAt: new Date(), attempts: [attempt()], lane: 'b' },
      failed,
      cancelled: { state: 'cancelled' },
    } satisfies Record<string, Partial<JobRecord>>)) {
      states[name] = (await buildJob(one, fields))._id;
    }
    const other = await buildJob(two, { kind: 'git-export', attempts: [attempt('handed_back')] });
    for (const [state, id] of Object.entries(states)) {
      const { body } = await list(`?state=${state}`, owner, own._id);
      expect([state, ids(body).toSorted()]).toEqual([
        state,
        (state === 'queued' ? [id, other._id] : [id]).toSorted(),
      ]);
      expect(body.items.every((job: { state: string }) => job.state === state)).toBe(true);
      expect(body.count).toBe(body.items.length);
    }
    expect(ids((await list('?kind=git-export', owner, own._id)).body)).toEqual([other._id]);
    expect(ids((await list(`?subject=${two._id}`, owner, own._id)).body)).toEqual([other._id]);
    expect((await list(`?subject=${one._id}&kind=git-export`, owner, own._id)).body).toEqual({
      count: 0,
      items: [],
    });
    const token = (await list('?limit=1', owner, own._id)).body.next.page;
    expect((await list(`?limit=1&state=queued&page=${token}`, owner, own._id)).status).toBe(400);
  });

  it('refuses unknown states, and answers 404 to other organizations', async ({ list }) => {
    expect((await list('?state=done')).status).toBe(400);
    expect((await list('', (await buildOrganization()).admin)).status).toBe(404);
  });

  it('answers with many waiting jobs as fast as with few', async ({ space, list }) => {
    const { organization: own, admin: owner } = await buildOrganization();
    const { _id: subject } = await buildSpace(own);
    const { _id: _template, ...template } = await buildJob({ ...space, organization: own._id, _id: subject });
    await jobCollection().insertMany(
      Array.from({ length: 2_000 }, (_, index) => ({
        ...template,
        _id: newId(),
        lane: `lane ${index}`,
        createdAt: new Date(index),
      })),
      { ignoreUndefined: true },
    );
    const startedMs = performance.now();
    const { body } = await list('?limit=1000', owner, own._id);
    const tookMs = performance.now() - startedMs;
    expect(body.items).toHaveLength(1_000);
    expect(body.items[0]).not.toHaveProperty('position');
    expect(tookMs).toBeLessThan(bound(1_000));
    await jobCollection().deleteMany({ organization: own._id });
  });
});

describe('POST /v1/orgs/{organizationId}/jobs/replay', () => {
  it('names the jobs that it would run again, and runs them only when `dryRun` is false', async ({
    get,
    replay,
  }) => {
    const { organization: own, admin: owner } = await buildOrganization();
    const open = await buildSpace(own);
    const gone = await buildSpace(own, { deletedAt: new Date() });
    const network = { class: 'transient', code: 'connect', message: 'No connection.' } as const;
    const first = await buildJob(open, failed);
    const second = await buildJob(open, { ...failed, error: network });
    const cancelled = await buildJob(open, { state: 'cancelled' });
    await buildJob(gone, failed);
    await buildJob(open, { state: 'succeeded' });
    expect((await replay(undefined, owner, own._id)).body).toEqual({
      jobs: [first._id, second._id],
      replayed: 0,
      dryRun: true,
    });
    expect((await replay({ code: 'connect' }, owner, own._id)).body).toEqual({
      jobs: [second._id],
      replayed: 0,
      dryRun: true,
    });
    expect((await replay({ kind: 'git-export' }, owner, own._id)).body).toEqual({
      jobs: [],
      replayed: 0,
      dryRun: true,
    });
    expect((await get(first, owner)).body.state).toBe('failed');
    expect((await replay({ dryRun: false }, owner, own._id)).body).toEqual({
      jobs: [first._id, second._id],
      replayed: 2,
      dryRun: false,
    });
    expect((await get(first, owner)).body.state).toBe('queued');
    expect((await replay({ state: 'cancelled', dryRun: false }, owner, own._id)).body).toEqual({
      jobs: [cancelled._id],
      replayed: 1,
      dryRun: false,
    });
  });

  it('is for admins, and refuses invalid fields', async ({ admin, creator, replay }) => {
    expect((await replay({}, creator)).status).toBe(403);
    expect((await replay({}, (await buildOrganization()).admin)).status).toBe(404);
    for (const json of [{ state: 'succeeded' }, { state: 'running' }, { dryRun: 'no' }, { kind: '' }, []])
      expect((await replay(json, admin)).status).toBe(400);
  });
});
