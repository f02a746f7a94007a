import { once } from 'node:events';
import { connect } from 'node:net';
import { ErrorBody, JobError } from '@bindery/contract';
import { contentImportJobs, pdfJobs, startWorker } from '@bindery/jobs';
import {
  hashOfSecret,
  jobCollection,
  SamlProvider,
  samlProviderHash,
  signConsoleCredential,
  startConsoleSession,
  type JobLogLine,
  type JobRecord,
  type SamlProviderRecord,
} from '@bindery/models';
import { connectRedis, createLogger, type Redis } from '@bindery/runtime';
import { describe, expect, onTestFinished } from 'vitest';
import { readEvents, type StreamedEvent } from '../../support/http/eventStream.ts';
import {
  buildJob,
  buildMember,
  buildOrganization,
  buildRevision,
  buildSamlProvider,
  buildSpace,
  buildToken,
  changeSpace,
  type TestUser,
} from '../../support/factories.ts';
import { findsDuring } from '../../support/stores/examined.ts';
import { it as base } from '../../support/it.ts';
import { addLog } from '../../support/processes/loggedJob.ts';
import { bound } from '../../support/machine.ts';
import { until } from '../../support/until.ts';

const connections = 120;
/** How many of them all listeners may take, and how many those of one organization's jobs. */
const most = { ofProcess: 90, ofOrganization: 72 };

const it = base
  .extend(
    'environment',
    { scope: 'file' },
    { BINDERY_QUEUE_WINDOW: '10000', BINDERY_API_MAX_CONNECTIONS: String(connections) },
  )
  .extend('redis', { scope: 'file' }, ({ api }, { onCleanup }): Redis => {
    const redis = connectRedis(api.config, 'worker');
    onCleanup(() => redis.disconnect());
    return redis;
  })
  /** Changes a job as a worker does, and announces it. */
  .extend(
    'change',
    ({ api, redis }) =>
      async ({ _id }: Pick<JobRecord, '_id'>, fields: Partial<JobRecord> = {}) => {
        await jobCollection().updateOne({ _id }, [{ $set: { seq: { $add: ['$seq', 1] }, ...fields } }]);
        await redis.publish(
          `${api.config.redis.prefix}:jobs`,
          JSON.stringify({ ids: [_id], type: 'changed' }),
        );
      },
  )
  .extend('follow', ({ api, reader }, { onCleanup }) => {
    // A test that fails leaves no listeners to the next.
    const ofTest = new AbortController();
    onCleanup(() => ofTest.abort());
    return async ({ _id }: Pick<JobRecord, '_id'>, token = reader.token) => {
      const leaving = new AbortController();
      const signal = AbortSignal.any([leaving.signal, ofTest.signal]);
      const response = await api.open('GET', `/v1/jobs/${_id}/events`, { token, signal });
      return { response, events: readEvents(response), leave: () => leaving.abort() };
    };
  })
  /** A session of the console through a provider, as the API sees it. */
  .extend('signIn', ({ api }) => async ({ user: { _id: user } }: TestUser, provider: SamlProviderRecord) => {
    const secret = await startConsoleSession({
      user,
      signedInWith: 'provider',
      provider: provider._id,
      providerHash: samlProviderHash(provider),
      userAgent: '',
    });
    return signConsoleCredential(api.config.secrets, { session: hashOfSecret(secret), user });
  })
  /** Waits for the connections of the test before, which would be counted as listeners. */
  .extend('isQuiet', { auto: true }, async ({ api }) =>
    until('end of all requests', () => api.runningRequests() === 0),
  );

function someLines(count: number, seq = 1, first = 0): JobLogLine[] {
  const message = 'x'.repeat(1_000);
  return Array.from({ length: count }, (_, n) => ({
    seq,
    at: new Date(),
    level: 'info',
    message: `${first + n} ${message}`,
    path: 'a.md',
  }));
}

async function restOf(events: AsyncGenerator<StreamedEvent, void>): Promise<StreamedEvent[]> {
  const rest: StreamedEvent[] = [];
  for await (const event of events) rest.push(event);
  return rest;
}

describe('many listeners of one job', () => {
  it('all get the full log and the end, and share the reads of the job', async ({
    space,
    change,
    follow,
  }) => {
    const job = await buildJob(space, { state: 'running', log: someLines(1_000) });
    const listeners: Awaited<ReturnType<typeof follow>>[] = [];
    const logReads = await findsDuring('jobLogs', async () => {
      for (let n = 0; n < 60; n += 1) listeners.push(await follow(job));
      const firsts = await Promise.all(listeners.map(({ events }) => events.next()));
      for (const { value } of firsts) {
        expect(value).toMatchObject({ id: '1', event: 'job' });
        expect(value?.data.log).toHaveLength(1_000);
        expect(
          [value?.data.log[0].message, value?.data.log[999].message].map((text) => text.split(' ')[0]),
        ).toEqual(['0', '999']);
      }
    });
    // One for each block of 32 lines, and more where polls come between: on a busy machine many.
    const unshared = 60 * Math.ceil(1_000 / 32);
    expect(logReads.length).toBeLessThan(unshared / 10);
    const jobReads = await findsDuring('jobs', async () => {
      const rests = listeners.map(({ events }) => restOf(events));
      await change(job, { state: 'succeeded', finishedAt: new Date() });
      for (const rest of await Promise.all(rests))
        expect(rest).toMatchObject([{ id: '2', data: { state: 'succeeded', log: [] } }]);
    });
    // Polls and checks of access read a field or two of all jobs together.
    expect(
      jobReads.filter(({ command }) => !Object.values(command.projection ?? {}).includes(1)).length,
    ).toBeLessThanOrEqual(2);
  });

  it('share the bytes of a part of the log only when there are several', async ({
    api,
    space,
    change,
    follow,
  }) => {
    const job = await buildJob(space, { state: 'running', log: someLines(20) });
    const readsOf = (count: number) =>
      findsDuring('jobLogs', async () => {
        const listeners = [];
        for (let n = 0; n < count; n += 1) listeners.push(await follow(job));
        for (const { events } of listeners) expect((await events.next()).value).toMatchObject({ id: '1' });
        for (const { leave } of listeners) leave();
        await until('end of the listeners', () => api.runningRequests() === 0);
      });
    // Kept by no cache: the memory of a part is free again once its only reader has it.
    for (const turn of [1, 2]) expect([turn, (await readsOf(1)).length]).toEqual([turn, 1]);
    expect((await readsOf(5)).length).toBeLessThanOrEqual(2);
    expect(await readsOf(1)).toEqual([]);
    await change(job, { state: 'succeeded', finishedAt: new Date() });
  });

  it('get lines that arrive while they listen, each once and in order', async ({ space, change, follow }) => {
    const job = await buildJob(space, { state: 'running', log: someLines(40) });
    const [early, late] = [await follow(job), await follow(job)];
    const seen: string[] = [];
    for (let seq = 2; seq <= 40; seq += 1) {
      await addLog(job, someLines(3, seq, 37 + 3 * (seq - 1)));
      await change(job);
      if (seq % 10 === 0) seen.push(...linesOf((await early.events.next()).value));
    }
    await change(job, { state: 'failed', finishedAt: new Date() });
    seen.push(...(await restOf(early.events)).flatMap(linesOf));
    const all = Array.from({ length: 40 + 3 * 39 }, (_, n) => String(n));
    expect(seen).toEqual(all);
    expect((await restOf(late.events)).flatMap(linesOf)).toEqual(all);
  });
});

function linesOf(event: StreamedEvent | void): string[] {
  return (event?.data.log ?? []).map(({ message }: { message: string }) => message.split(' ')[0]);
}

describe('a listener that does not read', () => {
  it(
    'gets the newest state instead of every missed change',
    { timeout: 120_000 },
    async ({ api, reader, space, change, follow }) => {
      const job = await buildJob(space, { state: 'running' });
      const { hostname, port } = new URL(api.origin);
      const socket = connect(Number(port), hostname);
      socket.write(
        `GET /v1/jobs/${job._id}/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${reader.token}\r\n\r\n`,
      );
      await once(socket, 'readable');
      const other = await follow(job);
      let othersEvents = 0;
      let othersSeq = 0;
      const reading = (async () => {
        for await (const { id } of other.events) {
          othersEvents += 1;
          othersSeq = Number(id);
        }
      })();
      const changes = 500;
      // More than the system buffers for a connection whose other end does not read.
      for (let seq = 2; seq < 2 + changes; seq += 1) {
        await addLog(job, someLines(32, seq, 32 * (seq - 2)));
        await change(job);
        // On a busy machine all changes could be made before the other listener has its turn.
        if (seq % 20 === 0) await until('event of the other listener', () => othersSeq >= seq);
      }
      await change(job, { state: 'succeeded', finishedAt: new Date() });
      await reading;
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      socket.resume();
      await until(
        'end of the stream',
        () => text.includes('"state":"succeeded"') && text.includes('0\r\n\r\n'),
        { timeoutMs: 30_000 },
      );
      socket.destroy();
      const events = text.split('event: job').length - 1;
      expect(events).toBeLessThan(othersEvents);
      expect(events).toBeLessThan(changes / 2);
    },
  );
});

describe('a listener that loses its access', () => {
  const heardUntil = 5_000;

  it.for(['token revoked', 'provider changed', 'member removed', 'space closed', 'job hidden'] as const)(
    'gets a last event with the error, and no more events: %s',
    async (how, { api, organization, admin, change, follow, signIn }) => {
      const space = await buildSpace(organization);
      const job = await buildJob(space, { state: 'running' });
      const member = await buildMember(organization, 'read');
      const stays = await follow(job, admin.token);
      const second = await buildToken(member.user);
      const provider = await buildSamlProvider(organization, { status: 'active', certificate: 'first' });
      const leaves = await follow(
        job,
        how === 'provider changed' ? await signIn(member, provider) : second.token,
      );
      for (const { events } of [stays, leaves])
        expect((await events.next()).value).toMatchObject({ id: '1' });
      const calls = {
        'token revoked': () =>
          api.call('DELETE', `/v1/user/tokens/${second.tokenId}`, { token: member.token }),
        'provider changed': () =>
          SamlProvider.updateOne({ _id: provider._id }, { $set: { certificate: 'second' } }),
        'member removed': () =>
          api.call('DELETE', `/v1/orgs/${organization._id}/members/${member.user._id}`, {
            token: admin.token,
          }),
        'space closed': () => changeSpace(space, { defaultLevel: null }),
        'job hidden': () => jobCollection().updateOne({ _id: job._id }, { $set: { isSubjectGone: true } }),
      };
      const answer = await calls[how]();
      if ('status' in answer) expect(answer.status).toBe(204);
      const startedMs = performance.now();
      const last = (await leaves.events.next()).value;
      expect(performance.now() - startedMs).toBeLessThan(bound(heardUntil));
      expect(last).toMatchObject({
        event: 'closed',
        data: { error: { code: how === 'token revoked' || how === 'provider changed' ? 401 : 404 } },
      });
      expect(ErrorBody.parse(last?.data)).toEqual(last?.data);
      expect((await leaves.events.next()).done).toBe(true);
      if (how === 'job hidden') return;
      await change(job, { state: 'succeeded', finishedAt: new Date() });
      expect((await stays.events.next()).value).toMatchObject({ event: 'job', data: { state: 'succeeded' } });
    },
  );

  it('is refused at the end of its wait', async ({ api, organization, space, change }) => {
    const member = await buildMember(organization, 'read');
    const { token, tokenId } = await buildToken(member.user);
    const job = await buildJob(space, { state: 'running' });
    const waiting = api.call('GET', `/v1/jobs/${job._id}?wait=30`, { token });
    await until('waiting request', () => api.runningRequests() === 1);
    await api.call('DELETE', `/v1/user/tokens/${tokenId}`, { token: member.token });
    expect((await waiting).status).toBe(401);
    await change(job, { state: 'succeeded', finishedAt: new Date() });
  });

  it.for(['PDF', 'import'] as const)(
    'is refused the result that it waits for: %s',
    async (what, { api, organization, space }) => {
      await buildRevision(space, { pages: [{ source: 'Words.' }] });
      const released = Promise.withResolvers<never>();
      const hold = async () => released.promise;
      const options = {
        app: 'test',
        concurrency: 1,
        config: api.config,
        logger: createLogger({ log: { level: 'silent' } }, { app: 'test' }),
      };
      const worker =
        what === 'PDF'
          ? await startWorker(pdfJobs, { printSpace: hold, printChangeRequest: hold }, options)
          : await startWorker(contentImportJobs, { importContent: hold }, options);
      onTestFinished(async () => {
        released.reject(new JobError('limit', 'The test has ended.'));
        await worker.stop(0);
      });
      const member = await buildMember(organization, 'edit');
      const { token, tokenId } = await buildToken(member.user);
      const path = `/v1/spaces/${space._id}`;
      const waiting =
        what === 'PDF'
          ? api.call('GET', `${path}/pdf`, { token })
          : api.call('POST', `${path}/content/import`, {
              token,
              json: { url: 'https://content.test/a.md', source: 'markdown' },
            });
      await until('running job', async () =>
        jobCollection().findOne({ 'input.spaceId': space._id, state: 'running' }),
      );
      await api.call('DELETE', `/v1/user/tokens/${tokenId}`, { token: member.token });
      expect((await waiting).status).toBe(401);
    },
  );

  it('is found with as many queries as a single listener needs, however many listen', async ({
    organization,
    change,
    follow,
  }) => {
    const listeners: Awaited<ReturnType<typeof follow>>[] = [];
    const jobs: JobRecord[] = [];
    for (let n = 0; n < 20; n += 1) {
      const job = await buildJob(await buildSpace(organization), { state: 'running' });
      jobs.push(job);
      listeners.push(await follow(job));
      await listeners[n]!.events.next();
    }
    const reads = await findsDuring('spaces', async () => {
      const startMs = performance.now();
      await until('some checks', () => performance.now() - startMs > 5_000);
    });
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.length).toBeLessThanOrEqual(4);
    for (const job of jobs) await change(job, { state: 'succeeded', finishedAt: new Date() });
    for (const { events } of listeners) await restOf(events);
  });
});

describe('too many listeners', () => {
  it('of an organization get 429, of a process 503, until others disconnect', async ({
    organization,
    reader,
    space,
    follow,
  }) => {
    const job = await buildJob(space, { state: 'running' });
    const colleague = await buildMember(organization, 'read');
    const { organization: elsewhere, admin: other } = await buildOrganization();
    const theirs = await buildJob(await buildSpace(elsewhere), { state: 'running' });
    const listeners: Awaited<ReturnType<typeof follow>>[] = [];
    for (let n = 0; n < most.ofOrganization; n += 1) listeners.push(await follow(job, reader.token));
    const refused = (await follow(job, colleague.token)).response;
    expect([
      refused.status,
      ErrorBody.parse(await refused.json()).error.type,
      refused.headers.get('retry-after'),
    ]).toEqual([429, 'rate_limited', '5']);
    for (let n = most.ofOrganization; n < most.ofProcess; n += 1)
      listeners.push(await follow(theirs, other.token));
    expect(listeners.map(({ response }) => response.status)).toEqual(listeners.map(() => 200));
    const full = (await follow(theirs, other.token)).response;
    expect([
      full.status,
      ErrorBody.parse(await full.json()).error.type,
      full.headers.get('retry-after'),
    ]).toEqual([503, 'unavailable', '5']);
    listeners.pop()?.leave();
    await until('a place', async () => {
      const again = await follow(theirs, other.token);
      again.leave();
      return again.response.status === 200;
    });
    for (const { leave } of listeners) leave();
  });
});
