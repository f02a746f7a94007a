import { acceptJob, pdfJobs } from '@bindery/jobs';
import { jobCollection, type JobRecord, type OrganizationRecord, type SpaceRecord } from '@bindery/models';
import { describe, expect } from 'vitest';
import {
  buildChangeRequest,
  buildGrant,
  buildJob,
  buildSpace,
  buildSpec,
  buildTranslation,
  changeSpace,
  type TestUser,
} from '../../support/factories.ts';
import { it as base } from '../../support/it.ts';

const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

async function buildChangeRequestJob(
  space: SpaceRecord,
  fields: Partial<JobRecord> = {},
): Promise<JobRecord> {
  const { _id: id } = await buildChangeRequest(space);
  const job = await acceptJob(pdfJobs.printChangeRequest, {
    organization: space.organization,
    subject: { type: 'change-request', id },
    space: space._id,
    startedBy: 'nobody',
    permission: 'space.view',
    input: {
      changeRequestId: id,
      number: 1,
      subject: '',
      spaceId: space._id,
      revision: space.revision,
      only: false,
      pageSize: 'a4',
      title: space.title,
      author: '',
      language: 'en',
      appUrl: '',
    },
  });
  await jobCollection().updateOne({ _id: job._id }, { $set: fields });
  return job;
}

/**
 * A job about each kind of thing that belongs to the organization as a whole, with the permission that it
 * takes to control it.
 */
const ofOrganization = [
  [
    'openapi-spec',
    'openapi-processing',
    async (organization: OrganizationRecord) => (await buildSpec(organization)).job,
  ],
  [
    'translation',
    'translation-run',
    async (organization: OrganizationRecord) => (await buildTranslation(await buildSpace(organization))).job,
  ],
] as const;

const it = base
  .extend('environment', { scope: 'file' }, { BINDERY_QUEUE_WINDOW: '10000' })
  .extend(
    'call',
    ({ api }) =>
      (method: string, path: string, { token }: TestUser, json?: unknown) =>
        api.call(method, `/v1${path}`, { token, ...(json !== undefined && { json }) }),
  )
  .extend(
    'list',
    ({ organization, call }) =>
      async (user: TestUser, query = '') =>
        (await call('GET', `/orgs/${organization._id}/jobs?limit=1000${query}`, user)).body,
  );

describe.each(ofOrganization)('a job about an %s', (type, kind, build) => {
  it('is visible to every member, and hidden from other organizations', async ({
    organization,
    admin,
    creator,
    reader,
    commenter,
    outsider,
    call,
    list,
  }) => {
    const id = await build(organization);
    for (const user of [admin, creator, reader, commenter]) {
      expect((await call('GET', `/jobs/${id}`, user)).body).toMatchObject({ id, kind, subject: { type } });
      expect(idsOf(await list(user))).toContain(id);
    }
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/events'],
      ['POST', '/cancel'],
      ['POST', '/retry'],
    ] as const) {
      const { status, body } = await call(method, `/jobs/${id}${path}`, outsider);
      expect([status, body.error.message]).toEqual([
        404,
        `No job with the id ${id} that this token may see.`,
      ]);
    }
  });

  it('is cancelled and retried by members who may start one', async ({
    organization,
    creator,
    reader,
    commenter,
    call,
  }) => {
    const id = await build(organization);
    for (const user of [reader, commenter])
      for (const action of ['cancel', 'retry']) {
        const { status, body } = await call('POST', `/jobs/${id}/${action}`, user);
        expect([status, body.error.message]).toEqual([403, expect.stringContaining('job.control')]);
      }
    expect((await call('POST', `/jobs/${id}/cancel`, creator)).body.state).toBe('cancelled');
    const retried = await call('POST', `/jobs/${id}/retry`, creator);
    expect([retried.status, retried.body.state, retried.headers.get('x-job-id')]).toEqual([
      200,
      'queued',
      id,
    ]);
  });

  it('is found by its kind, its state and its subject', async ({ organization, reader, call, list }) => {
    const id = await build(organization);
    const { subject } = (await call('GET', `/jobs/${id}`, reader)).body;
    expect(idsOf(await list(reader, `&subject=${subject.id}`))).toEqual([id]);
    expect((await list(reader, `&subject=${subject.id}&state=failed`)).count).toBe(0);
    expect(idsOf(await list(reader, `&kind=${kind}&state=queued`))).toContain(id);
    expect(idsOf(await list(reader, '&kind=git-import'))).not.toContain(id);
  });
});

describe('a job about a change request', () => {
  it('is visible to members who can view its space', async ({
    organization,
    admin,
    creator,
    reader,
    guest,
    outsider,
    call,
    list,
  }) => {
    const space = await buildSpace(organization, { defaultLevel: null });
    const job = await buildChangeRequestJob(space);
    await buildGrant({ space }, guest, 'read');
    for (const [user, isSeen] of [
      [admin, true],
      [guest, true],
      [reader, false],
      [creator, false],
    ] as const) {
      expect((await call('GET', `/jobs/${job._id}`, user)).status).toBe(isSeen ? 200 : 404);
      expect(idsOf(await list(user)).includes(job._id)).toBe(isSeen);
      expect((await list(user, `&subject=${job.subject.id}`)).count).toBe(isSeen ? 1 : 0);
    }
    expect((await call('GET', `/jobs/${job._id}`, outsider)).status).toBe(404);
    // A user who may request a PDF may cancel its job.
    expect((await call('POST', `/jobs/${job._id}/cancel`, guest)).status).toBe(200);
  });

  it('is hidden when its space is deleted', async ({ admin, space, call, list }) => {
    const job = await buildChangeRequestJob(space);
    await changeSpace(space, { deletedAt: new Date() });
    expect((await call('GET', `/jobs/${job._id}`, admin)).status).toBe(404);
    expect(idsOf(await list(admin))).not.toContain(job._id);
  });
});

it('a job with an unknown subject is hidden from other organizations', async ({
  organization,
  admin,
  outsider,
  call,
}) => {
  const job = await buildJob(await buildSpace(organization), { subject: { type: 'something', id: 'x' } });
  expect((await call('GET', `/jobs/${job._id}`, outsider)).status).toBe(404);
  expect((await call('POST', `/jobs/${job._id}/cancel`, admin)).status).toBe(403);
});

it('a job of a removed specification is not run again by a replay', async ({
  organization,
  admin,
  creator,
  call,
}) => {
  const spec = await buildSpec(organization);
  await jobCollection().updateOne({ _id: spec.job }, { $set: { state: 'failed' } });
  const replay = async () =>
    (
      await call('POST', `/orgs/${organization._id}/jobs/replay`, admin, {
        kind: 'openapi-processing',
        dryRun: true,
      })
    ).body.jobs;
  expect(await replay()).toContain(spec.job);
  expect((await call('DELETE', `/orgs/${organization._id}/openapi/${spec.slug}`, creator)).status).toBe(204);
  expect(await replay()).not.toContain(spec.job);
});

it('a job that another job has replaced is not retried beside it', async ({
  organization,
  creator,
  call,
}) => {
  const translation = await buildTranslation(await buildSpace(organization));
  const path = `/orgs/${organization._id}/translations/${translation._id}/run`;
  await call('POST', `/jobs/${translation.job}/cancel`, creator);
  const second = (await call('POST', path, creator)).headers.get('x-job-id');
  expect(second).not.toBe(translation.job);
  const { status, body } = await call('POST', `/jobs/${translation.job}/retry`, creator);
  expect([status, body.error.message]).toEqual([409, expect.stringContaining('is running')]);
  expect((await jobCollection().findOne({ _id: translation.job }))?.state).toBe('cancelled');
});
