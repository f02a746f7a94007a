import type { ServerResponse } from 'node:http';
import { jobCollection, OpenAPISpecVersion } from '@bindery/models';
import { describe, expect } from 'vitest';
import { it as base, petstore } from '../../support/openapi/specs.ts';
import { until } from '../../support/until.ts';

const json = 'application/json';

const it = base
  .extend('jobOf', { scope: 'file' }, ({ call }) => async (slug: string, source: object) => {
    const { status, headers } = await call('PUT', slug, { source });
    expect(status).toBe(200);
    return headers.get('x-job-id') ?? '';
  })
  .extend('find', { scope: 'file' }, ({ api: _started }) => async (id: string) => {
    const job = await jobCollection().findOne({ _id: id });
    if (!job) throw new Error(`There is no job ${id}.`);
    return job;
  })
  /** Makes a path of the server wait for its answer. */
  .extend('hold', { scope: 'file' }, ({ server }) => (path: string) => {
    const held: ServerResponse[] = [];
    server.put(path, { serve: (_request, response) => void held.push(response) });
    return held;
  });

describe('a source that is replaced while a worker reads it', () => {
  it('makes no version although its document arrives; the new source does', async ({
    server,
    call,
    processed,
    jobOf,
    find,
    hold,
  }) => {
    const held = hold('/slow.json');
    const older = await jobOf('slow', { url: `${server.origin}/slow.json` });
    await until('request for the older source', () => held.length > 0);
    const newer = await jobOf('slow', { text: petstore({ '/new': {} }) });
    for (const response of held)
      response.writeHead(200, { 'content-type': json }).end(petstore({ '/old': {} }));
    const { id, lastVersion } = await processed('slow');
    expect(await find(older)).toMatchObject({ state: 'superseded', error: { code: 'superseded' } });
    expect(await find(newer)).toMatchObject({ state: 'succeeded', result: { version: lastVersion } });
    const versions = await OpenAPISpecVersion.find({ spec: id }).lean();
    expect(versions.map(({ _id }) => _id)).toEqual([lastVersion]);
    const { text } = await call('GET', 'slow/versions/latest/content');
    expect(text).toContain('/new');
  });

  it('does not delay the new source while its server is silent', async ({
    server,
    processed,
    jobOf,
    find,
    hold,
  }) => {
    const held = hold('/silent.json');
    const older = await jobOf('silent', { url: `${server.origin}/silent.json` });
    await until('request for the older source', () => held.length > 0);
    await jobOf('silent', { text: petstore() });
    expect((await processed('silent')).lastVersion).toEqual(expect.any(String));
    const { state, attempts } = await find(older);
    expect([state, attempts.length, held.length]).toEqual(['superseded', 1, 1]);
  });

  it('does not delay the new source while it waits for its next attempt', async ({
    server,
    processed,
    jobOf,
    find,
  }) => {
    server.put('/busy.json', { status: 503, headers: { 'retry-after': '240' } });
    const older = await jobOf('busy', { url: `${server.origin}/busy.json` });
    await until('pause before the next attempt', async () => (await find(older)).runAfter);
    await jobOf('busy', { text: petstore() });
    expect((await processed('busy')).lastVersion).toEqual(expect.any(String));
    const { state, attempts } = await find(older);
    expect([state, attempts.length]).toEqual(['superseded', 1]);
  });
});
