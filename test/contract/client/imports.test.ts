import { createTreeBuilder } from '@bindery/content';
import { contentImportJobs, startWorker, type RunningWorker } from '@bindery/jobs';
import { createLogger } from '@bindery/runtime';
import { expect, vi } from 'vitest';
import { createImportContent } from '../../../apps/worker-maintenance/src/import/importContent.ts';
import { startContentServer } from '../../support/content/contentServer.ts';
import { buildChangeRequest } from '../../support/factories.ts';
import { until } from '../../support/until.ts';
import { it as base } from './clientHarness.ts';

// Each import starts a process, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const it = base
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads there which fixtures are wanted: none.
  .extend('server', { scope: 'file' }, async ({}, { onCleanup }) => {
    const server = await startContentServer();
    onCleanup(() => server.close());
    server.put('/a.md', { type: 'text/markdown', body: '# A\n' });
    server.put('/w/', { body: '<main><h1>W</h1><p>w</p></main>' });
    return server;
  })
  .extend('environment', { scope: 'file' }, ({ server }) => ({ BINDERY_OUTBOUND_ALLOW: server.hostPort }))
  /** Starts a worker that imports, until the end of the file. */
  .extend('startImporting', { scope: 'file' }, ({ api: { config, blobs } }, { onCleanup }) => {
    let worker: RunningWorker | undefined;
    const trees = createTreeBuilder(config);
    onCleanup(async () => {
      await worker?.stop(0);
      await trees.close();
    });
    return async () => {
      const logger = createLogger({ log: { level: 'silent' } }, { app: 'test' });
      const options = { app: 'test', concurrency: 2, config, logger };
      worker = await startWorker(
        contentImportJobs,
        { importContent: createImportContent({ config, blobs, trees }) },
        options,
      );
    };
  });

it('the published client imports content, and gets 503 without a worker', async ({
  client,
  server,
  space,
  startImporting,
}) => {
  const changeRequest = await buildChangeRequest(space);
  const content = { url: `${server.origin}/a.md`, source: 'markdown' };
  expect(await client.refused('importContent', [space._id, content])).toMatchObject({ code: 503 });

  await startImporting();
  const { data } = await client.call('importContent', [space._id, content]);
  expect(data).toEqual({ revision: expect.any(String), importedResources: 1, totalResources: 1 });
  await client.call('importContentInChangeRequest', [space._id, changeRequest._id, content]);
  expect(
    await client.refused('importContent', [space._id, { ...content, url: `${server.origin}/gone` }]),
  ).toMatchObject({ code: 400 });
  expect(
    await client.refused('importContentInChangeRequest', [
      space._id,
      changeRequest._id,
      { ...content, source: 'x' },
    ]),
  ).toMatchObject({
    code: 400,
  });
  client.expectValid('importContent', 'importContentInChangeRequest');
});

it('the published client applies templates', async ({ client, space }) => {
  const changeRequest = await buildChangeRequest(space);
  const contentRefs = { website: { kind: 'url', url: 'https://example.org/' } };
  expect(
    (await client.call('applyTemplateToSpace', [space._id, { id: 'product-docs', params: { contentRefs } }]))
      .status,
  ).toBe(204);
  await client.call('applyTemplateToSpace', [space._id, { id: 'blank', changeRequestId: changeRequest._id }]);
  expect(await client.refused('applyTemplateToSpace', [space._id, { id: 'nothing' }])).toMatchObject({
    code: 400,
  });
  client.expectValid('applyTemplateToSpace');
});

it('the published client starts, polls and cancels import runs', async ({
  client,
  organization,
  space,
  server,
}) => {
  const changeRequest = await buildChangeRequest(space);
  const source = { type: 'website', url: `${server.origin}/w/` };
  const target = { space: space._id, changeRequest: changeRequest._id };
  const { data: run } = await client.call('startImportRun', [
    organization._id,
    { source, target, enhance: false },
  ]);
  await until(
    'end',
    async () => (await client.call('getImportRun', [organization._id, run.id])).data.status === 'completed',
    {
      timeoutMs: 30_000,
    },
  );

  const { data: upload } = await client.call('generateStorageUploadURL', [
    organization._id,
    { file: { name: 'a.md', type: 'text/markdown', size: 3 }, kind: 'import_file' },
  ]);
  expect((await client.api.call('PUT', upload.url, { body: '# A' })).status).toBe(204);
  const { data: other } = await client.call('startImportRun', [
    organization._id,
    { source: { type: 'file', files: [upload.key] }, target: { space: space._id } },
  ]);
  await client.call('cancelImportRun', [organization._id, other.id]).catch(() => undefined);
  server.put('/never/', { serve: () => {} });
  const { data: third } = await client.call('startImportRun', [
    organization._id,
    { source: { ...source, url: `${server.origin}/never/` }, target: { space: space._id } },
  ]);
  await client.call('cancelImportRun', [organization._id, third.id]);

  await client.call('listImportRuns', [organization._id, {}]);
  await client.call('listImportRuns', [organization._id, { space: space._id, status: 'active', limit: 1 }]);
  expect(
    await client.refused('startImportRun', [organization._id, { source, target: { space: 'nothing' } }]),
  ).toMatchObject({ code: 400 });
  expect(await client.refused('getImportRun', [organization._id, 'nothing'])).toMatchObject({ code: 404 });
  client.expectValid(
    'startImportRun',
    'getImportRun',
    'listImportRuns',
    'cancelImportRun',
    'generateStorageUploadURL',
  );
});
