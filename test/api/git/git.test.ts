import { GitCredential, gitCredentialContext, jobCollection, Space, type SpaceRecord } from '@bindery/models';
import { connectRedis, openSecret } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { dumpRedis, findCollectionsWith } from '../../support/stores/dumpStores.ts';
import { expireJobs } from '../../support/stores/expireJobs.ts';
import { buildJob, buildSpace, changeSpace } from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const good = { url: 'https://git.example.org/o/r.git', ref: 'refs/heads/main' };

async function inputOf(headers: Headers) {
  return (await jobCollection().findOne({ _id: headers.get('x-job-id') ?? '' }))?.input;
}

const it = base
  .extend(
    'environment',
    { scope: 'file' },
    { BINDERY_QUEUE_WINDOW: '10000', BINDERY_OUTBOUND_ALLOW: '127.0.0.1:9999' },
  )
  .extend(
    'importInto',
    ({ api, creator, space }) =>
      (json: unknown, { token } = creator, { _id } = space) =>
        api.call('POST', `/v1/spaces/${_id}/git/import`, { token, ...(json !== undefined && { json }) }),
  )
  .extend(
    'info',
    ({ api, reader }) =>
      ({ _id }: SpaceRecord, { token } = reader) =>
        api.call('GET', `/v1/spaces/${_id}/git/info`, { token }),
  );

describe('a login in the URL', () => {
  const secrets = ['CANARY0user', 'CANARY1pass', 'CANARY2token', 'CANARY3odd'];

  it('is sealed for the worker, and appears nowhere else', async ({
    api,
    organization,
    creator,
    importInto,
  }) => {
    const own = await buildSpace(organization);
    const answers = [
      await importInto(
        {
          ...good,
          url: `https://${secrets[0]}:${secrets[1]}@git.example.org/o/r.git`,
          gitInfo: { provider: 'github', url: 'https://github.com/o/r' },
        },
        creator,
        own,
      ),
      await importInto({ ...good, url: `https://${secrets[2]}@git.example.org/o/r.git` }, creator, own),
      await importInto(
        { ...good, url: `https://me:${secrets[3]}%40%2f%25zz@git.example.org/o/r.git` },
        creator,
        own,
      ),
      // Refused ones too.
      await importInto({ ...good, url: `https://me:${secrets[1]}@127.0.0.1/r.git` }, creator, own),
      await importInto({ ...good, url: `ssh://me:${secrets[1]}@git.example.org/r.git` }, creator, own),
      await importInto(
        { ...good, url: `https://me:${secrets[1]}@git.example.org/r.git`, ref: 'bad' },
        creator,
        own,
      ),
      await importInto(
        { ...good, url: `https://me:${secrets[1]}@git.example.org:99999/r.git` },
        creator,
        own,
      ),
      await importInto(
        { ...good, url: `https://git.example.org/r.git?access_token=${secrets[2]}` },
        creator,
        own,
      ),
      await importInto({ ...good, repoTreeURL: `https://me:${secrets[1]}@git.example.org/` }, creator, own),
    ];
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 400, 400, 400, 400, 400, 400]);
    const ids = answers.slice(0, 3).map(({ headers }) => headers.get('x-job-id') ?? '');
    const opened = [];
    for (const id of ids) {
      const record = await GitCredential.findById(id).lean();
      const { sealed } = record ?? {};
      if (!sealed) throw new Error('no credential');
      const fields = {
        keyId: sealed.keyId,
        nonce: bytesOf(sealed.nonce),
        ciphertext: bytesOf(sealed.ciphertext),
        tag: bytesOf(sealed.tag),
      };
      opened.push(JSON.parse(openSecret(api.config.secrets, fields, gitCredentialContext(id))));
      // Sealed for this job: it opens for no other.
      expect(() => openSecret(api.config.secrets, fields, 'git-credential:other')).toThrow('authenticate');
      expect(record?.expireAt.getTime()).toBeGreaterThan(Date.now() + 6 * 86_400_000);
    }
    expect(opened).toEqual([
      { username: secrets[0], password: secrets[1] },
      { username: secrets[2], password: '' },
      { username: 'me', password: expect.stringContaining(secrets[3] ?? '') },
    ]);
    expect(await inputOf(answers[0]?.headers ?? new Headers())).toMatchObject({
      url: 'https://git.example.org/o/r.git',
      hasLogin: true,
    });

    const reads = [];
    for (const path of [
      `/v1/spaces/${own._id}`,
      `/v1/spaces/${own._id}/git/info`,
      `/v1/orgs/${organization._id}/jobs?subject=${own._id}`,
      ...ids.map((id) => `/v1/jobs/${id}`),
    ])
      reads.push(await api.call('GET', path, { token: creator.token }));
    const redis = connectRedis(api.config, 'worker');
    const places = {
      answers: answers.map(textOf).join(),
      reads: reads.map(textOf).join(),
      logs: api.logLines.join(),
      redis: await dumpRedis(redis),
    };
    redis.disconnect();
    // They do hold what is looked at here.
    expect(await findCollectionsWith(ids[0] ?? '')).toEqual(
      expect.arrayContaining(['jobs', 'gitCredentials']),
    );
    expect(places.redis).toContain(ids[0]);
    expect(places.logs).toContain('git/import');
    for (const secret of secrets) {
      expect([secret, await findCollectionsWith(secret)]).toEqual([secret, []]);
      for (const [place, text] of Object.entries(places))
        expect([secret, place, text.includes(secret)]).toEqual([secret, place, false]);
    }
  });

  it('is not stored when the job is refused', async ({ importInto }) => {
    const before = await GitCredential.countDocuments();
    await importInto({ url: 'https://me:pw@git.example.org/r', ref: 'bad' });
    expect(await GitCredential.countDocuments()).toBe(before);
  });
});

describe('GET /v1/spaces/{spaceId}/git/info', () => {
  const gitSync = {
    provider: 'github',
    url: 'https://github.com/o/r',
    repoName: 'r',
    updatedAt: new Date('2026-01-02T03:04:05.678Z'),
  } as const;

  it('is 404 while the space has no git sync', async ({ space, info }) => {
    const { status, body } = await info(space);
    expect([status, body.error.message]).toEqual([404, expect.stringContaining('git sync')]);
  });

  it('shows the same sync as the space itself', async ({ api, organization, reader, info }) => {
    const synced = await buildSpace(organization, { gitSync });
    const { body } = await info(synced);
    expect(body).toEqual({
      installationId: synced._id,
      installationProvider: 'github',
      installationStatus: 'active',
      url: gitSync.url,
      repoName: 'r',
      updatedAt: '2026-01-02T03:04:05.678Z',
    });
    const { body: shown } = await api.call('GET', `/v1/spaces/${synced._id}`, { token: reader.token });
    expect(shown.gitSync).toEqual(body);
    const bare = await changeSpace(synced, { gitSync: { provider: 'gitlab', updatedAt: gitSync.updatedAt } });
    expect((await info(bare)).body).toEqual({
      installationId: synced._id,
      installationProvider: 'gitlab',
      installationStatus: 'active',
      updatedAt: '2026-01-02T03:04:05.678Z',
    });
  });

  it('reports the state of the last operation', async ({ organization, info }) => {
    const synced = await buildSpace(organization, { gitSync });
    const startedAt = new Date('2026-01-02T00:00:00.000Z');
    const finishedAt = new Date('2026-01-02T00:01:00.000Z');
    // One that waits has not begun, a preview is not the sync.
    await buildJob(synced, { createdAt: new Date('2027-01-01T00:00:00Z') });
    await buildJob(synced, {
      createdAt: new Date('2027-01-02T00:00:00Z'),
      startedAt,
      'input.standalone': true,
    } as never);
    expect((await info(synced)).body).not.toHaveProperty('operation');
    const job = await buildJob(synced, { state: 'running', startedAt });
    expect((await info(synced)).body.operation).toEqual({
      state: 'running',
      direction: 'import',
      startedAt: startedAt.toISOString(),
    });
    const error = { class: 'auth', code: 'auth', message: 'The server refused the login.' } as const;
    for (const [state, shown] of [
      ['succeeded', 'success'],
      ['superseded', 'success'],
      ['failed', 'failure'],
      ['cancelled', 'failure'],
      ['timed_out', 'timeout'],
    ] as const) {
      await jobCollection().updateOne(
        { _id: job._id },
        {
          $set: { state, finishedAt, ...(state === 'failed' && { error }) },
          ...(state !== 'failed' && { $unset: { error: '' } }),
        },
      );
      expect((await info(synced)).body.operation).toEqual({
        state: shown,
        direction: 'import',
        startedAt: startedAt.toISOString(),
        endedAt: finishedAt.toISOString(),
        ...(state === 'failed' && { error: error.message }),
      });
    }
    await jobCollection().updateOne(
      { _id: job._id },
      { $set: { outcome: 'owed', error: { ...error, action: 'Look.' } } },
    );
    const { body: before } = await info(synced);
    await expireJobs(job._id);
    expect((await info(synced)).body).toEqual(before);
    expect(before.operation).toMatchObject({ state: 'timeout', errorAction: { label: 'Look.' } });
    // One that was asked for before it shows no more, also while its record is there.
    await buildJob(synced, { state: 'running', startedAt, createdAt: new Date('2020-01-01T00:00:00Z') });
    expect((await info(synced)).body).toEqual(before);
    await buildJob(synced, {
      kind: 'git-export',
      state: 'running',
      startedAt,
      createdAt: new Date('2026-12-31T00:00:00Z'),
    });
    expect((await info(synced)).body.operation).toMatchObject({ direction: 'export', state: 'running' });
  });

  it('answers 404 when the space is closed or deleted', async ({ organization, info }) => {
    const closed = await buildSpace(organization, { gitSync, defaultLevel: null });
    expect((await info(closed)).status).toBe(404);
    await Space.deleteOne({ _id: closed._id });
  });
});

function textOf({ text, headers }: { text: string; headers: Headers }): string {
  return text + JSON.stringify([...headers]);
}

function bytesOf(value: unknown): Buffer {
  return Buffer.from((value as { buffer: Uint8Array }).buffer);
}
