import { publishSyncEvents } from '@bindery/jobs';
import { GitCredential, GitSyncPoint, jobCollection, OutboxEvent, Revision, Space } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { buildCollection, buildMembership, buildOrganization, buildSpace } from '../../support/factories.ts';
import { itWithGit as base } from '../../support/git/gitWorker.ts';
import { until } from '../../support/until.ts';

// A space with git sync changes hands: the logins of its first owner stay with that owner.

const files = { 'README.md': '# Home\n' };
const gitInfo = { provider: 'github', url: 'https://github.com/o/r/blob/main' };
const isBasic = ({ authorization }: { authorization?: string }) => authorization !== undefined;

const it = base
  .extend('repositories', { scope: 'file' }, ({ gitServer }) => {
    gitServer.options.login = { username: 'owner', password: 'secret-of-the-owner' };
    return () => gitServer.createRepository(`${newId()}.git`, files);
  })
  /**
   * The organization that spaces go to, with its admin; the admin of the first one may create content there.
   */
  .extend('destination', async ({ admin }) => {
    const destination = await buildOrganization();
    await buildMembership(destination.organization, admin, 'create');
    return destination;
  })
  .extend(
    'call',
    ({ api, admin }) =>
      (method: string, path: string, { token = admin.token, json }: { token?: string; json?: object } = {}) =>
        api.call(method, `/v1${path}`, { token, ...(json && { json }) }),
  )
  .extend(
    'start',
    ({ call }) =>
      async (
        space: string,
        url: string,
        { operation = 'import', ...json }: { operation?: 'import' | 'export'; [field: string]: unknown } = {},
      ) => {
        const login = url.replace('http://', 'http://owner:secret-of-the-owner@');
        const message = operation === 'export' && { commitMessage: 'Export' };
        const answer = await call('POST', `/spaces/${space}/git/${operation}`, {
          json: { url: login, ref: 'refs/heads/main', gitInfo, ...message, ...json },
        });
        return { ...answer, job: answer.headers.get('x-job-id') ?? '' };
      },
  )
  .extend(
    'ended',
    ({ call }) =>
      async (job: string, token?: string) =>
        until('end of the job', async () => {
          const { body } = await call('GET', `/jobs/${job}?wait=30`, {
            ...(token !== undefined && { token }),
          });
          return body.finishedAt && body;
        }),
  )
  .extend('transfer', ({ call, destination }) => async (space: string) => {
    const { status, text } = await call('POST', `/spaces/${space}/transfer`, {
      json: { organization: destination.organization._id },
    });
    expect([status, text]).toEqual([200, expect.any(String)]);
  })
  .extend('left', ({ api: _started }) => async (space: string) => ({
    credentials: await GitCredential.countDocuments({ space }),
    syncPoints: await GitSyncPoint.countDocuments({ space }),
  }));

const nothing = { credentials: 0, syncPoints: 0 };

describe('a space with git sync that is transferred', () => {
  it('leaves its logins behind: a retry in the other organization sends no login', async ({
    gitServer,
    repositories,
    space,
    destination: { admin: other, organization: to },
    call,
    start,
    ended,
    transfer,
    left,
  }) => {
    const { url } = await repositories();
    await ended((await start(space._id, url)).job);
    gitServer.faults.set('info', { status: 403 });
    const { job } = await start(space._id, url);
    expect((await ended(job)).state).toBe('failed');
    gitServer.faults.clear();
    expect(await left(space._id)).toEqual({ credentials: 2, syncPoints: 1 });
    await transfer(space._id);
    expect(await left(space._id)).toEqual(nothing);
    gitServer.requests.length = 0;
    const { status, body } = await call('POST', `/jobs/${job}/retry`, { token: other.token });
    expect([status, body.error?.type]).toEqual([409, 'conflict']);
    const replay = await call('POST', `/orgs/${to._id}/jobs/replay`, {
      token: other.token,
      json: { dryRun: false },
    });
    expect(replay.body).toMatchObject({ jobs: [], replayed: 0 });
    expect(gitServer.requests).toEqual([]);
  });

  it('shows no sync until its new owner starts one', async ({
    repositories,
    space,
    destination: { admin: other },
    call,
    start,
    ended,
    transfer,
  }) => {
    const { url } = await repositories();
    await ended((await start(space._id, url, { timestamp: new Date().toISOString() })).job);
    await transfer(space._id);
    const { body } = await call('GET', `/spaces/${space._id}`, { token: other.token });
    expect(body).not.toHaveProperty('gitSync');
    expect((await call('GET', `/spaces/${space._id}/git/info`, { token: other.token })).status).toBe(404);
    const record = await Space.findById(space._id).lean();
    expect(record).not.toHaveProperty('syncedWith');
    expect(record).not.toHaveProperty('lastGitTimestamp');
    await Space.updateOne({ _id: space._id }, { $set: { gitSync: { ...gitInfo, updatedAt: new Date() } } });
    expect(
      (await call('GET', `/spaces/${space._id}/git/info`, { token: other.token })).body,
    ).not.toHaveProperty('operation');
  });

  it('cancels its waiting and running jobs of every kind, and writes nothing of them afterwards', async ({
    gitServer,
    repositories,
    organization,
    space,
    destination: { admin: other, organization: to },
    start,
    ended,
    transfer,
    left,
  }) => {
    const { url } = await repositories();
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    gitServer.beforeAnswer = async (kind) => (kind === 'fetch' ? mayAnswer : undefined);
    // Tests before this one have fetched too.
    const before = gitServer.requests.length;
    const running = await start(space._id, url);
    await until('fetch', () =>
      gitServer.requests.slice(before).some((request) => request.kind === 'fetch' && isBasic(request)),
    );
    const waiting = await start(space._id, url);
    const revisions = await Revision.distinct('_id', { space: space._id });
    await transfer(space._id);
    expect(await jobCollection().findOne({ _id: waiting.job })).toMatchObject({ state: 'cancelled' });
    expect((await jobCollection().findOne({ _id: running.job }))?.cancelRequestedAt).toEqual(
      expect.any(Date),
    );
    answer();
    delete gitServer.beforeAnswer;
    for (const { job } of [running, waiting])
      expect(await ended(job, other.token)).toMatchObject({ state: 'cancelled', organization: to._id });
    expect(await Revision.distinct('_id', { space: space._id })).toEqual(revisions);
    // The former owner gets the events of the start and of the end; the new owner gets neither.
    await publishSyncEvents();
    const told = await OutboxEvent.find({ space: space._id }).lean();
    expect(told.map((event) => [event.type, event.organization])).toEqual([
      ['space_gitsync_started', organization._id],
      ['space_gitsync_completed', organization._id],
    ]);
    expect(await left(space._id)).toEqual(nothing);
  });

  it('cancels an export that has not pushed yet, and pushes nothing', async ({
    gitServer,
    repositories,
    space,
    start,
    ended,
    transfer,
    left,
    destination,
  }) => {
    const repository = await repositories();
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    gitServer.requests.length = 0;
    gitServer.beforeAnswer = async (kind) =>
      kind === 'fetch' || kind === 'pushInfo' ? mayAnswer : undefined;
    const { job } = await start(space._id, repository.url, { operation: 'export', force: true });
    await until('a request', () =>
      gitServer.requests.some(({ kind }) => kind === 'fetch' || kind === 'pushInfo'),
    );
    const head = await repository.oid('main');
    await transfer(space._id);
    answer();
    delete gitServer.beforeAnswer;
    expect((await ended(job, destination.admin.token)).state).toBe('cancelled');
    expect(await repository.oid('main')).toBe(head);
    expect(gitServer.requests.filter(({ kind }) => kind === 'push')).toEqual([]);
    expect(await left(space._id)).toEqual(nothing);
  });

  it('keeps no login of a request that arrives during the transfer, and never runs it', async ({
    organization,
    gitServer,
    repositories,
    destination: { admin: other },
    call,
    start,
    transfer,
    left,
  }) => {
    const { url } = await repositories();
    for (let round = 0; round < 5; round += 1) {
      const { _id } = await buildSpace(organization);
      const [answers] = await Promise.all([
        Promise.all(Array.from({ length: 6 }, () => start(_id, url))),
        transfer(_id),
      ]);
      expect(answers.filter(({ status }) => status !== 204 && status !== 404)).toEqual([]);
      expect(await left(_id)).toEqual(nothing);
      await until(
        'end of all',
        async () =>
          (await jobCollection().countDocuments({ 'subject.id': _id, finishedAt: { $exists: false } })) === 0,
      );
      gitServer.requests.length = 0;
      for (const { job } of answers)
        if (job) await call('POST', `/jobs/${job}/retry`, { token: other.token });
      await until(
        'end of all',
        async () =>
          (await jobCollection().countDocuments({ 'subject.id': _id, finishedAt: { $exists: false } })) === 0,
      );
      expect(gitServer.requests).toEqual([]);
      expect(await left(_id)).toEqual(nothing);
    }
  });

  it('loses its logins and its sync with the collection that holds it, also when it is deleted', async ({
    organization,
    repositories,
    destination: { organization: to },
    call,
    start,
    ended,
    left,
  }) => {
    const { url } = await repositories();
    const top = await buildCollection(organization);
    const inner = await buildCollection(organization, { parent: top._id });
    const spaces = [
      await buildSpace(organization, { parent: top._id }),
      await buildSpace(organization, { parent: inner._id }),
    ];
    for (const { _id } of spaces) await ended((await start(_id, url)).job);
    await call('DELETE', `/spaces/${spaces[1]?._id}`);
    expect(
      (await call('POST', `/collections/${top._id}/transfer`, { json: { organization: to._id } })).status,
    ).toBe(200);
    for (const { _id } of spaces) {
      expect(await left(_id)).toEqual(nothing);
      expect(await Space.findById(_id).lean()).not.toHaveProperty('gitSync');
    }
  });

  it('keeps its sync when it moves within its organization; a copy has no sync', async ({
    organization,
    repositories,
    space,
    call,
    start,
    ended,
    left,
  }) => {
    const { url } = await repositories();
    await ended((await start(space._id, url)).job);
    const { _id: parent } = await buildCollection(organization);
    expect((await call('POST', `/spaces/${space._id}/move`, { json: { parent } })).status).toBe(200);
    expect(await left(space._id)).toEqual({ credentials: 1, syncPoints: 1 });
    const { body: copy } = await call('POST', `/spaces/${space._id}/duplicate`);
    expect(copy).not.toHaveProperty('gitSync');
    expect(await left(copy.id)).toEqual(nothing);
  });
});
