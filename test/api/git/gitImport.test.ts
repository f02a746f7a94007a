import { jobCollection } from '@bindery/models';
import { describe, expect } from 'vitest';
import { buildMember, buildOrganization, buildSpace } from '../../support/factories.ts';
import { refusedGitFields, withField } from '../../support/git/gitRequests.ts';
import { it as base } from '../../support/it.ts';

const good = { url: 'https://git.example.org/o/r.git', ref: 'refs/heads/main' };

async function inputOf(headers: Headers) {
  return (await jobCollection().findOne({ _id: headers.get('x-job-id') ?? '' }))?.input;
}

const it = base
  .extend(
    'environment',
    { scope: 'file' },
    { BINDERY_QUEUE_WINDOW: '10000', BINDERY_OUTBOUND_ALLOW: '127.0.0.1:9999' },
  )
  .extend(
    'importInto',
    ({ api, creator, space }) =>
      (json: unknown, { token } = creator, { _id } = space) =>
        api.call('POST', `/v1/spaces/${_id}/git/import`, { token, ...(json !== undefined && { json }) }),
  );

describe('POST /v1/spaces/{spaceId}/git/import', () => {
  it('accepts a job, and returns its URL in the Link header', async ({
    api,
    organization,
    creator,
    reader,
    space,
    importInto,
  }) => {
    const { status, text, headers } = await importInto(good);
    expect([status, text]).toEqual([204, '']);
    const id = headers.get('x-job-id');
    expect(headers.get('link')).toBe(`<http://api.test/v1/jobs/${id}>; rel="monitor"`);
    const job = await api.call('GET', `/v1/jobs/${id}`, { token: reader.token });
    expect(job.body).toMatchObject({
      kind: 'git-import',
      state: 'queued',
      subject: { type: 'space', id: space._id },
      organization: organization._id,
    });
    expect(await jobCollection().findOne({ _id: id ?? '' })).toMatchObject({
      startedBy: creator.user._id,
      permission: 'space.triggerGitSync',
      lane: `git:${space._id}`,
    });
  });

  it('takes the conflict rule from the request, else from the space, else uses a branch', async ({
    api,
    admin,
    space,
    importInto,
  }) => {
    const set = async (gitOnConflict: unknown) =>
      api.call('PATCH', `/v1/spaces/${space._id}`, { token: admin.token, json: { gitOnConflict } });
    const ruleOf = async (body: object) => (await inputOf((await importInto(body)).headers))?.['onConflict'];
    expect(await ruleOf(good)).toBe('branch');
    expect((await set('change-request')).body).toMatchObject({ gitOnConflict: 'change-request' });
    expect(await ruleOf(good)).toBe('change-request');
    expect(await ruleOf({ ...good, onConflict: 'space' })).toBe('space');
    expect((await set('fail')).status).toBe(400);
    expect((await importInto({ ...good, onConflict: 'fail' })).status).toBe(400);
    expect((await set(null)).body).not.toHaveProperty('gitOnConflict');
    expect(await ruleOf(good)).toBe('branch');
  });

  it('passes all options on to the job', async ({ space, importInto }) => {
    const { status, headers } = await importInto({
      ...good,
      repoCacheID: 'cache',
      repoTreeURL: 'https://git.example.org/o/r/tree/main/',
      repoCommitURL: 'https://git.example.org/o/r/commit/',
      repoProjectDirectory: '/docs//./guide/'.replace('//', '/'),
      timestamp: '2026-01-02T03:04:05+02:00',
      force: true,
      standalone: true,
      gitInfo: { provider: 'gitlab', url: 'https://gitlab.com/o/r' },
      unknown: 1,
    });
    expect(status).toBe(204);
    expect(await inputOf(headers)).toEqual({
      spaceId: space._id,
      url: good.url,
      ref: good.ref,
      hasLogin: false,
      repoCacheId: 'cache',
      repoTreeUrl: 'https://git.example.org/o/r/tree/main/',
      repoCommitUrl: 'https://git.example.org/o/r/commit/',
      projectDirectory: 'docs/guide',
      timestamp: '2026-01-02T03:04:05+02:00',
      force: true,
      standalone: true,
      dryRun: false,
      onConflict: 'branch',
      gitInfo: { provider: 'gitlab', url: 'https://gitlab.com/o/r' },
    });
  });

  it('replaces an event time in the future by the current time', async ({ importInto }) => {
    const { headers } = await importInto({
      ...good,
      timestamp: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const timestamp = Date.parse(String((await inputOf(headers))?.['timestamp']));
    expect(Math.abs(timestamp - Date.now())).toBeLessThan(60_000);
  });

  it('works on a locked space, and passes the trace of the request to the job', async ({
    api,
    organization,
    creator,
  }) => {
    const locked = await buildSpace(organization, { editMode: 'locked' });
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const { status, headers } = await api.call('POST', `/v1/spaces/${locked._id}/git/import`, {
      token: creator.token,
      json: good,
      headers: { traceparent },
    });
    expect(status).toBe(204);
    expect(await jobCollection().findOne({ _id: headers.get('x-job-id') ?? '' })).toMatchObject({
      traceparent,
    });
  });

  it.for([
    'refs/heads/main',
    'refs/heads/feature/a-b_c.d',
    'refs/heads/日本語',
    'refs/heads/@',
    'refs/heads/a@b',
    'refs/tags/v1.0',
    'refs/pull/12/head',
    'refs/pull/12/merge',
    'refs/merge-requests/7/head',
  ])('takes the ref %s', async (ref, { importInto }) => {
    expect((await importInto({ ...good, ref })).status).toBe(ref === 'refs/heads/@' ? 400 : 204);
  });

  it.for(refusedGitFields)('refuses %s = %j, and starts no job', async ([field, value], { importInto }) => {
    const before = await jobCollection().countDocuments();
    const { status, body, headers } = await importInto(withField(good, field, value));
    expect(status).toBe(400);
    expect(body.error.details[0]).toEqual({ path: `body.${field}`, message: expect.any(String) });
    expect(headers.get('x-job-id')).toBeNull();
    expect(await jobCollection().countDocuments()).toBe(before);
  });

  it('accepts a private address that the operator allows, on that port only', async ({ importInto }) => {
    expect((await importInto({ ...good, url: 'http://127.0.0.1:9999/r.git' })).status).toBe(204);
    expect((await importInto({ ...good, url: 'http://127.0.0.1:9998/r.git' })).status).toBe(400);
  });

  it('refuses a missing body, a body that is not an object, other media types and other methods', async ({
    api,
    creator,
    space,
    importInto,
  }) => {
    for (const json of [[], 'x', 5, null, undefined]) expect((await importInto(json)).status).toBe(400);
    const path = `/v1/spaces/${space._id}/git/import`;
    expect(
      (
        await api.call('POST', path, {
          token: creator.token,
          body: JSON.stringify(good),
          headers: { 'content-type': 'text/plain' },
        })
      ).status,
    ).toBe(415);
    expect((await api.call('GET', path, { token: creator.token })).status).toBe(405);
  });

  it('requires the permission to trigger git sync, and a space that the caller can view', async ({
    organization,
    creator,
    reader,
    space,
    importInto,
  }) => {
    for (const role of ['read', 'comment', 'edit', 'review'] as const) {
      const { status, body } = await importInto(good, await buildMember(organization, role));
      expect([status, body.error.type]).toEqual([403, 'forbidden']);
    }
    expect((await importInto(good, (await buildOrganization()).admin)).status).toBe(404);
    expect((await importInto(good, await buildMember(organization, null))).status).toBe(404);
    expect((await importInto(good, creator, { ...space, _id: 'nothing' })).status).toBe(404);
    // A caller without the permission learns nothing about errors in the body.
    expect((await importInto({ url: 5 }, reader)).status).toBe(403);
  });
});
