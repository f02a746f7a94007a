import { acceptJob, cancelJob, openapiJobs } from '@bindery/jobs';
import {
  insertSpecVersion,
  jobCollection,
  Lease,
  mongoDatabase,
  OpenAPISpec,
  OpenAPISpecVersion,
  OutboxEvent,
  withTransaction,
  type OpenAPISpecRecord,
  type OpenAPISpecVersionRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { readdir } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startContentServer, type ContentServer } from '../support/content/contentServer.ts';
import { specDocuments } from '../support/factories.ts';
import { bound } from '../support/machine.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/http/webhookReceiver.ts';
import { buildEndpoint, forgetWebhooks } from '../support/http/webhooks.ts';
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
  const named = versions.flatMap(({ document, bundle, yaml, filesystem, index, findings, review }) =>
    [document, bundle, yaml, filesystem, index, findings, review?.lint].map((stored) => stored?.blob),
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
let receiver: WebhookReceiver;
let lab: FaultLab;
beforeAll(async () => {
  [server, receiver] = await Promise.all([startContentServer(), startWebhookReceiver()]);
  lab = await startFaultLab({ BINDERY_OUTBOUND_ALLOW: `${server.hostPort},${receiver.hostPort}` });
});
afterEach(async () => {
  // The worker that finished a specification is the one to die in the next test.
  await lab.reset({ keep: ['worker-maintenance', 'worker-openapi'] });
  await forgetWebhooks(receiver);
});
afterAll(async () => {
  await lab.close();
  await Promise.all([server.close(), receiver.close()]);
});

/** Creates a specification with the URL of a document, like the API. @returns it and its job */
async function createSpec(organization: string, url: string): Promise<{ id: string; job: string }> {
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
        source: { url },
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
  return { id, job };
}

describe('F4: a worker that is killed while it processes a specification', () => {
  // The reviews of earlier tests would take the time of the kept worker.
  beforeEach(async () => {
    await Lease.replaceOne(
      { _id: 'specReviews' },
      { holder: 'test', until: new Date(Date.now() + 3_600_000) },
      { upsert: true },
    );
  });

  it.each(points)(
    'at %s leaves one version and no unused blob',
    { timeout: bound(150_000) },
    async (point) => {
      const [, dying] = await Promise.all([
        lab.start('worker-maintenance'),
        lab.start('worker-openapi', { fault: `${point}:1:kill` }),
      ]);
      const { organization } = await lab.newSpace();
      server.put('/pets.json', { type: 'application/json', body: petstore({ [`/${point}`]: {} }) });
      const { id, job } = await createSpec(organization, `${server.origin}/pets.json`);
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
    },
  );
});

describe('a worker that is killed while it ends the review of a version', () => {
  let organization: string;
  beforeEach(async () => {
    // Reviews of earlier tests would come to the fault points too.
    await Promise.all([OpenAPISpec.deleteMany({}), OpenAPISpecVersion.deleteMany({})]);
    organization = newId();
    await buildEndpoint(lab.config, { organization, url: `${receiver.origin}/hook` });
  });

  async function expectToldOnce(spec: string): Promise<void> {
    await until('the webhook', () => receiver.receivedAt('/hook').length > 0, { timeoutMs: bound(60_000) });
    const events = await OutboxEvent.find({ 'data.specId': spec }).lean();
    expect(events.map(({ data }) => data)).toMatchObject([{ versionId: expect.any(String) }]);
    expect(receiver.receivedAt('/hook').map(({ headers }) => headers['webhook-id'])).toEqual([
      events[0]?._id,
    ]);
  }

  it.each([
    ['openapi.reviewed', 1],
    // The first one publishes the version.
    ['job.publishing', 2],
    ['job.finished', 2],
  ])('at %s publishes its event for webhooks once', { timeout: bound(150_000) }, async (point, count) => {
    const [, dying] = await Promise.all([
      lab.start('worker-maintenance'),
      lab.start('worker-openapi', { fault: `${point}:${count}:kill` }),
    ]);
    server.put('/pets.json', { type: 'application/json', body: petstore() });
    const { id } = await createSpec(organization, `${server.origin}/pets.json`);
    expect(await dying.ended).toBe('SIGKILL');
    await lab.start('worker-openapi');
    const isOfReview = { 'subject.id': id, kind: openapiJobs.reviewVersion.kind };
    await until(
      'end of the review',
      async () => (await jobCollection().findOne(isOfReview))?.state === 'succeeded',
      { timeoutMs: bound(60_000) },
    );
    await expectToldOnce(id);
  });

  it('whose job failed publishes its event for webhooks once', { timeout: bound(150_000) }, async () => {
    // No worker may make a version.
    await lab.reset({ keep: ['worker-maintenance'] });
    const dying = await lab.start('worker-maintenance', { fault: 'review.failing:1:kill' });
    const { id: spec } = await createSpec(organization, `${server.origin}/pets.json`);
    const content = { spec, sourceRevision: 1, contentHash: 'x', ...specDocuments() };
    await withTransaction((session) => insertSpecVersion(content, session));
    const { reviewJob } = await until('the job', () =>
      OpenAPISpecVersion.findOne({ spec, reviewJob: { $exists: true } }).lean<OpenAPISpecVersionRecord>(),
    );
    await cancelJob(reviewJob ?? '');
    await OpenAPISpecVersion.updateOne({ spec }, { $set: { reviewDueAt: new Date(0) } });
    expect(await dying.ended).toBe('SIGKILL');
    expect(await OutboxEvent.countDocuments({ 'data.specId': spec })).toBe(0);
    await Lease.deleteMany({});
    await lab.start('worker-maintenance');
    await expectToldOnce(spec);
  });
});
