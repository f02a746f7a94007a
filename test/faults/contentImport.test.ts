import { readdir } from 'node:fs/promises';
import { acceptJob, contentImportJobs, openQueues } from '@bindery/jobs';
import type { JobRecord, SpaceRecord } from '@bindery/models';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { areGone, type AppProcess } from '../support/processes/appProcess.ts';
import { countRevisions, readContent } from '../support/content/contentImporting.ts';
import { startContentServer, type ContentServer } from '../support/content/contentServer.ts';
import { startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { until } from '../support/until.ts';

const points = [
  'job.claimed',
  'content_import.gathered',
  'content_import.stored',
  'job.finishing',
  'job.finished',
];

let server: ContentServer;
let lab: FaultLab;
beforeAll(async () => {
  server = await startContentServer();
  lab = await startFaultLab({ BINDERY_OUTBOUND_ALLOW: server.hostPort, BINDERY_SHUTDOWN_GRACE_MS: '200' });
});
afterEach(async () => {
  await lab.reset({ keep: ['worker-maintenance'] });
  server.clear();
});
afterAll(async () => {
  await lab.close();
  await server.close();
});

function accept(space: SpaceRecord, path: string): Promise<JobRecord> {
  return acceptJob(contentImportJobs.importContent, {
    organization: space.organization,
    subject: { type: 'space', id: space._id },
    startedBy: 'somebody',
    permission: 'space.edit',
    input: { spaceId: space._id, source: 'markdown', url: `${server.origin}${path}` },
  });
}

async function expectImportedOnce(space: SpaceRecord): Promise<void> {
  expect(await countRevisions(space)).toBe(2);
  expect((await readContent(space)).outline.slice(1)).toEqual(['document A /a']);
}

/** Expects the children of the processes to be gone, and folders only of runs that were killed. */
async function expectNothingLeft(killed: readonly AppProcess[]): Promise<void> {
  for (const app of killed)
    await until('end of what it had started', () => areGone(app.children), { timeoutMs: 10_000 });
  const left = (await readdir(lab.workFolder)).filter((name) => name.startsWith('bindery-import-'));
  expect(left.length).toBeLessThanOrEqual(killed.length);
}

describe('a worker that is killed in an import', { timeout: 90_000 }, () => {
  it.each(points)('at %s creates one revision', async (point) => {
    server.put('/a.md', { type: 'text/markdown', body: '# A\n' });
    const dying = await lab.start('worker-maintenance', { fault: `${point}:1:kill` });
    const space = await lab.newSpace();
    const job = await accept(space, '/a.md');
    expect(await dying.ended).toBe('SIGKILL');
    await lab.start('worker-maintenance');
    const ended = await lab.waitFor(job._id, 'succeeded', 60_000);
    const hasCommitted = point === 'job.finished';
    expect(ended).toMatchObject({ epoch: hasCommitted ? 1 : 2, crashes: hasCommitted ? 0 : 1 });
    await expectImportedOnce(space);
    await expectNothingLeft([dying]);
  });

  it('also ends its reading process, which waits for the server', async () => {
    let isOpen = false;
    let isHeld = true;
    server.put('/a.md', {
      serve: (_request, response) => {
        if (!isHeld) {
          response.writeHead(200, { 'content-type': 'text/markdown' }).end('# A\n');
          return;
        }
        isOpen = true;
        response.on('close', () => (isOpen = false));
      },
    });
    const dying = await lab.start('worker-maintenance');
    const space = await lab.newSpace();
    const job = await accept(space, '/a.md');
    await until('request', () => isOpen, { timeoutMs: 30_000 });
    isHeld = false;
    dying.signal('SIGKILL');
    await until('end of the request', () => !isOpen, { timeoutMs: 10_000 });
    await lab.start('worker-maintenance');
    await lab.waitFor(job._id, 'succeeded', 60_000);
    await expectImportedOnce(space);
    await expectNothingLeft([dying]);
  });
});

it('a job that is delivered twice has one effect', { timeout: 60_000 }, async () => {
  server.put('/a.md', { type: 'text/markdown', body: '# A\n' });
  await Promise.all([lab.start('worker-maintenance'), lab.start('worker-maintenance')]);
  const space = await lab.newSpace();
  const { _id, dispatch } = await accept(space, '/a.md');
  const queue = openQueues().find(({ name }) => name === contentImportJobs.importContent.queue)!;
  await queue.add('job', { id: _id, dispatch }, { jobId: 'again' });
  await lab.waitFor(_id, 'succeeded', 40_000);
  const pending = ['waiting', 'prioritized', 'delayed', 'active'] as const;
  await until('end of both deliveries', async () =>
    Object.values(await queue.getJobCounts(...pending)).every((count) => count === 0),
  );
  expect(await lab.find(_id)).toMatchObject({ state: 'succeeded', epoch: 1, crashes: 0 });
  await expectImportedOnce(space);
});

it('a worker that gets SIGTERM hands back its running import', { timeout: 90_000 }, async () => {
  let served = 0;
  server.put('/a.md', {
    serve: (_request, response) => {
      served += 1;
      if (served > 1) response.writeHead(200, { 'content-type': 'text/markdown' }).end('# A\n');
    },
  });
  const first = await lab.start('worker-maintenance');
  const space = await lab.newSpace();
  const job = await accept(space, '/a.md');
  await until('request', () => served === 1, { timeoutMs: 30_000 });
  first.signal('SIGTERM');
  expect(await first.ended).toBe(0);
  expect(await lab.find(job._id)).toMatchObject({ state: 'queued', crashes: 0 });
  await lab.start('worker-maintenance');
  await lab.waitFor(job._id, 'succeeded', 60_000);
  await expectImportedOnce(space);
});
