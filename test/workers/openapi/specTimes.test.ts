import type { ServerResponse } from 'node:http';
import { OpenAPISpec } from '@bindery/models';
import { createLogger } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { refreshDueSpecs } from '../../../apps/worker-maintenance/src/refreshSpecs.ts';
import { itWithWorkerProcess, petstore } from '../../support/openapi/specs.ts';

const json = 'application/json';
const logger = createLogger({ log: { level: 'silent' } }, { app: 'test' });
const hourMs = 3_600_000;

// One job at once: the next shows that the worker has let go of the one before.
const it = itWithWorkerProcess
  .extend('environment', { scope: 'file' }, ({ server }): Record<string, string> => ({
    BINDERY_OUTBOUND_ALLOW: server.hostPort,
    BINDERY_WORKER_CONCURRENCY: '1',
    BINDERY_OPENAPI_FETCH_TIMEOUT_SECONDS: '1',
    BINDERY_OPENAPI_TIMEOUT_SECONDS: '5',
  }))
  /** The time until the next refresh, once the one that is due has been accepted. */
  .extend('refreshDue', { scope: 'file' }, ({ api }) => async (slug: string): Promise<number> => {
    await OpenAPISpec.updateOne({ slug }, { $set: { nextRefreshAt: new Date(0) } });
    await refreshDueSpecs({ config: api.config, logger, signal: AbortSignal.timeout(60_000) });
    const spec = await OpenAPISpec.findOne({ slug }).lean().orFail();
    return Number(spec.nextRefreshAt) - Date.now();
  });

/** Sends a byte now and then, and never ends. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': json });
  const timer = setInterval(() => response.write(' '), 50);
  response.once('close', () => clearInterval(timer));
}

/** The schema of OpenAPI says that no two tags are equal, so each is compared with all others. */
function manyTags(): string {
  return petstore({}, { tags: Array.from({ length: 200_000 }, (_, index) => ({ name: `t${index}` })) });
}

describe('a server of specifications', { timeout: 180_000 }, () => {
  it.for([
    ['never answers', 'silent', () => {}],
    [
      'sends a byte now and then',
      'dripping',
      (_request: unknown, response: ServerResponse) => drip(response),
    ],
  ] as const)(
    'causes FETCH_TIMEOUT, and gets fewer requests, when it %s',
    async ([, slug, serve], { server, put, processed, refreshDue }) => {
      const url = `${server.origin}/${slug}.json`;
      server.put(`/${slug}.json`, { type: json, body: petstore() });
      const { lastVersion } = await put(slug, { url });
      server.put(`/${slug}.json`, { serve });
      server.requests.length = 0;
      const spec = await put(slug, { url });
      expect(spec).toMatchObject({
        lastVersion,
        lastProcessErrorCode: 'FETCH_TIMEOUT',
        lastProcessedErrors: [{ code: 'timeout', message: expect.any(String) }],
        refresh: { failingSince: spec.lastProcessedAt },
      });
      // All attempts of the job.
      expect(server.requests).toEqual(Array(5).fill(`/${slug}.json`));
      server.put(`/${slug}.json`, { type: json, body: petstore() });
      const afterFailure = await refreshDue(slug);
      expect(await processed(slug)).not.toHaveProperty('lastProcessErrorCode');
      expect(afterFailure).toBeGreaterThan(1.5 * 6 * hourMs);
      expect(await refreshDue(slug)).toBeLessThan(1.5 * 6 * hourMs);
      await processed(slug);
    },
  );

  it('leads to a version without the other files when it serves only the entry', async ({
    server,
    put,
    call,
  }) => {
    const files = Array.from({ length: 200 }, (_, index) => `/unanswered-${index}.json`);
    for (const file of files) server.put(file, { serve: () => {} });
    const paths = Object.fromEntries(files.map(($ref) => [$ref, { $ref }]));
    server.put('/entry.json', { type: json, body: petstore(paths) });
    server.requests.length = 0;
    const spec = await put('entry', { url: `${server.origin}/entry.json` });
    expect(spec).toMatchObject({ lastVersion: expect.any(String) });
    const { body } = await call('GET', 'entry/versions/latest/findings');
    const messages = body.items
      .filter(({ rule }: { rule: string }) => rule === 'file-refused')
      .map(({ message }: { message: string }) => message);
    expect(messages.length).toBe(files.length);
    expect(messages[0]).toMatch(/did not answer in time|took too long/);
    expect(messages.at(-1)).toBe(
      'Fetching the other files of the specification took longer than 5 seconds together.',
    );
    // Eight at a time for five seconds, each for one.
    expect(server.requests.length).toBeLessThan(files.length / 2);
  });
});

describe('a document that takes too long to read', { timeout: 180_000 }, () => {
  it('runs into the time limit, which the specification reports, and the worker goes on', async ({ put }) => {
    const spec = await put('slow', { text: manyTags() });
    expect(spec).toMatchObject({
      lastProcessErrorCode: 'PARSE_ERROR',
      lastProcessedErrors: [
        { code: 'reading-limit', message: expect.stringMatching(/longer than the limit of 5 seconds/) },
      ],
    });
    expect((await put('slow', { text: petstore() })).lastVersion).toEqual(expect.any(String));
  });
});
