import { jobCollection, Space, type ChangeRequestRecord, type SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import { countRevisions, itImporting as base, readContent } from '../../support/content/contentImporting.ts';
import { buildChangeRequest, buildMember, buildOrganization } from '../../support/factories.ts';
import { until } from '../../support/until.ts';
import { bound } from '../../support/machine.ts';

const it = base
  .extend('waitSeconds', { scope: 'file' }, 2)
  /** Asks again until the import has ended: the machine may be slower than a request waits. */
  .extend('imported', ({ importInto }) => async (...args: Parameters<typeof importInto>) => {
    const first = await importInto(...args);
    if (first.status !== 503) return first;
    const id = first.headers.get('x-job-id');
    const job = await until(
      'end',
      async () => jobCollection().findOne({ _id: id ?? '', finishedAt: { $exists: true } }),
      {
        timeoutMs: 30_000,
      },
    );
    return { ...first, status: job.state === 'succeeded' ? 200 : 400, body: job.result };
  })
  /** An import that waits for its server: its job, its answer, and what lets the server answer. */
  .extend('begin', ({ space, server, importInto }) => async (changeRequest?: ChangeRequestRecord) => {
    const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    server.put('/held.md', {
      serve: (_request, response) => {
        asked.resolve();
        void gate.promise.then(() => response.setHeader('content-type', 'text/markdown').end('# Held'));
      },
    });
    const answer = importInto(space, `${server.origin}/held.md`, 'markdown', changeRequest);
    await asked.promise;
    const job = await jobCollection().findOne({ 'input.spaceId': space._id });
    return { id: job?._id ?? '', answer, release: gate.resolve };
  });

it.beforeEach(({ server }) => {
  server.put('/a.md', { type: 'text/markdown', body: '# A' });
});

describe('an import into a change request', () => {
  it('changes only the change request, and adds the caller to its contributors', async ({
    api,
    organization,
    space,
    server,
  }) => {
    const changeRequest = await buildChangeRequest(space);
    const editor = await buildMember(organization, 'edit');
    const path = `/v1/spaces/${space._id}/change-requests/${changeRequest.number}`;
    await api.call('POST', `${path}/content/import`, {
      token: editor.token,
      json: { url: `${server.origin}/a.md`, source: 'markdown' },
    });
    const after = await until(
      'revision',
      async () => {
        const { body } = await api.call('GET', path, { token: editor.token });
        return body.revision !== changeRequest.revision ? body : undefined;
      },
      { timeoutMs: 30_000 },
    );
    expect((await Space.findById(space._id).lean<SpaceRecord>())?.revision).toBe(space.revision);
    const content = await readContent(space, after.revision);
    expect(content.outline).toEqual(['document Space /readme', 'document A /a']);
    expect(content.revision.parents).toEqual([changeRequest.revision]);
    const { items } = (await api.call('GET', `${path}/contributors`, { token: editor.token })).body;
    expect(items).toContainEqual(
      expect.objectContaining({ user: expect.objectContaining({ id: editor.user._id }), actionType: 'edit' }),
    );
  });

  it('is refused when the change request is merged', async ({ api, admin, space, importInto, server }) => {
    const changeRequest = await buildChangeRequest(space);
    await api.call('POST', `/v1/spaces/${space._id}/change-requests/${changeRequest._id}/merge`, {
      token: admin.token,
    });
    const { status } = await importInto(space, `${server.origin}/a.md`, 'markdown', changeRequest);
    expect(status).toBe(409);
  });

  it('works in a locked space', async ({ space, server, imported }) => {
    const changeRequest = await buildChangeRequest(space);
    await Space.updateOne({ _id: space._id }, { $set: { editMode: 'locked' } });
    expect((await imported(space, `${server.origin}/a.md`, 'markdown', changeRequest)).status).toBe(200);
  });
});

describe('imports at the same time', () => {
  it('of the same URL into the same space share one job', async ({ space, server, importInto, newSpace }) => {
    let served = 0;
    const gate = Promise.withResolvers<void>();
    server.put('/slow.md', {
      serve: (_request, response) => {
        served += 1;
        void gate.promise.then(() =>
          response.writeHead(200, { 'content-type': 'text/markdown' }).end('# Slow'),
        );
      },
    });
    const answers = Array.from({ length: 5 }, () =>
      importInto(space, `${server.origin}/slow.md`, 'markdown'),
    );
    await until('request', () => served === 1, { timeoutMs: 20_000 });
    // Another source or another target is something else.
    const other = await newSpace();
    void importInto(other, `${server.origin}/slow.md`, 'markdown');
    await until('request of the other', () => served === 2, { timeoutMs: 20_000 });
    gate.resolve();
    const ids = new Set((await Promise.all(answers)).map(({ headers }) => headers.get('x-job-id')));
    expect(ids.size).toBe(1);
    await until('end', async () => (await countRevisions(space)) === 2, { timeoutMs: 20_000 });
    expect(await jobCollection().countDocuments({ 'input.spaceId': space._id })).toBe(1);
  });

  it(
    'of different files into one space all succeed, one after the other',
    { timeout: 60_000 },
    async ({ space, server, imported }) => {
      const names = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'];
      for (const name of names) server.put(`/${name}.md`, { type: 'text/markdown', body: `# ${name}` });
      const answers = await Promise.all(
        names.map((name) => imported(space, `${server.origin}/${name}.md`, 'markdown')),
      );
      expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
      const content = await readContent(space);
      expect(
        content.outline
          .slice(1)
          .map((line) => line.split(' ', 2).at(-1) ?? '')
          .toSorted(),
      ).toEqual(names);
      expect(await countRevisions(space)).toBe(7);
      // Each grew from the one before.
      let revision = content.revision;
      for (let steps = 0; steps < 6; steps += 1)
        revision = (await readContent(space, revision.parents[0])).revision;
      expect(revision._id).toBe(space.revision);
    },
  );

  it('keep the pages of an import that ends while a slower one runs', async ({ space, server, imported }) => {
    const gate = Promise.withResolvers<void>();
    server.put('/slow.md', {
      serve: (_request, response) =>
        void gate.promise.then(() =>
          response.writeHead(200, { 'content-type': 'text/markdown' }).end('# Slow'),
        ),
    });
    const slow = imported(space, `${server.origin}/slow.md`, 'markdown');
    await until('request', () => server.requests.includes('/slow.md'), { timeoutMs: 20_000 });
    await imported(space, `${server.origin}/a.md`, 'markdown');
    gate.resolve();
    expect((await slow).status).toBe(200);
    expect((await readContent(space)).outline).toEqual([
      'document Space /readme',
      'document A /a',
      'document Slow /slow',
    ]);
  });
});

describe('a slow import', () => {
  it('is answered with 503 and its job, which goes on', async ({ api, admin, space, server, importInto }) => {
    const gate = Promise.withResolvers<void>();
    server.put('/slow.md', {
      serve: (_request, response) =>
        void gate.promise.then(() =>
          response.writeHead(200, { 'content-type': 'text/markdown' }).end('# Slow'),
        ),
    });
    const { status, headers, body } = await importInto(space, `${server.origin}/slow.md`, 'markdown');
    expect([status, headers.get('retry-after'), body.error.message]).toEqual([
      503,
      '10',
      'The content is still being imported.',
    ]);
    const id = headers.get('x-job-id');
    expect(headers.get('link')).toContain(`/v1/jobs/${id}>; rel="monitor"`);
    gate.resolve();
    expect((await api.call('GET', `/v1/jobs/${id}?wait=20`, { token: admin.token })).body.state).toBe(
      'succeeded',
    );
  });

  it('can be cancelled, which closes its connection to the source too', async ({
    api,
    admin,
    space,
    server,
    importInto,
  }) => {
    let isOpen = false;
    server.put('/never.md', {
      serve: (_request, response) => {
        isOpen = true;
        response.on('close', () => (isOpen = false));
      },
    });
    const asking = importInto(space, `${server.origin}/never.md`, 'markdown');
    await until('request', () => isOpen, { timeoutMs: 20_000 });
    const job = await jobCollection().findOne({ 'input.spaceId': space._id });
    expect((await api.call('POST', `/v1/jobs/${job?._id}/cancel`, { token: admin.token })).status).toBe(200);
    await until('end of the reading', () => !isOpen);
    expect([409, 503]).toContain((await asking).status);
    expect((await api.call('GET', `/v1/jobs/${job?._id}?wait=10`, { token: admin.token })).body.state).toBe(
      'cancelled',
    );
    expect(await countRevisions(space)).toBe(1);
  });
});

describe('an import whose target is deleted or merged while it runs', () => {
  const ended = async (id: string, timeoutMs: number) =>
    until('end', async () => jobCollection().findOne({ _id: id, finishedAt: { $exists: true } }), {
      timeoutMs,
    });

  it('is cancelled when its space is deleted, which can be restored unchanged', async ({
    api,
    admin,
    space,
    begin,
  }) => {
    const { id, answer, release } = await begin();
    expect((await api.call('DELETE', `/v1/spaces/${space._id}`, { token: admin.token })).status).toBe(204);
    expect((await ended(id, 5_000)).state).toBe('cancelled');
    release();
    await answer;
    expect(await countRevisions(space)).toBe(1);
    const restored = await api.call('POST', `/v1/spaces/${space._id}/restore`, { token: admin.token });
    expect([restored.status, restored.body.revision]).toEqual([200, space.revision]);
  });

  it('fails when its change request was merged, and changes neither the change request nor the space', async ({
    api,
    admin,
    space,
    begin,
  }) => {
    const changeRequest = await buildChangeRequest(space);
    const path = `/v1/spaces/${space._id}/change-requests/${changeRequest._id}`;
    const { id, answer, release } = await begin(changeRequest);
    expect((await api.call('POST', `${path}/merge`, { token: admin.token })).status).toBe(200);
    const merged = (await Space.findById(space._id).lean<SpaceRecord>())?.revision;
    release();
    await answer;
    expect((await ended(id, 30_000)).state).toBe('failed');
    expect((await Space.findById(space._id).lean<SpaceRecord>())?.revision).toBe(merged);
    expect((await api.call('GET', path, { token: admin.token })).body.revision).toBe(changeRequest.revision);
  });
});

it('an import needs the permission to edit, and a space that the caller can view', async ({
  api,
  organization,
  space,
  server,
}) => {
  const json = { url: `${server.origin}/a.md`, source: 'markdown' };
  const ask = async (token: string) =>
    (await api.call('POST', `/v1/spaces/${space._id}/content/import`, { token, json })).status;
  expect(await ask((await buildMember(organization, 'comment')).token)).toBe(403);
  expect(await ask((await buildOrganization()).admin.token)).toBe(404);
});

it('an import without a worker of its kind is answered at once with 503 and its job', async ({
  api,
  admin,
  space,
  importInto,
  server,
}) => {
  const startMs = Date.now();
  const { status, headers, body } = await importInto(space, `${server.origin}/o/r/wiki`, 'github-wiki');
  expect([status, body.error.message]).toEqual([503, expect.stringContaining('No worker')]);
  expect(Date.now() - startMs).toBeLessThan(bound(1_500));
  const id = headers.get('x-job-id');
  expect((await api.call('GET', `/v1/jobs/${id}`, { token: admin.token })).body).toMatchObject({
    waiting: { reason: 'no_worker' },
  });
  expect((await importInto(space, `${server.origin}/o/r/wiki`, 'github-wiki')).headers.get('x-job-id')).toBe(
    id,
  );
});
