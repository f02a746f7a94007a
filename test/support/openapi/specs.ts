import { openapiJobs, startWorker } from '@bindery/jobs';
import { createLogger } from '@bindery/runtime';
import { followDueReviews } from '../../../apps/worker-maintenance/src/reviewSpecs.ts';
import { createSpecReader } from '../../../apps/worker-openapi/src/child/specReader.ts';
import { createSpecReviewer } from '../../../apps/worker-openapi/src/child/specReviewer.ts';
import { createProcessSpec } from '../../../apps/worker-openapi/src/processSpec.ts';
import { createReviewVersion } from '../../../apps/worker-openapi/src/reviewVersion.ts';
import { startContentServer } from '../content/contentServer.ts';
import { it as base } from '../it.ts';
import { bound } from '../machine.ts';
import { startApp } from '../processes/appProcess.ts';
import { until } from '../until.ts';

/** A small specification with some paths, as JSON. */
export function petstore(paths: Record<string, unknown> = {}, more: Record<string, unknown> = {}): string {
  return JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Pets', version: '1.0' },
    paths: { '/pets': { get: { summary: 'List', responses: { 200: { description: 'All.' } } } }, ...paths },
    ...more,
  });
}

const logger = createLogger({ log: { level: 'silent' } }, { app: 'test' });

/**
 * The `it` of tests of specifications: a web server for sources, and a worker in this process. `put` gives a
 * specification a source, and waits until it is processed; `reviewed` waits for the review of a version, and
 * `twoVersions` makes two, of which the second lacks an operation.
 */
export const it = base
  // oxlint-disable-next-line no-empty-pattern -- it takes no fixtures
  .extend('server', { scope: 'file' }, async ({}, { onCleanup }) => {
    const server = await startContentServer();
    onCleanup(server.close);
    return server;
  })
  .extend('environment', { scope: 'file' }, ({ server }): Record<string, string> => ({
    BINDERY_OUTBOUND_ALLOW: server.hostPort,
  }))
  .extend('worker', { scope: 'file' }, async ({ api }, { onCleanup }) => {
    const reader = await createSpecReader(api.config);
    const reviewer = createSpecReviewer(api.config);
    const worker = await startWorker(
      openapiJobs,
      {
        processSpec: createProcessSpec({ config: api.config, blobs: api.blobs, reader }),
        reviewVersion: createReviewVersion({ blobs: api.blobs, reviewer }),
      },
      { app: 'test', concurrency: 2, config: api.config, logger },
    );
    onCleanup(async () => {
      await worker.stop(0);
      await Promise.all([reader.close(), reviewer.close()]);
    });
    return { pid: process.pid };
  })
  .extend(
    'call',
    { scope: 'file' },
    ({ api, organization, creator }) =>
      (method: string, path: string, json?: unknown, headers: Record<string, string> = {}) =>
        api.call(method, `/v1/orgs/${organization._id}/openapi${path && `/${path}`}`, {
          token: creator.token,
          headers,
          ...(json !== undefined && { json }),
        }),
  )
  .extend('processed', { scope: 'file' }, ({ call, worker: _started }) => async (slug: string) => {
    let spec: Awaited<ReturnType<typeof call>>['body'];
    await until(
      'end of the processing',
      async () => (spec = (await call('GET', slug)).body).processingState === 'complete',
      { timeoutMs: bound(60_000) },
    );
    return spec;
  })
  .extend('put', { scope: 'file' }, ({ call, processed }) => async (slug: string, source: object) => {
    const { status, text } = await call('PUT', slug, { source });
    if (status !== 200) throw new Error(`${status} ${text}`);
    return processed(slug);
  })
  .extend('reviewed', { scope: 'file' }, ({ call }) => async (path: string) => {
    await until(
      'end of the review',
      async () => {
        // Its clock may be behind that of the worker.
        await followDueReviews({ logger, signal: AbortSignal.timeout(60_000) });
        return (await call('GET', `${path}/compatibility`)).body.state !== 'pending';
      },
      { timeoutMs: bound(60_000) },
    );
    return (await call('GET', path)).body;
  })
  .extend('twoVersions', { scope: 'file' }, ({ put, reviewed }) => async (slug: string) => {
    const { lastVersion: first } = await put(slug, {
      text: petstore({ '/cats': { get: { responses: {} } } }),
    });
    await reviewed(`${slug}/versions/${first}`);
    const { lastVersion: second } = await put(slug, { text: petstore() });
    return { first, second, version: await reviewed(`${slug}/versions/${second}`) };
  })
  .extend('content', { scope: 'file' }, ({ call }) => async (slug: string) => {
    const { body } = await call('GET', `${slug}/versions/latest/content`);
    return body.filesystem;
  });

/** The same with the worker as a process of its own, which has the environment of the file. */
export const itWithWorkerProcess = it.extend(
  'worker',
  { scope: 'file' },
  async ({ api: _started, environment }, { onCleanup }) => {
    const app = await startApp('worker-openapi', { ...process.env, ...environment });
    onCleanup(async () => {
      app.signal('SIGTERM');
      await app.ended;
    });
    return { pid: app.pid };
  },
);
