import { jobCollection } from '@bindery/models';
import { describe, expect } from 'vitest';
import { findCollectionsWith } from '../../support/stores/dumpStores.ts';
import { buildMember, buildOrganization } from '../../support/factories.ts';
import { refusedGitFields, withField } from '../../support/git/gitRequests.ts';
import { it as base } from '../../support/it.ts';

const good = {
  url: 'https://git.example.org/o/r.git',
  ref: 'refs/heads/main',
  commitMessage: 'BINDERY-1: Words',
};
const inputOf = async (headers: Headers) =>
  (await jobCollection().findOne({ _id: headers.get('x-job-id') ?? '' }))?.input;

const it = base.extend('environment', { scope: 'file' }, { BINDERY_QUEUE_WINDOW: '10000' }).extend(
  'exportFrom',
  ({ api, creator, space }) =>
    (json: unknown, { token } = creator, query = '') =>
      api.call('POST', `/v1/spaces/${space._id}/git/export${query}`, { token, json }),
);

describe('POST /v1/spaces/{spaceId}/git/export', () => {
  it('accepts a job with all options, and returns its URL in the Link header', async ({
    space,
    exportFrom,
  }) => {
    const { status, text, headers } = await exportFrom({
      ...good,
      repoCacheID: 'cache',
      repoTreeURL: 'https://git.example.org/o/r/tree/main',
      repoCommitURL: 'https://git.example.org/o/r/commit',
      repoProjectDirectory: 'docs/',
      timestamp: '2026-01-02T03:04:05Z',
      force: true,
      gitInfo: { provider: 'github', url: 'https://github.com/o/r' },
    });
    expect([status, text]).toEqual([204, '']);
    expect(headers.get('link')).toBe(`<http://api.test/v1/jobs/${headers.get('x-job-id')}>; rel="monitor"`);
    const job = await jobCollection().findOne({ _id: headers.get('x-job-id') ?? '' });
    // One lane with the imports: of a space, one of both runs at a time.
    expect(job).toMatchObject({
      kind: 'git-export',
      queue: 'git',
      lane: `git:${space._id}`,
      permission: 'space.triggerGitSync',
    });
    expect(job?.input).toEqual({
      spaceId: space._id,
      url: good.url,
      ref: good.ref,
      hasLogin: false,
      repoCacheId: 'cache',
      repoTreeUrl: 'https://git.example.org/o/r/tree/main',
      repoCommitUrl: 'https://git.example.org/o/r/commit',
      projectDirectory: 'docs',
      timestamp: '2026-01-02T03:04:05Z',
      force: true,
      standalone: false,
      dryRun: false,
      onConflict: 'fail',
      gitInfo: { provider: 'github', url: 'https://github.com/o/r' },
      commitMessage: good.commitMessage,
    });
  });

  it.for([
    ['Words\r\n\r\nMore words  ', 'Words\n\nMore words'],
    ['Words\n\nCo-authored-by: Eve <eve@example.org>', 'Words'],
    ['Words\n\nsigned-off-by: Eve <eve@example.org>\nBindery-Job: 123\n', 'Words'],
    ['Words\tand 日本語 🎉', 'Words\tand 日本語 🎉'],
  ])('takes the message %j as %j', async ([commitMessage, kept], { exportFrom }) => {
    const { status, headers } = await exportFrom({ ...good, commitMessage });
    expect(status).toBe(204);
    expect((await inputOf(headers))?.['commitMessage']).toBe(kept);
  });

  const refusedMessages = [
    undefined,
    '',
    '   ',
    '\n\n',
    'Co-authored-by: Eve <e@e.org>',
    'a\u0000b',
    'a\u001bb',
    'x'.repeat(70_000),
    5,
    null,
  ].map((message): [string, unknown] => ['commitMessage', message]);
  const refusedRefs = ['refs/tags/v1', 'refs/pull/1/head', 'refs/merge-requests/1/head'].map(
    (ref): [string, unknown] => ['ref', ref],
  );

  it.for([...refusedGitFields, ...refusedRefs, ...refusedMessages])(
    'refuses %s = %j, and starts no job',
    async ([field, value], { exportFrom }) => {
      const before = await jobCollection().countDocuments();
      const { status, body, headers } = await exportFrom(withField(good, field, value));
      expect(status).toBe(400);
      expect(body.error.details[0]).toEqual({ path: `body.${field}`, message: expect.any(String) });
      expect(headers.get('x-job-id')).toBeNull();
      expect(await jobCollection().countDocuments()).toBe(before);
    },
  );

  it('takes a dry run from the query parameter dryRun=true only', async ({
    api,
    creator,
    space,
    exportFrom,
  }) => {
    const { status, headers } = await exportFrom(good, creator, '?dryRun=true');
    expect(status).toBe(204);
    expect((await inputOf(headers))?.['dryRun']).toBe(true);
    expect((await exportFrom(good, creator, '?dryRun=1')).status).toBe(400);
    const imported = await api.call('POST', `/v1/spaces/${space._id}/git/import?dryRun=true`, {
      token: creator.token,
      json: good,
    });
    expect((await inputOf(imported.headers))?.['dryRun']).toBe(true);
  });

  it('seals a login for the worker', async ({ exportFrom }) => {
    const secret = 'canary-of-the-export';
    const { status, headers } = await exportFrom({
      ...good,
      url: `https://x-access-token:${secret}@git.example.org/o/r.git`,
    });
    expect(status).toBe(204);
    expect(await inputOf(headers)).toMatchObject({ url: good.url, hasLogin: true });
    expect(await findCollectionsWith(secret)).toEqual([]);
  });

  it('requires the permission to trigger git sync', async ({ organization, exportFrom }) => {
    for (const role of ['read', 'comment', 'edit', 'review'] as const) {
      expect((await exportFrom(good, await buildMember(organization, role))).status).toBe(403);
    }
    expect((await exportFrom(good, (await buildOrganization()).admin)).status).toBe(404);
    expect((await exportFrom({ url: 5 }, await buildMember(organization, 'read'))).status).toBe(403);
  });
});
