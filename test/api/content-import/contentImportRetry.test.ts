import { jobCollection } from '@bindery/models';
import { describe, expect } from 'vitest';
import { countRevisions, itImporting as base, readContent } from '../../support/content/contentImporting.ts';
import { until } from '../../support/until.ts';

// A client without an answer repeats its request with the same `Idempotency-Key`.

const it = base.extend('waitSeconds', { scope: 'file' }, 2).extend(
  'ask',
  ({ api, admin, space, server }) =>
    (key: string, headers: Record<string, string> = {}) =>
      api.call('POST', `/v1/spaces/${space._id}/content/import`, {
        token: admin.token,
        headers: { 'idempotency-key': key, ...headers },
        json: { url: `${server.origin}/slow.md`, source: 'markdown' },
      }),
);

const untilEnded = (id: string | null) =>
  until('end', async () => jobCollection().findOne({ _id: id ?? '', finishedAt: { $exists: true } }), {
    timeoutMs: 30_000,
  });

describe('an import that outlasts its request', () => {
  it('is answered later for the same Idempotency-Key, and done once', async ({
    ask,
    api,
    admin,
    space,
    server,
  }) => {
    const gate = Promise.withResolvers<void>();
    server.put('/slow.md', {
      serve: (_request, response) =>
        void gate.promise.then(() =>
          response.writeHead(200, { 'content-type': 'text/markdown' }).end('# Slow'),
        ),
    });
    const { headers: shown } = await api.call('GET', `/v1/spaces/${space._id}`, { token: admin.token });
    const condition = { 'if-match': shown.get('etag') ?? '' };
    const first = await ask('slow', condition);
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '10']);
    // It still runs: the same request waits for it again.
    const second = await ask('slow', condition);
    const id = first.headers.get('x-job-id');
    expect([second.status, second.headers.get('x-job-id')]).toEqual([503, id]);
    gate.resolve();
    await untilEnded(id);
    const third = await ask('slow', condition);
    expect([third.status, third.headers.get('x-job-id'), third.body.importedResources]).toEqual([200, id, 1]);
    const fourth = await ask('slow', condition);
    expect([fourth.status, fourth.headers.get('idempotency-replayed'), fourth.body]).toEqual([
      200,
      'true',
      third.body,
    ]);
    expect(await countRevisions(space)).toBe(2);
  });

  it('is also done once when it joins the job of another request', async ({ ask, space, server }) => {
    const gate = Promise.withResolvers<void>();
    server.put('/slow.md', {
      serve: (_request, response) =>
        void gate.promise.then(() =>
          response.writeHead(200, { 'content-type': 'text/markdown' }).end('# Slow'),
        ),
    });
    const [one, other] = await Promise.all([ask('one'), ask('other')]);
    expect([one.status, other.status]).toEqual([503, 503]);
    gate.resolve();
    await untilEnded(one.headers.get('x-job-id'));
    expect([(await ask('one')).status, (await ask('other')).status]).toEqual([200, 200]);
    expect(await countRevisions(space)).toBe(2);
  });
});

it('a failed import is started again by the same Idempotency-Key', async ({ ask, space, server }) => {
  server.put('/slow.md', { status: 404, type: 'text/plain', body: 'Not yet.' });
  const first = await ask('again');
  await untilEnded(first.headers.get('x-job-id'));
  server.put('/slow.md', { type: 'text/markdown', body: '# Slow' });
  const second = await until('an answer', async () => {
    const answer = await ask('again');
    return answer.status === 503 ? undefined : answer;
  });
  expect(second.status).toBe(200);
  expect(second.headers.get('x-job-id')).not.toBe(first.headers.get('x-job-id'));
  expect((await readContent(space)).outline).toContain('document Slow /slow');
});
