import { acceptJob, openapiJobs } from '@bindery/jobs';
import { mongoDatabase, OpenAPISpec, OpenAPISpecVersion, type OpenAPISpecRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { readdir } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startContentServer, type ContentServer } from '../support/content/contentServer.ts';
import { bound } from '../support/machine.ts';
import { petstore } from '../support/openapi/specs.ts';
import { startFaultLab, type FaultLab } from '../support/processes/faultLab.ts';
import { until } from '../support/until.ts';

const points = [
  'job.claimed',
  'openapi.fetched',
  'openapi.read',
  'openapi.stored',
  'job.finishing',
  'job.publishing',
  'job.finished',
];

/** Blobs of an organization that no version names. */
async function unnamedBlobs(organization: string): Promise<string[]> {
  const versions = await OpenAPISpecVersion.find({ organization }).lean();
  const named = versions.flatMap(({ document, bundle, filesystem, index, findings, review }) =>
    [document, bundle, filesystem, index, findings, review?.lint].map((stored) => stored?.blob),
  );
  const files = await mongoDatabase()
    .collection<{ filename: string }>('blobs.files')
    .find({ filename: { $regex: `^${organization}:` } })
    .toArray();
  return files
    .map(({ filename }) => filename.slice(organization.length + 1))
    .filter((hash) => !named.includes(hash));
}

let server: ContentServer;
let lab: FaultLab;
beforeAll(async () => {
  server = await startContentServer();
  lab = await startFaultLab({ BINDERY_OUTBOUND_ALLOW: server.hostPort });
});
afterEach(() => lab.reset({ keep: ['worker-maintenance'] }));
afterAll(async () => {
  await lab.close();
  await server.close();
});

describe('F4: a worker that is killed while it processes a specification', () => {
  it.each(points)('at %s leaves one version, and no leftover', { timeout: bound(150_000) }, async (point) => {
    const [, dying] = await Promise.all([
      lab.start('worker-maintenance'),
      lab.start('worker-openapi', { fault: `${point}:1:kill` }),
    ]);
    const { organization } = await lab.newSpace();
    server.put('/pets.json', { type: 'application/json', body: petstore({ [`/${point}`]: {} }) });
    const id = newId();
    const now = new Date();
    const { _id: job } = await acceptJob(openapiJobs.processSpec, {
      organization,
      subject: { type: 'openapi-spec', id },
      startedBy: 'nobody',
      permission: 'openapi.edit',
      input: { specId: id, sourceRevision: 1 },
      also: async (session, jobId) => {
        const spec: OpenAPISpecRecord = {
          _id: id,
          organization,
          slug: id.toLowerCase(),
          source: { url: `${server.origin}/pets.json` },
          sourceRevision: 1,
          visibility: 'private',
          job: jobId,
          lastProcessedErrors: [],
          createdBy: 'nobody',
          createdAt: now,
          updatedAt: now,
          version: 1,
        };
        await OpenAPISpec.create([spec], { session });
      },
    });
    expect(await dying.ended).toBe('SIGKILL');
    await lab.start('worker-openapi');
    await lab.waitFor(job, 'succeeded', bound(60_000));
    const versions = await OpenAPISpecVersion.find({ spec: id }).lean();
    expect(versions.length).toBe(1);
    expect(await OpenAPISpec.findById(id).lean()).toMatchObject({ lastVersion: versions[0]?._id });
    await until('no blob without a version', async () => (await unnamedBlobs(organization)).length === 0, {
      timeoutMs: bound(30_000),
    });
    await until('end of the work', async () =>
      (await readdir(lab.workFolder)).every((name) => !name.startsWith(`bindery-openapi-${dying.pid}-`)),
    );
  });
});
