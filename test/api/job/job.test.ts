import { Job } from '@bindery/contract';
import { jobCollection, WorkerEntry, type JobRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { readEvents } from '../../support/http/eventStream.ts';
import {
  buildJob,
  buildMember,
  buildOrganization,
  buildSpace,
  changeSpace,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';
import { addLog, changeJob } from '../../support/processes/loggedJob.ts';
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
      ({ _id }: Pick<JobRecord, '_id'>, { token } = reader, more = '') =>
        api.call('GET', `/v1/jobs/${_id}${more}`, { token }),
  )
  .extend(
    'post',
    ({ api, creator }) =>
      ({ _id }: Pick<JobRecord, '_id'>, action: string, { token } = creator) =>
        api.call('POST', `/v1/jobs/${_id}/${action}`, { token }),
  )
  .extend(
    'follow',
    ({ api, reader }) =>
      (
        job: Pick<JobRecord, '_id'>,
        { lastEventId, token = reader.token }: { lastEventId?: string; token?: string } = {},
      ) =>
        api.open('GET', `/v1/jobs/${job._id}/events`, {
          token,
          ...(lastEventId !== undefined && { headers: { 'last-event-id': lastEventId } }),
        }),
  );

describe('GET /v1/jobs/{jobId}', () => {
  it('shows a waiting job, with its place in the queue and the reason', async ({
    organization,
    space,
    get,
  }) => {
    const job = await buildJob(space);
    const { status, body } = await get(job);
    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'job',
      id: job._id,
      kind: 'git-import',
      state: 'queued',
      organization: organization._id,
      subject: { type: 'space', id: space._id },
      permissions: { control: false },
      attempts: [],
      position: expect.any(Number),
      waiting: { reason: 'no_worker', message: expect.stringContaining('No worker for git-import') },
      stats: {},
      log: [],
      createdAt: job.createdAt.toISOString(),
      urls: {
        location: `http://api.test/v1/jobs/${job._id}`,
        events: `http://api.test/v1/jobs/${job._id}/events`,
      },
    });
  });

  it('reports the place in the queue, and the reason for any other wait', async ({ space, get }) => {
    await jobCollection().deleteMany({});
    await WorkerEntry.create({
      _id: 'w',
      app: 'test',
      queues: ['git'],
      kinds: [{ kind: 'git-import', version: 2 }],
      host: 'h',
      pid: 1,
      concurrency: 1,
      running: 0,
      startedAt: new Date(),
      seenAt: new Date(),
      expireAt: new Date(Date.now() + 60_000),
    });
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
    const first = await buildJob(space, { createdAt: at(1), dispatchedAt: at(1) });
    const second = await buildJob(space, {
      createdAt: at(2),
      state: 'accepted',
      waiting: { reason: 'lane', message: 'Another job works on the same thing.' },
    });
    const third = await buildJob(space, {
      createdAt: at(3),
      runAfter: new Date(Date.now() + 60_000),
      attempts: [attempt('retried')],
    });
    expect((await get(first)).body).toMatchObject({
      state: 'queued',
      position: 1,
      waiting: { reason: 'queue' },
    });
    expect((await get(second)).body).toMatchObject({ state: 'accepted', waiting: { reason: 'lane' } });
    expect((await get(third)).body).toMatchObject({
      state: 'retrying',
      waiting: { reason: 'retry', until: third.runAfter?.toISOString() },
    });
    await WorkerEntry.deleteMany({});
  });

  it('shows a running and an ended job with everything that it reported', async ({ space, get }) => {
    const job = await buildJob(space, {
      state: 'running',
      attempts: [attempt('crashed'), attempt()],
      progress: { stage: 'content_process', done: 3, total: 9 },
      stats: { pages: 3, blobsWritten: 1 },
      log: [{ seq: 1, at: new Date(), level: 'warning', message: 'Skipped', path: 'a.md' }],
      startedAt: new Date(),
    });
    const running = (await get(job)).body;
    expect(running).toMatchObject({
      state: 'running',
      progress: { stage: 'content_process', done: 3, total: 9 },
      stats: { pages: 3, blobsWritten: 1 },
      log: [{ level: 'warning', message: 'Skipped', path: 'a.md' }],
    });
    expect(running.log[0]).not.toHaveProperty('seq');
    expect(running).not.toHaveProperty('position');
    await changeJob(job, { cancelRequestedAt: new Date() });
    expect((await get(job)).body.state).toBe('cancelling');
    await changeJob(job, {
      state: 'succeeded',
      cancelRequestedAt: null,
      result: { revision: 'r', commit: 'c', unchanged: false, standalone: false },
      finishedAt: new Date(),
    });
    expect((await get(job)).body).toMatchObject({
      state: 'succeeded',
      result: { revision: 'r' },
      finishedAt: expect.any(String),
    });
  });

  it('hides the internal fields of the job', async ({ admin, space, get }) => {
    const job = await buildJob(space, { checkpoint: { secret: 1 }, lane: 'git:x', traceparent: '00-a' });
    const { body } = await get(job, admin);
    for (const field of [
      'input',
      'lane',
      'checkpoint',
      'epoch',
      'dispatch',
      'dispatchedAt',
      'startedBy',
      'permission',
      'traceparent',
      'seq',
      'worker',
      'leaseUntil',
      '_id',
    ])
      expect(body).not.toHaveProperty(field);
  });

  it('is hidden from callers who cannot view the space', async ({
    organization,
    admin,
    creator,
    reader,
    space,
    get,
    post,
  }) => {
    const closed = await buildSpace(organization, { defaultLevel: null });
    const job = await buildJob(closed);
    const open = await buildJob(space);
    const outsider = (await buildOrganization()).admin;
    expect((await get(job, admin)).status).toBe(200);
    for (const [hidden, user] of [
      [job, reader],
      [job, creator],
      [open, outsider],
      [open, await buildMember(organization, null)],
    ] as const) {
      for (const answer of [
        await get(hidden, user),
        await get(hidden, user, '/events'),
        await post(hidden, 'cancel', user),
        await post(hidden, 'retry', user),
      ]) {
        expect([answer.status, answer.body.error.message]).toEqual([
          404,
          `No job with the id ${hidden._id} that this token may see.`,
        ]);
      }
    }
    await changeSpace(closed, { deletedAt: new Date() });
    expect((await get(job, admin)).status).toBe(404);
    expect((await get({ _id: 'nothing' })).status).toBe(404);
  });

  it('waits for the end when it is asked to', async ({ reader, space, get }) => {
    const job = await buildJob(space, { state: 'running' });
    const waiting = get(job, reader, '?wait=20');
    await changeJob(job, { progress: { stage: 'finalize' } });
    await changeJob(job, { state: 'succeeded', result: {}, finishedAt: new Date() });
    const startedMs = Date.now();
    expect((await waiting).body.state).toBe('succeeded');
    expect(Date.now() - startedMs).toBeLessThan(bound(4_000));
    // One that has ended does not wait.
    expect((await get(job, reader, '?wait=60')).body.state).toBe('succeeded');
  });

  it('returns the job in its current state when the wait is over', async ({ reader, space, get }) => {
    const job = await buildJob(space, { state: 'running', progress: { stage: 'repo_fetch' } });
    const startedMs = Date.now();
    expect((await get(job, reader, '?wait=1')).body).toMatchObject({
      state: 'running',
      progress: { stage: 'repo_fetch' },
    });
    expect(Date.now() - startedMs).toBeGreaterThanOrEqual(900);
  });

  it.for(['61', '-1', 'abc', '1.5', ''])('refuses wait=%s', async (wait, { reader, space, get }) => {
    expect((await get(await buildJob(space), reader, `?wait=${wait}`)).status).toBe(400);
  });
});

describe('GET /v1/jobs/{jobId}/events', () => {
  it('begins with the job, sends each change with the new log lines, and ends with the ended job', async ({
    space,
    follow,
  }) => {
    const job = await buildJob(space, {
      state: 'running',
      log: [{ seq: 1, at: new Date(), level: 'info', message: 'old' }],
    });
    const response = await follow(job);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const events = readEvents(response);
    const first = await events.next();
    // Streams do not pass the check of all answers.
    expect(Job.parse(first.value?.data)).toEqual(first.value?.data);
    expect(first.value).toMatchObject({
      id: '1',
      event: 'job',
      data: { id: job._id, state: 'running', log: [{ message: 'old' }] },
    });
    await addLog(job, [{ seq: 2, at: new Date(), level: 'info', message: 'new' }]);
    await changeJob(job, { progress: { stage: 'finalize' } });
    expect((await events.next()).value).toMatchObject({
      id: '2',
      data: { progress: { stage: 'finalize' }, log: [{ message: 'new' }] },
    });
    await changeJob(job, { state: 'failed', error, finishedAt: new Date() });
    expect((await events.next()).value).toMatchObject({
      id: '3',
      data: { state: 'failed', error: { code: 'auth' }, log: [] },
    });
    expect((await events.next()).done).toBe(true);
  });

  it('resumes where a broken connection stopped', async ({ space, follow }) => {
    const log = [1, 2, 3, 4].map((seq) => ({
      seq,
      at: new Date(),
      level: 'info' as const,
      message: `line ${seq}`,
    }));
    const job = await buildJob(space, { state: 'running', seq: 4, log });
    const events = readEvents(await follow(job, { lastEventId: '2' }));
    expect((await events.next()).value).toMatchObject({
      id: '4',
      data: { log: [{ message: 'line 3' }, { message: 'line 4' }] },
    });
    await events.return(undefined);
    const again = readEvents(await follow(job, { lastEventId: '4' }));
    await changeJob(job, { state: 'succeeded', finishedAt: new Date() });
    // Nothing was missed, so the next event is the next change.
    expect((await again.next()).value).toMatchObject({ id: '5', data: { state: 'succeeded', log: [] } });
  });

  it('answers 204 to a reader that has already received the end', async ({ space, follow }) => {
    const job = await buildJob(space, { ...failed, seq: 7 });
    expect((await follow(job, { lastEventId: '7' })).status).toBe(204);
    const missed = readEvents(await follow(job, { lastEventId: '6' }));
    expect((await missed.next()).value).toMatchObject({ id: '7', data: { state: 'failed' } });
    expect((await missed.next()).done).toBe(true);
  });

  it.for(['-1', 'abc', '999999', '1e3', '99999999999999999999'])(
    'ignores the Last-Event-ID %s',
    async (lastEventId, { space, follow }) => {
      const events = readEvents(await follow(await buildJob(space, { ...failed, seq: 3 }), { lastEventId }));
      expect((await events.next()).value).toMatchObject({ id: '3' });
    },
  );

  it('answers HEAD at once', async ({ api, reader, space }) => {
    const job = await buildJob(space, { state: 'running' });
    const answer = await api.call('HEAD', `/v1/jobs/${job._id}/events`, { token: reader.token });
    expect([answer.status, answer.text]).toEqual([200, '']);
  });

  it('ends when the reader disconnects', async ({ api, reader, space }) => {
    const job = await buildJob(space, { state: 'running' });
    const leaving = new AbortController();
    const response = await api.open('GET', `/v1/jobs/${job._id}/events`, {
      token: reader.token,
      signal: leaving.signal,
    });
    expect((await readEvents(response).next()).value).toMatchObject({ id: '1' });
    leaving.abort();
    const lastLine = () =>
      api.logLines.map((text) => JSON.parse(text)).findLast(({ ids }) => ids?.jobId === job._id);
    await expect.poll(lastLine).toMatchObject({ route: '/jobs/:jobId/events', aborted: true });
  });
});

describe('a process that stops', () => {
  it('ends the event streams and the waits of its readers at once', async ({ api, reader, space, get }) => {
    // Its own process state: this is the last test of the file.
    const job = await buildJob(space, { state: 'running' });
    const events = readEvents(await api.open('GET', `/v1/jobs/${job._id}/events`, { token: reader.token }));
    expect((await events.next()).value).toMatchObject({ id: '1' });
    const waiting = get(job, reader, '?wait=60');
    await expect.poll(() => api.runningRequests()).toBe(2);
    const startedMs = Date.now();
    api.beginStop();
    expect((await events.next()).done).toBe(true);
    expect((await waiting).body.state).toBe('running');
    expect(Date.now() - startedMs).toBeLessThan(bound(1_500));
  });
});
