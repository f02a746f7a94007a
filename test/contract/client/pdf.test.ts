import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pdfJobs, startWorker, type Processor, type RunningWorker } from '@bindery/jobs';
import { createLogger } from '@bindery/runtime';
import { expect } from 'vitest';
import { buildChangeRequest, buildRevision } from '../../support/factories.ts';
import { it as base } from './clientHarness.ts';

/** Starts a worker that stores what it was asked for as a PDF. */
const it = base.extend('startPrinting', ({ api: { config, blobs } }, { onCleanup }) => {
  let worker: RunningWorker | undefined;
  onCleanup(() => worker?.stop(0));
  const print: Processor<typeof pdfJobs.printSpace> = async (input, { job }) => {
    const bytes = Buffer.from(`%PDF-1.4 ${JSON.stringify(input)}\n%%EOF\n`);
    const file = createHash('sha256').update(bytes).digest('hex');
    await blobs.put(`${job.organization}:${file}`, Readable.from([bytes]));
    return { result: { file, sizeBytes: bytes.length } };
  };
  return async () => {
    const logger = createLogger({ log: { level: 'silent' } }, { app: 'test' });
    const options = { app: 'test', concurrency: 2, config, logger };
    worker = await startWorker(pdfJobs, { printSpace: print, printChangeRequest: print }, options);
  };
});

it('the published client gets links to PDFs, and 503 without a worker', async ({
  client,
  space,
  startPrinting,
}) => {
  await buildRevision(space, { pages: [{ id: 'page1', source: 'One' }] });
  const { _id: changeRequest } = await buildChangeRequest(space);
  expect(await client.refused('getSpacePDF', [space._id])).toMatchObject({ code: 503 });
  expect(await client.refused('getChangeRequestPDF', [space._id, changeRequest])).toMatchObject({
    code: 503,
  });

  await startPrinting();
  for (const query of [{}, { page: 'page1' }, { page: 'page1', only: true }, { pageSize: 'letter' }]) {
    const { data } = await client.call('getSpacePDF', [space._id, query]);
    expect((await fetch(data.url.replace(client.api.config.api.publicUrl, client.api.origin))).status).toBe(
      200,
    );
    await client.call('getChangeRequestPDF', [space._id, changeRequest, query]);
  }
  await client.call('getChangeRequestPDF', [space._id, changeRequest, { changes: true }]);
  expect(await client.refused('getSpacePDF', [space._id, { changes: true }])).toMatchObject({ code: 400 });
  expect(await client.refused('getSpacePDF', [space._id, { page: 'nothing' }])).toMatchObject({ code: 404 });
  expect(
    await client.refused('getChangeRequestPDF', [space._id, changeRequest, { only: true }]),
  ).toMatchObject({ code: 400 });
  client.expectValid('getSpacePDF', 'getChangeRequestPDF');
});
